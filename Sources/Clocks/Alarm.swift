/// Wakes its owner at the earliest of the instants for which it was set. The owner then does what is
/// due, and sets it again.
package struct Alarm: Sendable {
  private var waiting: (instant: MonotonicInstant, task: Task<Void, Never>)?

  private let executor: (any TaskExecutor)?

  /// - Parameter executor: what the task prefers that waits and rings.
  package init(on executor: (any TaskExecutor)?) { self.executor = executor }

  /// Has it ring no later than at this instant.
  ///
  /// One that is set for earlier stays, even if nothing is due then: a wake-up now and then costs less
  /// than a new task for each change.
  ///
  /// - Parameters:
  ///   - tolerance: how much later it may ring; nil leaves it to the clock.
  ///   - ring: is called with the instant, for ``takeRing(at:)``.
  package mutating func set(
    noLaterThan instant: MonotonicInstant,
    on clock: any MonotonicClock,
    tolerance: Duration?,
    ring: @escaping @Sendable (MonotonicInstant) async -> Void
  ) {
    if let waiting, waiting.instant <= instant { return }
    waiting?.task.cancel()
    // It sleeps when this returns. It is not as urgent as a stop that sets it.
    let task = Task.immediate(priority: .medium, executorPreference: executor) {
      guard (try? await clock.wait(until: instant, tolerance: tolerance)) != nil else { return }
      await ring(instant)
    }
    waiting = (instant, task)
  }

  /// - Returns: false if the alarm was cancelled, or set to another instant, before this ring.
  package mutating func takeRing(at instant: MonotonicInstant) -> Bool {
    guard waiting?.instant == instant else { return false }
    waiting = nil
    return true
  }

  package mutating func cancel() {
    waiting?.task.cancel()
    waiting = nil
  }
}
