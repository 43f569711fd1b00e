import Clocks

/// A client's allowance of something: so much at once, then so much a second. A client that wants
/// more waits; the other clients do not notice.
struct ControlAllowance {
  /// Requests that are carried out a second, and at once after a rest. People need a few, a
  /// console's window ten.
  static let requests = 200.0
  /// Bytes that are read a second, and at once after a rest. Few enough for the slowest box, and
  /// enough to find a stop behind a full socket buffer of requests (208 kB on Linux) within a
  /// second.
  static let bytes = 131_072.0

  private let rate: Double
  private var left: Double
  private var last: MonotonicInstant

  init(_ rate: Double, at now: MonotonicInstant) {
    self.rate = rate
    left = rate
    last = now
  }

  mutating func spend(_ amount: Int, at now: MonotonicInstant) {
    left = min(left + last.duration(to: now).seconds * rate, rate) - Double(amount)
    last = now
  }

  /// When the client may have more; nil: now.
  func pause(at now: MonotonicInstant) -> Duration? {
    let debt = -(left + last.duration(to: now).seconds * rate)
    return debt > 0 ? .seconds(debt / rate) : nil
  }
}
