/// What real pictures have, and a rendered one hasn't. Each can be laid over any ``Setting``.
package enum Spoiling: String, CaseIterable, Sendable {
  /// Compressed as JPEG, to little quality.
  case jpeg
  /// The lens is out of focus, or dirty.
  case blur
  /// Made smaller, and larger again.
  case rescaled
  /// As a video encoder with too few bits leaves it: blocks that have hardly changed stay as they
  /// were, the others are coarse. It stands in for H.264, which needs a program for it.
  case blocks
  /// Lamps flicker with the mains, and the sensor reads one row after the other: bright and dark
  /// bands move over the picture.
  case lamps
  /// Two people play on the next court.
  case neighbours
  /// A scoreboard, a clock, and the ball's trail are drawn into the picture.
  case overlays
  /// A low sun in a clear sky: shadows are long and dark.
  case hardSun = "hard-sun"
}
