package import Host
import StateFiles

/// The machines of earlier good links, in the file `machine.json` of the state directory.
///
/// Nothing that is wrong with the file or its directory stops the bridge: it then knows no machine,
/// or the next run won't, and a warning says so.
package actor MachineMemory {
  package static let fileName = "machine.json"

  private let executor = LoopExecutor()
  private let file: KeptFile<Content>
  private let warn: @Sendable (String) -> Void
  private let now: @Sendable () -> WallTime
  /// At most one real machine and one simulated.
  private var entries: [KnownMachine<RememberedMachine>] = []
  private var hasComplained = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameter warn: is told, in a sentence without a full stop, what a technician should know.
  package init(warn: @escaping @Sendable (String) -> Void) {
    do throws(StateDirectoryError) {
      self.init(in: try StateDirectory(), warn: warn)
    } catch {
      self.init(in: nil, warn: warn)
      warn("no machine will be remembered: \(error)")
    }
  }

  /// - Parameters:
  ///   - directory: nil remembers nothing.
  ///   - marks: of this box: a machine stands beside one box.
  ///   - now: the wall clock.
  ///   - pause: how long after a failure the file is written again.
  package init(
    in directory: StateDirectory?,
    marks: BoxMarks = BoxMarks(),
    warn: @escaping @Sendable (String) -> Void,
    now: @escaping @Sendable () -> WallTime = { WallTime() },
    pause: Duration = WriteRetry.pause
  ) {
    file = KeptFile(
      directory.map { StateFile(Self.fileName, in: $0) },
      marks: marks,
      retry: WriteRetry(on: executor, after: pause),
      loss: "no machine is remembered",
      warn: warn
    )
    self.warn = warn
    self.now = now
  }

  /// Changes no file from now on.
  package func onlyLook() { file.onlyLook() }

  /// The machines that the file tells of. A broken file is set aside.
  ///
  /// - Parameter onlyLooking: as ``onlyLook()``; a broken file stays where it is.
  package func recall(onlyLooking: Bool = false) -> [RememberedMachine] {
    if onlyLooking { onlyLook() }
    if case .content(let content) = file.read(settingAside: true) { entries = content.machines }
    return entries.map(\.machine)
  }

  /// Keeps a machine whose link has proved good, in place of the last one of its kind. Writes only
  /// what is new, or could not be written before.
  package func keep(_ machine: RememberedMachine?) {
    do throws(StateFileError) {
      guard let machine, !entries.contains(where: { $0.machine == machine }) else {
        return try file.flush()
      }
      entries.removeAll { $0.machine.isSimulated == machine.isSimulated }
      entries.append(KnownMachine(machine, since: now()))
      try file.write(Content(machines: entries))
    } catch {
      if !hasComplained { warn("the machine won't be remembered: \(error); it is tried again") }
      hasComplained = true
    }
  }

  /// Keeps what the link proves good, until it has ended or the task is cancelled.
  package nonisolated func follow(_ link: BallMachineLink) async {
    for await status in await link.statuses() { await keep(status.proven) }
  }

  /// ``keep(_:)`` for a program that ends: a disk that does not answer within a second must not hold
  /// the machine's lock.
  package nonisolated func keepAtEnd(_ machine: RememberedMachine?) async {
    do { try await waiting(atMost: .seconds(1)) { await self.keep(machine) } } catch {
      warn("the machine may not be remembered: the disk of the state directory does not answer")
    }
  }

  /// Forgets all machines, and the file.
  package func forget() {
    entries = []
    guard !file.onlyLooks else {
      return warn("the remembered machine was not removed: it is another bridge's")
    }
    do throws(StateFileError) { try file.write(nil) } catch {
      warn("the remembered machine was not removed: \(error)")
    }
  }

  fileprivate struct Content: Codable {
    var machines: [KnownMachine<RememberedMachine>]
  }
}

extension MachineMemory.Content {
  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    machines = try object.decode([KnownMachine<RememberedMachine>].self, forKey: .machines)
    guard Set(machines.map(\.machine.isSimulated)).count == machines.count else {
      throw StateFileError.broken("lists too many machines")
    }
  }
}
