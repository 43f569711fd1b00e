package import Clocks

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
