import ControlProtocol
import Glibc
package import Host
import Safety

/// Serves the sockets that take stops: a client that sends a line stops the machine and gets the outcome
/// in a line. So does one that connects to the stop socket and ends; a machine's claim is also connected
/// to by programs that only ask who has it.
///
/// The sockets take no other requests, so that nothing delays a stop.
package actor StopLoop {
  /// Connections at once. A new one takes the place of one that has said nothing, or of the oldest.
  static let clientLimit = 64
  /// So many bytes are a stop, even without the end of a line.
  private static let longestLine = 1024
  /// Callers that are heard in a turn.
  private static let turnLength = 16

  /// A socket that takes stops.
  private struct Door {
    /// The claim of a machine goes when its link lets go of it.
    weak var listener: ListeningSocket?
    /// Keeps the listener.
    let kept: ListeningSocket?
    /// Whether a caller that sends no line stops nothing.
    let needsLine: Bool
  }

  private struct Caller {
    let number: Int
    let descriptor: FileDescriptor
    let needsLine: Bool
    var received = 0
    var hasAsked = false
    /// Whether the next outcome, of any stop, is its answer: no more stops may wait for theirs.
    var sharesOutcome = false
  }

  private nonisolated let executor: LoopExecutor
  /// The listeners by their number in the set of files; callers have numbers of the same series.
  private var doors: [Int: Door] = [:]
  private let files: FileSet
  private let actions: Actions
  /// Called with each stop, before it is carried out.
  private let stopCame: @Sendable () -> Void
  private var callers: [Caller] = []
  private var lastNumber = 0
  /// Stops that wait for their outcomes, also of callers that have left: ``clientLimit`` at most.
  private var stopsUnderWay = 0
  private var buffer = [UInt8](repeating: 0, count: longestLine)

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// What a stop does.
  package struct Actions: Sendable {
    /// Stops the machine, and answers with the outcome's line.
    package var stop: @Sendable () async -> [UInt8]
    /// Stops it without waiting for the outcome.
    package var beginStop: @Sendable () async -> Void
  }

  package init(
    executor: LoopExecutor = .ofProgram(),
    actions: Actions,
    stopCame: @escaping @Sendable () -> Void = {}
  ) throws(SystemError) {
    self.executor = executor
    self.actions = actions
    self.stopCame = stopCame
    files = try FileSet()
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter claims: the claims of the machines that this program writes to.
  package func run(_ claims: AsyncStream<MachineClaim>? = nil) async {
    let watch = executor.watch(files.descriptor.number, isUrgent: true) { [weak self] in
      self?.assumeIsolated { $0.turn(Self.turnLength) }
    }
    if let claims { for await claim in claims { listen(at: claim.listener, needsLine: true) } }
    await cancellation()
    withExtendedLifetime(watch) {}
    // Hear the callers that have already asked.
    turn(Self.clientLimit + 1)
    callers = []
  }

  private func turn(_ length: Int) {
    for (number, _) in files.ready(atMost: length) {
      if let door = doors[number] {
        acceptCallers(at: door)
      } else if let index = callers.firstIndex(where: { $0.number == number }) {
        listen(to: index)
      }
    }
  }

  private func listen(to index: Int) {
    let caller = callers[index]
    let count = read(caller.descriptor.number, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    if count <= 0, caller.needsLine, caller.received == 0 {
      files.remove(caller.descriptor)
      callers.remove(at: index)
      return
    }
    // A caller that goes without sending a line: when in doubt, stop.
    let isLine = count <= 0 || buffer.prefix(count).contains(UInt8(ascii: "\n"))
    callers[index].received += max(count, 0)
    if isLine || callers[index].received >= Self.longestLine { beginStop(for: index) }
  }

  private func beginStop(for index: Int) {
    let caller = callers[index]
    callers[index].hasAsked = true
    stopCame()
    files.remove(caller.descriptor)
    guard stopsUnderWay < Self.clientLimit else {
      callers[index].sharesOutcome = true
      Task(priority: .urgent) {
        await withTaskExecutorPreference(OneThread.tasks) { await actions.beginStop() }
      }
      return
    }
    stopsUnderWay += 1
    Task(priority: .urgent) {
      await withTaskExecutorPreference(OneThread.tasks) {
        let line = await actions.stop()
        stopsUnderWay -= 1
        answer(caller.number, line)
      }
    }
  }

  private func answer(_ number: Int, _ line: [UInt8]) {
    for caller in callers where caller.number == number || caller.sharesOutcome {
      var output = OutputBuffer()
      output.append(line: line)
      // It fits into the socket's empty buffer.
      _ = output.flush(to: caller.descriptor)
    }
    callers.removeAll { $0.number == number || $0.sharesOutcome }
  }

  // MARK: Newcomers

  /// Takes stops there, too.
  func listen(at listener: ListeningSocket) { listen(at: listener, needsLine: false) }

  private func listen(at listener: ListeningSocket, needsLine: Bool) {
    // Drop the doors that are gone, and the one that stood at the same path.
    doors = doors.filter { $0.value.listener != nil && $0.value.listener?.path != listener.path }
    lastNumber += 1
    doors[lastNumber] = Door(
      listener: listener,
      kept: needsLine ? nil : listener,
      needsLine: needsLine
    )
    _ = files.add(listener.descriptor, as: lastNumber)
  }

  private func acceptAgain() {
    for (number, door) in doors {
      if let listener = door.listener { _ = files.add(listener.descriptor, as: number) }
    }
  }

  private func acceptCallers(at door: Door) {
    guard let listener = door.listener else { return }
    for _ in 0..<Self.turnLength {
      do throws(SystemError) {
        guard let descriptor = try listener.accept() else { return }
        if callers.count == Self.clientLimit, !removeSilent() {
          // The stop that the oldest asked for goes on without it.
          callers.removeFirst()
        }
        lastNumber += 1
        callers.append(
          Caller(number: lastNumber, descriptor: descriptor, needsLine: door.needsLine)
        )
        // The system has no room to listen to it: when in doubt, stop.
        if !files.add(descriptor, as: lastNumber) { beginStop(for: callers.count - 1) }
      } catch {
        // A caller that has said nothing makes room for one that may.
        guard !removeSilent() else { continue }
        files.remove(listener.descriptor)
        executor.perform(after: ListeningSocket.pause) { [weak self] in
          self?.assumeIsolated { $0.acceptAgain() }
        }
        return
      }
    }
  }

  /// - Returns: false where all have asked.
  private func removeSilent() -> Bool {
    for number in callers.filter({ !$0.hasAsked }).map(\.number) {
      // It may have sent a stop that has not been read yet, or may have gone.
      if let index = callers.firstIndex(where: { $0.number == number }) { listen(to: index) }
      guard let index = callers.firstIndex(where: { $0.number == number }) else { return true }
      guard callers[index].hasAsked else {
        callers.remove(at: index)
        return true
      }
    }
    return false
  }
}
