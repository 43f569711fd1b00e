package import Clocks
import Foundation

/// A clock that stands still until a test advances it.
///
/// `advance` wakes the sleepers in the order of their deadlines. A test that must not run ahead of
/// the code under test awaits ``sleepers(atLeast:)`` first.
///
/// `@unchecked Sendable`: all that changes is behind `lock`, and only `withLock` touches it. The
/// lock is pthread's, since ThreadSanitizer does not know the one of `Synchronization`.
package final class ManualClock: MonotonicClock, @unchecked Sendable {
  private struct Sleeper {
    var deadline: MonotonicInstant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct Observer {
    var count: Int
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now: MonotonicInstant
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var observers: [Observer] = []
    var activity = 0

    mutating func satisfiedObservers() -> [CheckedContinuation<Void, Never>] {
      let satisfied = observers.filter { sleepers.count >= $0.count }
      observers.removeAll { sleepers.count >= $0.count }
      return satisfied.map(\.continuation)
    }
  }

  private let lock = NSLock()
  private var state: State

  package init(start: MonotonicInstant = .start) {
    state = State(now: start)
  }

  private func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    lock.withLock { body(&state) }
  }

  package var now: MonotonicInstant { withLock(\.now) }

  package var minimumResolution: Duration { .zero }

  /// The first moment for which somebody sleeps.
  package var nextDeadline: MonotonicInstant? {
    withLock { $0.sleepers.values.map(\.deadline).min() }
  }

  /// Changes whenever somebody begins to sleep, or is woken before the time.
  package var activity: Int { withLock(\.activity) }

  package func sleep(until deadline: MonotonicInstant, tolerance: Duration?) async throws {
    try await wait(until: deadline, tolerance: tolerance)
  }

  package func wait(until deadline: MonotonicInstant, tolerance: Duration?) async throws {
    let id = withLock { state in
      state.nextID += 1
      return state.nextID
    }
    // Cancelled just after it was woken, it would be remembered for ever.
    defer { withLock { _ = $0.cancelled.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        var observers: [CheckedContinuation<Void, Never>] = []
        let outcome: Result<Void, any Error>? = withLock { state in
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          state.activity += 1
          if deadline <= state.now { return .success(()) }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          observers = state.satisfiedObservers()
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
        for observer in observers { observer.resume() }
      }
    } onCancel: {
      let sleeper = withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: id)
        if sleeper == nil { state.cancelled.insert(id) } else { state.activity += 1 }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves the clock and wakes whoever's deadline has come.
  package func advance(by duration: Duration) {
    let due = withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Returns as soon as at least `count` tasks sleep on this clock.
  package func sleepers(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let satisfied = withLock { state in
        if state.sleepers.count >= count { return true }
        state.observers.append(Observer(count: count, continuation: continuation))
        return false
      }
      if satisfied { continuation.resume() }
    }
  }
}
