import CourtLogic
import Positions

/// What the times of a recorded file look like, where seconds would make no sense of them.
package enum TimeGuess: Hashable, Sendable {
  /// Whole numbers one after the other, and nobody moves in a second.
  case frames
  /// Seconds between positions that should be a few hundredths.
  case milliseconds

  /// Fewer times show nothing.
  private static let least = 5
  /// Seconds since 1970 and dates are far beyond, numbers of pictures far below.
  private static let mostFrames = Duration.seconds(10_000_000)
  /// In seconds: a detector that says more is one of 200 pictures a second or fewer, and one that says less has
  /// found nobody for most of the time.
  private static let steps = Duration.seconds(5)...Duration.seconds(1000)
  /// In metres: so far a player goes in a second of a rally, and not in a thirtieth.
  private static let stride = 0.4

  /// - Returns: nil where seconds make sense, or too little is known.
  init?(_ times: [(time: Duration, position: PlayerPosition)]) {
    let first = times.prefix(FrameGuess.evidence)
    guard first.count >= Self.least, let start = first.first?.time, start < Self.mostFrames else {
      return nil
    }
    let pairs = zip(first, first.dropFirst()).filter { $0.time < $1.time }
    let gaps = pairs.map { $1.time - $0.time }.sorted()
    guard gaps.count >= Self.least - 1 else { return nil }
    let gap = gaps[gaps.count / 2]
    if Self.steps.contains(gap) {
      self = .milliseconds
      return
    }
    let areWhole = first.allSatisfy { $0.time.components.attoseconds == 0 }
    let strides = pairs.map { pair in
      let (from, to) = (pair.0.position, pair.1.position)
      return ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
    }.sorted()
    guard areWhole, gap == .seconds(1), strides[strides.count * 9 / 10] < Self.stride else {
      return nil
    }
    self = .frames
  }
}
