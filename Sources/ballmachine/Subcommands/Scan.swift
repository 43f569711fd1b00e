import Bridge
import Configuration
import ControlProtocol
import Host
import MachineLink
import Options
import Programs
import Service

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
      Without --all it lists the devices that have a known name or advertise a known service. \
      `certain' means that a link uses the device: it is configured, remembered or adopted, or has \
      both a known name and a service that is typical of machines. `perhaps' means that only its name \
      or a service fits, as with many other devices: nothing is written to it until you have adopted it \
      with `ballmachine adopt ADDRESS'.

      Of several adapters it uses the one that a link would use: the one that knows the \
      remembered machine, or else the first that is on. One that can't serve is passed over. The \
      last lines name them.
      """
  )

  func run(_ output: Output) async throws {
    let settings = try configuration.effective(machine: machine).values.machine
    var link = settings.link
    let state = await LogFolder.readableState()
    let warn: @Sendable (String) -> Void = { Output.complain("ballmachine scan: warning: \($0)") }
    link.remembered = await MachineMemory(in: state, warn: warn).recall(onlyLooking: true)
    link.adopted = await AdoptedMachines(in: state, warn: warn).recall(onlyLooking: true)
    let scanner = MachineScanner(central: BlueZCentral(bus: settings.bus), configuration: link)
    let found = Found(output: output, all: all)
    let signals = try endSignals()
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for await _ in signals { return }
        }
        group.addTask { [duration] in
          let unheard = try await scanner.scan(for: duration) {
            await found.begin(through: $0)
          } report: {
            await found.receive($0)
          }
          await found.end(unheard: unheard)
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
    private var adapter: ScanAdapter?
    private var unheard: [SeenDevice] = []

    init(output: Output, all: Bool) {
      self.output = output
      self.all = all
    }

    func begin(through adapter: ScanAdapter) {
      self.adapter = adapter
    }

    func end(unheard: [SeenDevice]) {
      self.unheard = unheard
    }

    func receive(_ device: SeenDevice) async {
      if device.standing == .stranger {
        others.insert(device.address)
      } else {
        machines.insert(device.address)
      }
      guard error == nil, all || device.standing != .stranger, isNews(device) else { return }
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
        adapter: adapter?.isOnlyOne == false ? adapter?.address : nil,
        adapterName: adapter?.isOnlyOne == false ? adapter?.name : nil,
        passedOver: adapter.flatMap { scan in
          scan.passedOver.isEmpty ? nil : scan.passedOver.map { LinkRecord.PassedOverAdapter($0) }
        },
        unheard: unheard.isEmpty ? nil : unheard,
        warning: adapter?.warning
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
      name?.printable(upTo: 60) ?? "(no name)",
      [profile, standing == .stranger ? nil : standing.rawValue].compactMap(\.self)
        .joined(separator: ", "),
      connected ? "connected" : "",
    ]
    let text = words.filter { !$0.isEmpty }.joined(separator: "  ")
    return RecordReport("device", self, text: text)
  }
}

extension ScanAdapter {
  fileprivate var warning: String? {
    let others =
      isOthersScan ? "BlueZ began no scan: this is what another program's scan shows" : nil
    let own = defect.map { "\(name) \(address) may not serve: \($0)" }
    let warnings = [others, own].compactMap(\.self)
    return warnings.isEmpty ? nil : warnings.joined(separator: "; ")
  }
}

/// The end of a scan.
struct ScanSummary: LinedReport {
  var event = "scan"
  /// Possible machines in range.
  var machines: Total
  /// Other devices in range.
  var others: Total
  /// The adapter's Bluetooth address, where there are several; nil for the only one.
  var adapter: String?
  /// That adapter's name, such as `hci0`.
  var adapterName: String?
  /// Adapters that can't serve, in whose place this one is used; nil if there are none.
  var passedOver: [LinkRecord.PassedOverAdapter]?
  /// What may be a machine and is known to BlueZ from earlier, but was not heard; nil if there is none.
  var unheard: [SeenDevice]?
  /// What may have kept the scan from hearing what is there.
  var warning: String?

  var lines: [String] {
    let name = [adapterName, adapter].compactMap(\.self).joined(separator: " ")
    let count =
      "\(counted(machines, "possible machine")), \(counted(others, "other device")) in range"
      + (name.isEmpty ? "" : " of \(name); --adapter names another adapter")
    let unheard = unheard?.map { device in
      let title = [device.name?.printable(upTo: 60), device.address].compactMap(\.self)
      return "\(title.joined(separator: " ")) was not heard: BlueZ knows it from earlier"
    }
    return [count] + (passedOver?.map(\.text) ?? []) + (unheard ?? [])
      + (warning.map { ["warning: \($0)"] } ?? [])
  }
}
