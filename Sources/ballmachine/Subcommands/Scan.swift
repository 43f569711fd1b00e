import Configuration
import Host
import MachineLink
import Programs

/// `ballmachine scan`: which machines are in range.
struct Scan: AdapterSubcommand {
  var configuration = ConfigurationOptions()
  var machine = MachineOptions()
  var duration = Duration.seconds(20)
  var all = false
  var needsAdapter: Bool { true }

  static let usage = Usage<Self>(
    name: "scan",
    summary: "List the machines in range",
    options: ConfigurationOptions.options.within(\.configuration) + [
      MachineOptions.busOption.within(\.machine),
      MachineOptions.adapterOption.within(\.machine),
      .value("duration", .seconds, \.duration, "Listen this many seconds (default 20)"),
      .flag("all", \.all, "List every Bluetooth Low Energy device, not only machines"),
    ],
    details: """
      Without --all it lists the devices that advertise a service of a known machine. A machine \
      that advertises only its name appears with --all. `certain' means that only ball machines \
      have that service. A device without `certain' may be any serial bridge.

      Of several adapters it uses the one that a link would use: the one that knows the \
      remembered machine, or else the first that is on. The last line names it.
      """
  )

  func run(_ output: Output) async throws {
    let settings = try configuration.effective(machine: machine).values.machine
    var link = settings.link
    link.remembered = await MachineMemory(in: SessionFolder.readableState()) {
      Output.complain("ballmachine scan: warning: \($0)")
    }.recall(onlyLooking: true)
    let scanner = MachineScanner(central: BlueZCentral(bus: settings.bus), configuration: link)
    let found = Found(output: output, all: all)
    let signals = try endSignals()
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for await _ in signals { return }
        }
        group.addTask { [duration] in
          try await scanner.scan(for: duration) {
            await found.begin(through: $0)
          } report: {
            await found.take($0)
          }
        }
        try await group.next()
        group.cancelAll()
      }
    } catch let fault as LinkFault {
      throw Failure(linkFault: fault)
    }
    try await output.write(found.summary())
  }

  /// What has been heard so far.
  private actor Found {
    private let output: Output
    private let all: Bool
    private var machines: Set<String> = []
    private var others: Set<String> = []
    private var error: (any Error)?
    private var last: [String: SeenDevice] = [:]
    /// Of several.
    private var adapter: ScanAdapter?

    init(output: Output, all: Bool) {
      self.output = output
      self.all = all
    }

    func begin(through adapter: ScanAdapter) {
      if !adapter.isOnlyOne { self.adapter = adapter }
    }

    func take(_ device: SeenDevice) async {
      if device.profile == nil {
        others.insert(device.address)
      } else {
        machines.insert(device.address)
      }
      guard error == nil, all || device.profile != nil, isNews(device) else { return }
      do { try await output.write(device.report) } catch { self.error = error }
    }

    /// The signal strength changes all the time: people see only the first one.
    private func isNews(_ device: SeenDevice) -> Bool {
      guard output.style == .text else { return true }
      var device = device
      device.rssi = nil
      return last.updateValue(device, forKey: device.address) != device
    }

    func summary() throws -> ScanSummary {
      if let error { throw error }
      return ScanSummary(
        machines: machines.count,
        others: others.subtracting(machines).count,
        adapter: adapter?.address,
        adapterName: adapter?.name
      )
    }
  }
}

extension SeenDevice {
  /// A device in range.
  var report: RecordReport<Self> {
    let words = [
      address,
      rssi.map { "\($0) dBm" } ?? "-",
      name?.printable ?? "(no name)",
      profile.map { "\($0)\(isMachine ? ", certain" : "")" } ?? "",
      isConnected ? "connected" : "",
    ]
    let text = words.filter { !$0.isEmpty }.joined(separator: "  ")
    return RecordReport("device", self, text: text)
  }
}

/// How many devices a scan heard.
struct ScanSummary: Report {
  var event = "scan"
  var machines: Int
  var others: Int
  /// Of several; nil for the only one.
  var adapter: String?
  var adapterName: String?

  var text: String {
    let name = [adapterName, adapter].compactMap(\.self).joined(separator: " ")
    return "\(counted(machines, "possible machine")), \(counted(others, "other device")) in range"
      + (name.isEmpty ? "" : " of \(name); --adapter names another adapter")
  }
}
