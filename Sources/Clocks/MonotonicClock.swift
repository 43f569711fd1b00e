/// A clock of ``MonotonicInstant``s: what every part that waits or tells the time is given.
package protocol MonotonicClock: Clock, Sendable where Instant == MonotonicInstant {
  /// Sleeps like `sleep(until:tolerance:)`, without leaving the caller's executor first.
  func wait(until deadline: MonotonicInstant, tolerance: Duration?) async throws
}

extension MonotonicClock {
  package func wait(until deadline: MonotonicInstant, tolerance: Duration?) async throws {
    try await sleep(until: deadline, tolerance: tolerance)
  }

  /// Sleeps like the standard library's clock, without leaving the caller's executor first.
  package func sleep(for duration: Duration) async throws {
    try await wait(until: now.advanced(by: duration), tolerance: nil)
  }
}
