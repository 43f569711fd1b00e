package import Clocks

/// Endless exponential back-off with jitter: 0.5, 1, 2, 4, 8, 16 s, then 30 s for ever.
///
/// A value: the random numbers come from the generator that the caller holds.
package struct BackOff: Hashable, Sendable {
  package static let initial = Duration.milliseconds(500)
  package static let cap = Duration.seconds(30)
  /// The most that jitter adds, in parts of the delay.
  package static let jitter = 0.2

  /// Failures since the last reset.
  package private(set) var attempts = 0

  package init() {}

  /// The delay before the next try.
  package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
    // 0.5 s doubled six times is over the cap; more doublings would overflow one day.
    let base = min(Self.initial * (1 << min(attempts, 6)), Self.cap)
    attempts += 1
    return base * Double.random(in: 1...(1 + Self.jitter), using: &generator)
  }

  package mutating func reset() {
    attempts = 0
  }
}

/// Counts Connect calls, so that no mixture of failures makes more of them than the law allows.
package struct ConnectBudget: Hashable, Sendable {
  /// At most so many Connects within so long.
  package static let limits: [(calls: Int, window: Duration)] = [
    (6, .seconds(30)), (16, .seconds(300)),
  ]

  // The most recent last; never more than the largest limit needs.
  private var calls: [MonotonicInstant] = []

  package init() {}

  package mutating func record(at now: MonotonicInstant) {
    calls.append(now)
    if calls.count > 16 { calls.removeFirst() }
  }

  /// The first instant at which another Connect is lawful.
  package func nextAllowed(at now: MonotonicInstant) -> MonotonicInstant {
    var allowed = now
    for limit in Self.limits where calls.count >= limit.calls {
      allowed = max(allowed, calls[calls.count - limit.calls].advanced(by: limit.window))
    }
    return allowed
  }

  package mutating func reset() {
    calls = []
  }
}
