package import Clocks

/// When a frame was taken, and whether it is still worth looking at.
package struct FrameTimes: Sendable {
  /// What is older is dropped: a player runs a metre in that time.
  package static let oldest = Duration.milliseconds(300)

  package enum Verdict: Hashable, Sendable {
    case fresh(MonotonicInstant)
    case tooOld
  }

  /// When no frame waited any more, for the last time.
  private var emptyAt: MonotonicInstant?

  package init() {}

  /// Judges the newest frame of those that waited, and remembers when that was.
  ///
  /// Without a usable stamp the frame gets this moment as its time. It came after the queue was
  /// last seen empty, so that tells how old it can be: a program that was stopped for seconds finds
  /// frames of its first moment. The first frame of all may be of any age.
  ///
  /// - Parameters:
  ///   - stamp: the driver's, if it is marked as monotonic. Some are in the future (vivid's up to
  ///     25 ms): then the time is now.
  ///   - isEmpty: whether nothing waits behind this frame.
  package mutating func judge(
    _ stamp: MonotonicInstant?,
    now: MonotonicInstant,
    isEmpty: Bool = true
  ) -> Verdict {
    let earliest = stamp ?? emptyAt
    if isEmpty { emptyAt = now }
    guard let earliest, earliest.duration(to: now) <= Self.oldest else { return .tooOld }
    return .fresh(stamp.map { min($0, now) } ?? now)
  }

  /// Nothing waited.
  package mutating func foundEmpty(at now: MonotonicInstant) { emptyAt = now }
}
