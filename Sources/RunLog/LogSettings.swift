/// What a person sets about the run log.
package struct LogSettings: Hashable, Sendable {
  /// The bytes that all run logs together may have.
  package static let sizes = 1_000_000...1_000_000_000_000

  /// Where the logs are; nil: `sessions` in the state directory.
  package var directory: String?
  /// The most bytes of all logs together, within ``sizes``: the oldest files make room, their
  /// positions first. The default has 60 hours of a camera's 30 positions a second (76 bytes each).
  package var totalSize = 500_000_000
  /// The least time between two kept positions of one source; zero: all are kept. The decisions of
  /// a thinned log can differ from the run's.
  package var positionInterval = Duration.zero
  /// Whether there is a `…-player_positions.csv` beside each log, in the form of the phone app.
  package var writesPlayerPositions = false

  package init() {}
}
