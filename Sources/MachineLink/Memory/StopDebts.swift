package import Host
import JSON

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

  private struct Content: Codable, VersionedContent {
    static let version = 1
    var version: Int = Self.version
    var owed: [StopDebt]
  }

  private let executor = LoopExecutor()
  /// Nil keeps nothing.
  private var file: StateFile?
  private var lock: StateLock?
  /// Whether another bridge has the directory: then nothing is kept.
  package private(set) var isHeldElsewhere = false
  private let warn: @Sendable (String) -> Void
  private let now: @Sendable () -> WallTime
  /// Nil until the file has been read.
  private var debts: [StopDebt]?
  /// Whether the file can't be used, and is set aside before the next one is written.
  private var isBroken = false
  /// Whether the file lacks what is known: writing it is tried again.
  private var isUnkept = false
  private let retry: WriteRetry

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
    retry = WriteRetry(on: executor, after: pause)
    file = directory.map { StateFile(Self.fileName, in: $0) }
    self.warn = warn
    self.now = now
  }

  /// Locks the state directory until ``flushAtEnd()``, or the end of the process. A directory that
  /// can't be locked is used without; a warning says so.
  ///
  /// - Throws: if another bridge has it. Then nothing is kept.
  package func takeDirectory() throws(StateLockError) {
    guard lock == nil, let directory = file?.directory else { return }
    do throws(StateLockError) { lock = try StateLock(of: directory) } catch {
      switch error {
      case .held:
        file = nil
        isHeldElsewhere = true
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
    let read: [StopDebt]
    do throws(StateFileError) {
      read = try file?.read().map(Content.init(of:))?.owed ?? []
    } catch {
      let path = file?.path ?? Self.fileName
      let trouble: String
      switch error {
      case .broken(let how):
        isBroken = true
        trouble = "\(path) \(how)"
      case .directory, .system: trouble = "\(error)"
      }
      warn("\(trouble): a stop command is assumed to be owed")
      read = [StopDebt(address: nil, isSimulated: false, since: now())]
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
  package func flush() { saveAgain() }

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
    do throws(StateFileError) { try save(debts) } catch {
      let what = isOwed ? "that a stop command is owed" : "that no stop command is owed any more"
      warn("the next start won't know \(what): \(error); it is tried again")
    }
  }

  private func save(_ debts: [StopDebt]) throws(StateFileError) {
    do throws(StateFileError) {
      try write(debts)
      isUnkept = false
    } catch {
      isUnkept = true
      retry.schedule { [weak self] in self?.assumeIsolated { $0.saveAgain() } }
      throw error
    }
  }

  /// Writes again, without a warning: ``change(_:to:)`` gave it.
  private func saveAgain() {
    if isUnkept, let debts { try? save(debts) }
  }

  private func write(_ debts: [StopDebt]) throws(StateFileError) {
    guard let file else { return }
    if isBroken { warn(file.makeWay()) }
    isBroken = false
    guard !debts.isEmpty else { return try file.remove() }
    let content = Content(owed: debts)
    guard let text = try? JSONEncoding.file(content) else {
      preconditionFailure("a debt can't be encoded")
    }
    try file.write(text)
  }
}
