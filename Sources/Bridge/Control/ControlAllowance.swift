import CourtLogic

/// How much a client may ask: so many requests at once, then so many a second. One that asks more
/// is read more slowly, and nobody else notices.
struct ControlAllowance {
  /// Requests a second, and at once after a rest. People need a few, a console's window ten.
  static let rate = 200.0

  private var left = rate
  private var last: MonotonicInstant

  init(at now: MonotonicInstant) {
    last = now
  }

  mutating func spend(_ lines: Int, at now: MonotonicInstant) {
    left = min(left + last.duration(to: now).seconds * Self.rate, Self.rate) - Double(lines)
    last = now
  }

  /// When the client is read again; nil: at any time.
  func pause(at now: MonotonicInstant) -> Duration? {
    let debt = -(left + last.duration(to: now).seconds * Self.rate)
    return debt > 0 ? .seconds(debt / Self.rate) : nil
  }
}
