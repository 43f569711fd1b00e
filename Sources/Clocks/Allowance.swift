/// A token bucket: so much at once, then so much a second. An instant before the last one counts as
/// the last one.
package struct Allowance: Sendable {
  private let rate: Double
  private let most: Double
  private var left: Double
  /// When it was last asked or spent.
  package private(set) var last = MonotonicInstant.start

  /// - Parameters:
  ///   - rate: a second.
  ///   - most: at once, at the beginning and after a rest; nil: what comes in a second.
  package init(_ rate: Double, most: Double? = nil) {
    self.rate = rate
    self.most = most ?? rate
    left = self.most
  }

  package func left(at now: MonotonicInstant) -> Double {
    min(left + max(last.duration(to: now), .zero).seconds * rate, most)
  }

  /// Spends more than is left, too.
  package mutating func spend(_ amount: Double, at now: MonotonicInstant) {
    left = left(at: now) - amount
    last = max(last, now)
  }

  /// Spends one, if it is left.
  package mutating func take(at now: MonotonicInstant) -> Bool {
    let isLeft = left(at: now) >= 1
    spend(isLeft ? 1 : 0, at: now)
    return isLeft
  }

  /// How long until nothing is owed; nil: nothing is.
  package func pause(at now: MonotonicInstant) -> Duration? {
    let debt = -left(at: now)
    return debt > 0 ? .seconds(debt / rate) : nil
  }
}
