import Clocks

/// How often something arrives, and how late, over the last 2 to 4 s: two counters, however often.
struct RecentArrivals: Sendable {
  /// How long a part lasts: this and the one before it count.
  static let span = Duration.seconds(2)
  /// Nothing can be said of the frequency before.
  private static let leastTime = Duration.seconds(1)

  private struct Part {
    var start: MonotonicInstant
    var count = 0
    var greatestDelay: Duration?
  }

  private var former: Part?
  private var present: Part

  /// The first has arrived. It counts for no time: the intervals between arrivals are counted.
  init(at now: MonotonicInstant, delay: Duration?) {
    present = Part(start: now, greatestDelay: delay)
  }

  mutating func add(at now: MonotonicInstant, delay: Duration?) {
    advance(to: now)
    present.count += 1
    guard let delay else { return }
    present.greatestDelay = max(present.greatestDelay ?? delay, delay)
  }

  /// How many a second; nil as long as that can't be said.
  func perSecond(at now: MonotonicInstant) -> Double? {
    let parts = parts(at: now)
    let time = parts[0].start.duration(to: now)
    guard time >= Self.leastTime else { return nil }
    return Double(parts.reduce(0) { $0 + $1.count }) / time.seconds
  }

  /// Nil where no delay is known.
  func greatestDelay(at now: MonotonicInstant) -> Duration? {
    parts(at: now).compactMap(\.greatestDelay).max()
  }

  /// The earliest first.
  private func parts(at now: MonotonicInstant) -> [Part] {
    var later = self
    later.advance(to: now)
    return [later.former, later.present].compactMap(\.self)
  }

  private mutating func advance(to now: MonotonicInstant) {
    let time = present.start.duration(to: now)
    guard time >= Self.span else { return }
    let spans = Int(time / Self.span)
    let start = present.start.advanced(by: Self.span * spans)
    former = spans == 1 ? present : Part(start: start.advanced(by: .zero - Self.span))
    present = Part(start: start)
  }
}
