/// One sleep of a task, by the timers of an ``EventLoop``.
final class Nap: Sendable {
  private typealias Sleeper = CheckedContinuation<Void, any Error>

  private enum State: Sendable {
    case ready
    case asleep(Sleeper, TimerList<EventLoop.Work>.Number)
    case over
  }

  private let loop: EventLoop
  private let state = Locked(State.ready)

  init(_ loop: EventLoop) { self.loop = loop }

  /// Returns at the deadline, or when the task is cancelled. Once only.
  ///
  /// - Parameter deadline: in nanoseconds of `CLOCK_BOOTTIME`.
  /// - Throws: `CancellationError`.
  func sleep(until deadline: Int64) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { begin($0, until: deadline) }
    } onCancel: {
      guard let (sleeper, timer) = end() else { return }
      loop.drop(timer)
      sleeper.resume(throwing: CancellationError())
    }
  }

  private func begin(_ sleeper: Sleeper, until deadline: Int64) {
    let isCancelled = state.withLock { state in
      guard case .ready = state else { return true }
      let timer = loop.perform(.call({ self.end()?.sleeper.resume() }), at: deadline)
      state = .asleep(sleeper, timer)
      return false
    }
    if isCancelled { sleeper.resume(throwing: CancellationError()) }
  }

  private func end() -> (sleeper: Sleeper, timer: TimerList<EventLoop.Work>.Number)? {
    state.withLock { state in
      defer { state = .over }
      guard case .asleep(let sleeper, let timer) = state else { return nil }
      return (sleeper, timer)
    }
  }
}
