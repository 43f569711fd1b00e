import CourtLogic
import Positions

/// What the times of a recorded file look like, where seconds would make no sense of them.
package enum TimeGuess: Hashable, Sendable {
  /// Numbers of pictures: whole, one apart, and with too little movement for a second each.
  case frames
  /// Milliseconds: as seconds, the steps would be too long.
  case milliseconds

  /// Fewer times show nothing.
  private static let least = 5
  /// Seconds since 1970 and dates are far beyond, numbers of pictures far below.
  private static let mostFrames = Duration.seconds(10_000_000)
  /// The usual step of milliseconds, read as seconds: from 200 positions a second to one.
  private static let steps = Duration.seconds(5)...Duration.seconds(1000)
  /// In metres: in a rally, a player moves farther in a second, and less from picture to picture.
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
    let strides = pairs.map { $0.position.distance(to: $1.position) }.sorted()
    guard areWhole, gap == .seconds(1), strides[strides.count * 9 / 10] < Self.stride else {
      return nil
    }
    self = .frames
  }
}
