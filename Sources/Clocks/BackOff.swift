/// Endless exponential back-off with jitter: the delay doubles, up to a cap, for ever.
///
/// A value: the random numbers come from the generator that the caller holds.
package struct BackOff: Hashable, Sendable {
  private let initial: Duration
  private let cap: Duration
  private let jitter: Double

  /// Failures since the last reset.
  package private(set) var attempts = 0

  /// - Parameter jitter: the most that it adds, in parts of the delay.
  package init(from initial: Duration, to cap: Duration, jitter: Double) {
    self.initial = initial
    self.cap = cap
    self.jitter = jitter
  }

  /// The delay before the next try.
  package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
    // More doublings would overflow one day.
    let base = min(initial * (1 << min(attempts, 16)), cap)
    attempts += 1
    return base * Double.random(in: 1...(1 + jitter), using: &generator)
  }

  package mutating func reset() {
    attempts = 0
  }
}
