package import Host
import StateFiles

/// The devices of which a person has said that they are our machines, in the file `adopted.json` of the
/// state directory.
///
/// A file that can't be read adopts nothing, and is set aside.
package actor AdoptedMachines {
  package static let fileName = "adopted.json"
  /// A club has a few machines. Beyond that the oldest is dropped.
  private static let most = 16

  private struct Content: Codable {
    var machines: [KnownMachine<AdoptedMachine>]
  }

  private let executor = LoopExecutor()
  private let file: KeptFile<Content>
  private let now: @Sendable () -> WallTime
  private var onlyLooks = false
  /// Nil until the file has been read.
  private var entries: [KnownMachine<AdoptedMachine>]?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - directory: nil adopts nothing, and keeps nothing.
  ///   - marks: of this box: machines stand beside one box, and a card may be copied.
  ///   - warn: is told, in a sentence without a full stop, what a technician should know.
  package init(
    in directory: StateDirectory?,
    marks: BoxMarks = BoxMarks(),
    warn: @escaping @Sendable (String) -> Void,
    now: @escaping @Sendable () -> WallTime = { WallTime() }
  ) {
    file = KeptFile(
      // A name may have 248 bytes, and twice as many as text of JSON.
      directory.map { StateFile(Self.fileName, in: $0, longest: 32_768) },
      marks: marks,
      needsMarks: true,
      loss: "no machine counts as adopted",
      warn: warn
    )
    self.now = now
  }

  /// All of them, the oldest first.
  ///
  /// - Parameter onlyLooking: changes no file; a broken one stays where it is.
  package func recall(onlyLooking: Bool = false) -> [AdoptedMachine] {
    onlyLooks = onlyLooks || onlyLooking
    return recalled().map(\.machine)
  }

  private func recalled() -> [KnownMachine<AdoptedMachine>] {
    if let entries { return entries }
    var read: [KnownMachine<AdoptedMachine>] = []
    if case .content(let content) = file.read(settingAside: !onlyLooks) { read = content.machines }
    entries = read
    return read
  }

  /// Keeps a machine that a person has adopted.
  ///
  /// - Throws: if it can't be kept. Then it isn't adopted.
  package func adopt(_ machine: AdoptedMachine) throws(StateFileError) {
    var machines = recalled()
    machines.removeAll { $0.machine.isSame(as: machine) }
    machines = (machines + [KnownMachine(machine, since: now())]).suffix(Self.most)
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

  private func write(_ machines: [KnownMachine<AdoptedMachine>]) throws(StateFileError) {
    try file.write(Content(machines: machines))
    entries = machines
  }
}
