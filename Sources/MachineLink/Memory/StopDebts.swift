package import Host
import StateFiles

/// The stop commands that are owed to machines, in the file `stop-owed.json` of the state directory.
///
/// A stop is owed from the first ball until the machine has acknowledged a stop command. The file tells
/// the next program, however this one ends: a power failure leaves it behind, too. The process that
/// has the directory alone writes it (``takeDirectory()``).
///
/// Writing waits for a disk, on a thread of its own. Nothing that is wrong with the file stops the
/// bridge; a warning says so.
package actor StopDebts {
  package static let fileName = "stop-owed.json"
  /// One bridge has a machine or two in its life. Beyond that the oldest entry is dropped.
  private static let most = 8

  private struct Content: Codable {
    var owed: [StopDebt]
  }

  private let executor = LoopExecutor()
  /// Nil where another bridge has the directory: then nothing is kept.
  private var file: KeptFile<Content>?
  private var lock: StateLock?
  package var isHeldElsewhere: Bool { file == nil }
  private let warn: @Sendable (String) -> Void
  private let now: @Sendable () -> WallTime
  /// Nil until the file has been read.
  private var debts: [StopDebt]?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - directory: nil keeps nothing.
  ///   - warn: is told, in a sentence without a full stop, what a technician should know.
  ///   - now: the wall clock.
  ///   - pause: how long after a failure the file is written again.
  package init(
    in directory: StateDirectory?,
    warn: @escaping @Sendable (String) -> Void,
    now: @escaping @Sendable () -> WallTime = { WallTime() },
    pause: Duration = WriteRetry.pause
  ) {
    file = KeptFile(
      directory.map { StateFile(Self.fileName, in: $0) },
      retry: WriteRetry(on: executor, after: pause),
      loss: "a stop command is assumed to be owed",
      warn: warn
    )
    self.warn = warn
    self.now = now
  }

  /// Locks the state directory until ``flushAtEnd()``, or the end of the process. A directory that
  /// can't be locked is used without; a warning says so.
  ///
  /// - Throws: if another bridge has it. Then nothing is kept.
  package func takeDirectory() throws(StateLockError) {
    guard lock == nil, let directory = file?.place?.directory else { return }
    do throws(StateLockError) { lock = try StateLock(of: directory) } catch {
      switch error {
      case .held:
        file = nil
        throw error
      // Whatever reads or writes there says so itself.
      case .file(.directory): break
      case .file: warn("another bridge is not kept from using the same directory: \(error)")
      }
    }
  }

  /// ``takeDirectory()`` for a stop, which goes out in any case and waits for no disk: returns at once.
  package nonisolated func tryToTakeDirectory() {
    executor.perform {
      self.assumeIsolated { debts in
        do throws(StateLockError) { try debts.takeDirectory() } catch {
          debts.warn("whether a stop command is owed is not kept: \(error)")
        }
      }
    }
  }

  /// What is owed. A file that can't be read may have told of a stop: then one is owed to the real
  /// machine, whichever that is.
  package func recall() -> [StopDebt] {
    if let debts { return debts }
    let read: [StopDebt] =
      switch file?.read() ?? .nothing {
      case .nothing: []
      case .content(let content): content.owed
      case .unreadable: [StopDebt(address: nil, isSimulated: false, since: now())]
      }
    debts = read
    return read
  }

  /// - Parameter machine: nil is owed nothing.
  package func isOwed(to machine: RememberedMachine?) -> Bool {
    guard let machine else { return false }
    return recall().contains { $0.isOwed(to: machine) }
  }

  /// Keeps whether a stop command is owed to the machine. Returns at once; what is told is kept in
  /// order.
  package nonisolated func keep(_ isOwed: Bool, to machine: RememberedMachine) {
    executor.perform { self.assumeIsolated { $0.change(isOwed, to: machine) } }
  }

  /// Returns when all is kept that was told before, as far as the disk takes it now.
  package func flush() { try? file?.flush() }

  /// ``flush()`` for a program that ends, which gives the directory back: a disk that does not answer
  /// within a second must not hold the machine's lock.
  package nonisolated func flushAtEnd() async {
    do { try await waiting(atMost: .seconds(1)) { await self.flushAndGiveBack() } } catch {
      warn(
        "the next start may not know whether a stop command is owed:"
          + " the disk of the state directory does not answer"
      )
    }
  }

  private func flushAndGiveBack() {
    flush()
    lock?.release()
    lock = nil
  }

  private func change(_ isOwed: Bool, to machine: RememberedMachine) {
    let before = recall()
    var debts = before
    if !isOwed {
      debts.removeAll { $0.isOwed(to: machine) }
    } else if !debts.contains(where: { $0.isOwed(to: machine) && !$0.isOfUnknownMachine }) {
      debts = (debts + [StopDebt(to: machine, since: now())]).suffix(Self.most)
    }
    guard debts != before else { return }
    self.debts = debts
    let content = debts.isEmpty ? nil : Content(owed: debts)
    do throws(StateFileError) { try file?.write(content) } catch {
      let what = isOwed ? "that a stop command is owed" : "that no stop command is owed any more"
      warn("the next start won't know \(what): \(error); it is tried again")
    }
  }
}
