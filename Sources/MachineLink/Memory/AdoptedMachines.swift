import BlueZ
package import Host
import JSON

/// The devices of which a person has said that they are our machines, in the file `adopted.json` of the
/// state directory.
///
/// A file that can't be read adopts nothing, and is set aside.
package actor AdoptedMachines {
  package static let fileName = "adopted.json"
  /// A club has a few machines. Beyond that the oldest is dropped.
  private static let most = 16

  private let executor = LoopExecutor()
  private let file: StateFile?
  /// The marks of this box: machines stand beside one box, and a card may be copied.
  private var marks: BoxMarks
  private let warn: @Sendable (String) -> Void
  private let now: @Sendable () -> WallTime
  private var onlyLooks = false
  /// Nil until the file has been read.
  private var entries: [Entry]?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - directory: nil adopts nothing, and keeps nothing.
  ///   - warn: is told, in a sentence without a full stop, what a technician should know.
  package init(
    in directory: StateDirectory?,
    marks: BoxMarks = BoxMarks(),
    warn: @escaping @Sendable (String) -> Void,
    now: @escaping @Sendable () -> WallTime = { WallTime() }
  ) {
    // A name may have 248 bytes, and twice as many as text of JSON.
    file = directory.map { StateFile(Self.fileName, in: $0, longest: 32_768) }
    self.marks = marks
    self.warn = warn
    self.now = now
  }

  /// All of them, the oldest first.
  ///
  /// - Parameter onlyLooking: changes no file; a broken one stays where it is.
  package func recall(onlyLooking: Bool = false) -> [AdoptedMachine] {
    onlyLooks = onlyLooks || onlyLooking
    return recalled().map(\.machine)
  }

  private func recalled() -> [Entry] {
    if let entries { return entries }
    var read: [Entry] = []
    do throws(StateFileError) {
      if let bytes = try file?.read() {
        let content = try Content(of: bytes)
        marks = try marks.taking(content.marks)
        read = content.machines
      }
    } catch {
      var trouble = "no machine counts as adopted: "
      if case .broken(let how) = error, let file {
        trouble += "\(file.path) \(how)"
        if !onlyLooks, let aside = try? file.setAside() { trouble += "; it is now \(aside)" }
      } else {
        trouble += "\(error)"
      }
      warn(trouble)
    }
    entries = read
    return read
  }

  /// Keeps a machine that a person has adopted.
  ///
  /// - Throws: if it can't be kept. Then it isn't adopted.
  package func adopt(_ machine: AdoptedMachine) throws(StateFileError) {
    var machines = recalled()
    machines.removeAll { $0.machine.isSame(as: machine) }
    machines = (machines + [Entry(machine: machine, since: now())]).suffix(Self.most)
    try write(machines)
  }

  /// Forgets the machines with this address or name.
  ///
  /// - Returns: those.
  /// - Throws: if the file can't be changed. Then they stay adopted.
  package func forget(
    _ isMeant: (AdoptedMachine) -> Bool
  ) throws(StateFileError) -> [AdoptedMachine] {
    let machines = recalled()
    let forgotten = machines.map(\.machine).filter(isMeant)
    if !forgotten.isEmpty { try write(machines.filter { !isMeant($0.machine) }) }
    return forgotten
  }

  private func write(_ machines: [Entry]) throws(StateFileError) {
    let content = Content(machines: machines, marks: marks)
    guard let text = try? JSONEncoding.file(content) else {
      preconditionFailure("an adopted machine can't be encoded")
    }
    try file?.write(text)
    entries = machines
  }

  // MARK: The file's form

  private struct Content: Codable, VersionedContent {
    static let version = 1
    var version: Int = Self.version
    var machines: [Entry]
    var marks: BoxMarks
  }

  /// A machine, and since when it is adopted.
  private struct Entry: Codable {
    var machine: AdoptedMachine
    var since: WallTime

    init(machine: AdoptedMachine, since: WallTime) {
      self.machine = machine
      self.since = since
    }

    private enum Key: CodingKey {
      case address, addressType, name, simulated, since
    }

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Key.self)
      guard
        let address = BluetoothAddress(try object.decode(String.self, forKey: .address)),
        let type = Device.AddressType(
          rawValue: try object.decode(String.self, forKey: .addressType)
        )
      else { throw StateFileError.broken("is damaged") }
      machine = AdoptedMachine(
        address: address,
        addressType: type,
        name: try object.decodeIfPresent(String.self, forKey: .name),
        isSimulated: try object.decode(Bool.self, forKey: .simulated)
      )
      since = try object.decode(WallTime.self, forKey: .since)
    }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      try object.encode("\(machine.address)", forKey: .address)
      try object.encode(machine.addressType.rawValue, forKey: .addressType)
      try object.encodeIfPresent(machine.name, forKey: .name)
      try object.encode(machine.isSimulated, forKey: .simulated)
      try object.encode(since, forKey: .since)
    }
  }
}
