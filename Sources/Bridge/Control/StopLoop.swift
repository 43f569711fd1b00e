import Glibc
import Host
import MachineLink
import Safety

/// Serves the stop socket: a client that sends a line, or connects and ends, stops the machine and
/// gets the outcome in a line.
///
/// The socket takes no other requests, so that nothing delays a stop.
actor StopLoop {
  /// Connections at once. A new one takes the place of one that has said nothing, or of the oldest.
  static let clientLimit = 64
  /// So many bytes are a stop, even without the end of a line.
  private static let longestLine = 1024
  private static let acceptPause = Duration.seconds(1)
  /// Callers that are heard in a turn.
  private static let turnLength = 16
  /// What the set of files calls the listener; callers count from 1.
  private static let newcomers = 0

  private struct Caller {
    let number: Int
    let descriptor: FileDescriptor
    var received = 0
    var hasAsked = false
    /// Whether the next outcome, of any stop, is its answer: no more stops may wait for theirs.
    var sharesOutcome = false
  }

  private nonisolated let executor: LoopExecutor
  private let listener: ListeningSocket
  private let files: FileSet
  private let service: any ControlledService
  private let texts: ControlTexts
  /// Called with each stop, before it is carried out.
  private let stopCame: @Sendable () -> Void
  private var callers: [Caller] = []
  private var lastNumber = 0
  /// Stops that wait for their outcomes, also of callers that have left: ``clientLimit`` at most.
  private var stopsUnderWay = 0
  private var buffer = [UInt8](repeating: 0, count: longestLine)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    listener: ListeningSocket,
    executor: LoopExecutor,
    service: any ControlledService,
    texts: ControlTexts,
    stopCame: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.listener = listener
    self.executor = executor
    self.service = service
    self.texts = texts
    self.stopCame = stopCame
    files = try FileSet()
  }

  /// Serves until the task is cancelled.
  func run() async {
    accepts()
    let watch = executor.watch(files.descriptor.number, isUrgent: true) { [weak self] in
      self?.assumeIsolated { $0.turn(Self.turnLength) }
    }
    await cancellation()
    withExtendedLifetime(watch) {}
    // Hear the callers that have already asked.
    turn(Self.clientLimit + 1)
    callers = []
  }

  private func turn(_ length: Int) {
    for (number, _) in files.ready(atMost: length) {
      if number == Self.newcomers {
        acceptCallers()
      } else if let index = callers.firstIndex(where: { $0.number == number }) {
        listen(to: index)
      }
    }
  }

  private func listen(to index: Int) {
    let caller = callers[index]
    let count = read(caller.descriptor.number, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
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
      Task(priority: .urgent) { await service.beginStop() }
      return
    }
    stopsUnderWay += 1
    Task(priority: .urgent) {
      let reply = await service.perform(.stop)
      let mode = await service.snapshot.link.mode
      stopsUnderWay -= 1
      answer(caller.number, texts.stopLine(reply, mode: mode))
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

  private func accepts() { _ = files.add(listener.descriptor, as: Self.newcomers) }

  private func acceptCallers() {
    for _ in 0..<Self.turnLength {
      do throws(SystemError) {
        guard let descriptor = try listener.accept() else { return }
        if callers.count == Self.clientLimit, !removeSilent() {
          // The stop that the oldest asked for goes on without it.
          callers.removeFirst()
        }
        lastNumber += 1
        callers.append(Caller(number: lastNumber, descriptor: descriptor))
        // The system has no room to listen to it: when in doubt, stop.
        if !files.add(descriptor, as: lastNumber) { beginStop(for: callers.count - 1) }
      } catch {
        // A caller that has said nothing makes room for one that may.
        guard !removeSilent() else { continue }
        files.remove(listener.descriptor)
        executor.perform(after: Self.acceptPause) { [weak self] in
          self?.assumeIsolated { $0.accepts() }
        }
        return
      }
    }
  }

  /// - Returns: false where all have asked.
  private func removeSilent() -> Bool {
    for index in callers.indices where !callers[index].hasAsked {
      // It may have sent a stop that has not been read yet.
      listen(to: index)
      guard callers[index].hasAsked else {
        callers.remove(at: index)
        return true
      }
    }
    return false
  }
}
