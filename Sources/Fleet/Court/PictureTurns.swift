package import Clocks

/// When a picture may be taken for those who ask: one at a time, and one each 5 s.
///
/// A request that comes sooner is answered by the picture before it, or the one on its way.
package struct PictureTurns: Hashable, Sendable {
  package static let pause = Duration.seconds(5)

  private var isTaking = false
  private var last: MonotonicInstant?

  package init() {}

  /// - Returns: whether to take one now; then ``end()`` follows.
  package mutating func begin(at now: MonotonicInstant) -> Bool {
    if let last, last.duration(to: now) < Self.pause { return false }
    guard !isTaking else { return false }
    (isTaking, last) = (true, now)
    return true
  }

  /// It was taken, or there is none.
  package mutating func end() { isTaking = false }
}
