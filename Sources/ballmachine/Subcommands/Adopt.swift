import Bridge
import Configuration
import ControlProtocol
import Glibc
import Host
import MachineLink
import Options
import Programs
import Service

/// `ballmachine adopt`: says that a device is our ball machine.
struct Adopt: AdapterSubcommand {
  /// An address or a name.
  var device: String?
  var yes = false
  var list = false
  var forget: String?
  var wait = Duration.seconds(20)
  var configuration = ConfigurationOptions()
  var machine = MachineOptions()
  var needsAdapter: Bool { true }

  static let usage = Usage<Self>(
    name: "adopt",
    summary: "Say that a device is your ball machine",
    alternatives: ["ADDRESS|NAME", "--list", "--forget ADDRESS|NAME"],
    options: [
      .flag("yes", short: "y", \.yes, "Don't ask"),
      .flag("list", \.list, "List the adopted machines"),
      .value("forget", .text("ADDRESS|NAME"), \.forget, "Forget an adopted machine"),
      .value("wait", .seconds, \.wait, "Listen this many seconds for the device (default 20)"),
    ] + ConfigurationOptions.options.within(\.configuration) + [
      MachineOptions.busOption.within(\.machine), MachineOptions.adapterOption.within(\.machine),
    ],
    arguments: [.optional(.text("ADDRESS|NAME"), \.device)],
    details: """
      A machine whose name is not known, or that advertises no typical service, is used only once \
      it is adopted: other devices have the same services. `scan' lists such devices as `perhaps'. \
      The device must be in range. The command shows its name, address, profile and signal, and asks: \
      only `yes', in full, adopts it.

      If a service runs, the service keeps it and links at once; that needs the group \
      `ballmachine-operator'. Otherwise it is kept in adopted.json in the state directory. A private \
      address changes every few minutes: such a machine is known by its name. A mock counts for SIM \
      alone, another machine for REAL alone. --forget needs that no service runs.
      """
  )

  func validate() throws(UsageError) {
    guard [device != nil, list, forget != nil].count(where: { $0 }) == 1 else {
      throw UsageError("give either an address or a name, or --list, or --forget")
    }
  }

  func run(_ output: Output) async throws {
    if list { return try await listAdopted(output) }
    if let forget { return try await forgetAdopted(forget, output) }
    guard let device else { return }
    guard yes || isatty(STDIN_FILENO) == 1 else {
      throw UsageError("standard input is not a terminal: give --yes to adopt without a question")
    }
    let isElsewhere = machine != MachineOptions() || configuration.file != nil
    if !isElsewhere, let service = try await ServiceConnection.find() {
      try await adopt(device, through: service, output)
    } else {
      try await adoptDirectly(device, output)
    }
  }

  private func adopt(
    _ wanted: String,
    through service: ServiceConnection,
    _ output: Output
  ) async throws {
    let link = try await service.ask(.status, for: StatusRecord.self).link
    let known = (link.perhaps ?? []).filter { $0.isMeant(by: wanted) }
    let found: Found
    if known.count == 1 {
      found = Found(known[0], isSimulated: link.mode.map { $0 == "SIM" })
    } else {
      found = try await hear(wanted)
    }
    try await confirm(found)
    let adopted: AdoptionRecord = try await service.ask(.adopt(found.adoption))
    try await output.confirm(AdoptionReport(record: adopted, isServed: true))
  }

  private func adoptDirectly(_ wanted: String, _ output: Output) async throws {
    let lock = try MachineLock(in: RuntimeDirectory())
    defer { lock.release() }
    try await StopDebts(of: "adopt").takeDirectoryPromptly()
    let found = try await hear(wanted)
    try await confirm(found)
    let adopted: AdoptedMachine
    do throws(ControlError) {
      adopted = try AdoptedMachine(found.adoption, isSimulated: found.isSimulated == true)
      try await KnownMachines(of: "adopt").keep(adopted)
    } catch {
      throw Failure(.unavailable, error.message)
    }
    try await output.confirm(AdoptionReport(record: AdoptionRecord(adopted)))
  }

  // MARK: The device

  /// A device that is in range.
  private struct Found {
    var adoption: ControlRequest.Adoption
    var profile: String?
    var rssi: Int16?
    /// Nil: not known.
    var isSimulated: Bool?

    init(_ device: LinkRecord.Perhaps, isSimulated: Bool?) {
      adoption = .init(
        address: device.address,
        addressType: device.addressType,
        name: device.name
      )
      profile = device.profile
      self.isSimulated = isSimulated
    }

    init(_ device: SeenDevice, isSimulated: Bool) {
      adoption = .init(
        address: device.address,
        addressType: device.addressType,
        name: device.name
      )
      (profile, rssi) = (device.profile, device.rssi)
      self.isSimulated = isSimulated
    }

    var text: String {
      let words: [String?] = [
        isSimulated.map { $0 ? "SIM" : "REAL" }, adoption.name?.printable ?? "(no name)",
        adoption.address, profile.map { "profile \($0)" }, rssi.map { "\($0) dBm" },
      ]
      return words.compactMap(\.self).joined(separator: "  ")
    }
  }

  /// How long the name may come after the first advertisement, or a second device of that name.
  private static let rest = Duration.seconds(3)

  /// Scans for the device.
  private func hear(_ wanted: String) async throws -> Found {
    let settings = try configuration.effective(machine: machine).values.machine
    let scanner = MachineScanner(
      central: BlueZCentral(bus: settings.bus),
      configuration: settings.link
    )
    let heard = Locked<[String: SeenDevice]>([:])
    let isSimulated = Locked(false)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        let (found, continuation) = AsyncStream.makeStream(of: Void.self)
        group.addTask { [wait] in
          try await scanner.scan(for: wait) { adapter in
            isSimulated.withLock { $0 = adapter.isSimulated }
          } report: { device in
            guard device.isMeant(by: wanted) else { return }
            heard.withLock { $0[device.address] = device }
            continuation.yield()
          }
        }
        group.addTask {
          for await _ in found { break }
          try await SystemClock().sleep(for: Self.rest)
        }
        try await group.next()
        group.cancelAll()
      }
    } catch let fault as LinkFault {
      throw Failure(linkFault: fault)
    } catch is CancellationError {
      // The scan has ended in good order.
    }
    let devices = heard.withLock(\.self).values.sorted { $0.address < $1.address }
    guard let device = devices.first else {
      throw Failure(
        .unavailable,
        "\(wanted.printable) is not in range: switch it on near the box, and end its connection to a"
          + " phone; `ballmachine scan --all' lists what is in range"
      )
    }
    guard devices.count == 1 else {
      let list = devices.map(\.address).joined(separator: ", ")
      throw Failure(
        .unavailable,
        "\(devices.count) devices have the name \(wanted.printable): give an address, of \(list)"
      )
    }
    return Found(device, isSimulated: isSimulated.withLock(\.self))
  }

  private func confirm(_ found: Found) async throws {
    guard !yes else { return }
    try await Confirmation.ask(
      [
        found.text,
        "Commands for a ball machine will be written to this device; another device may take harm."
          + " Type yes if it is your ball machine:",
      ],
      orElse: "not adopted"
    )
  }

  // MARK: The list

  private func listAdopted(_ output: Output) async throws {
    let adopted = AdoptedMachines(in: await LogFolder.readableState()) {
      Output.complain("ballmachine adopt: warning: \($0)")
    }
    for machine in await adopted.recall(onlyLooking: true) {
      try await output.write(AdoptionReport(record: AdoptionRecord(machine), isListed: true))
    }
  }

  private func forgetAdopted(_ wanted: String, _ output: Output) async throws {
    let lock = try MachineLock(in: RuntimeDirectory())
    defer { lock.release() }
    try await StopDebts(of: "adopt").takeDirectoryPromptly()
    let machines = KnownMachines(of: "adopt")
    let forgotten: [AdoptedMachine]
    do throws(StateFileError) {
      forgotten = try await machines.adopted.forget { machine in
        "\(machine.address)" == wanted.uppercased() || machine.name == wanted
      }
    } catch {
      throw Failure(.inputOutput, "it stays adopted: \(error)")
    }
    guard !forgotten.isEmpty else {
      throw Failure(
        .unavailable,
        "\(wanted.printable) is not adopted; `ballmachine adopt --list' lists what is"
      )
    }
    // A good link says the same as a person.
    let addresses = Set(forgotten.map(\.address))
    if await machines.memory.recall().contains(where: { addresses.contains($0.address) }) {
      await machines.memory.forget()
    }
    for machine in forgotten {
      try await output.write(AdoptionReport(record: AdoptionRecord(machine), isListed: true))
    }
  }
}

extension LinkRecord.Perhaps {
  fileprivate func isMeant(by text: String) -> Bool {
    address == text.uppercased() || name == text
  }
}

extension SeenDevice {
  fileprivate func isMeant(by text: String) -> Bool {
    address == text.uppercased() || name == text
  }
}

/// A device that counts as our machine.
struct AdoptionReport: Report {
  var event = "adopted"
  let record: AdoptionRecord
  var isServed = false
  /// Whether it is one of a list.
  var isListed = false

  var text: String {
    let words = [record.mode, record.name?.printable, record.address].compactMap(\.self)
    let head = words.joined(separator: "  ")
    let way = record.by == "name" ? "  known by its name: its address is a private one" : ""
    guard !isListed else { return head + way }
    return "\(head)  adopted\(way)" + (isServed ? "" : "; `serve' will use it")
  }

  private enum Key: CodingKey {
    case event
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(event, forKey: .event)
    try record.encode(to: encoder)
  }
}
