/// What a person sets about the session log.
package struct LogOptions: Hashable, Sendable {
  /// The bytes that all session logs together may have.
  package static let sizes = 1 << 20...1 << 40

  /// Where the logs are; nil: ``SessionDirectory/name`` in the state directory.
  package var directory: String?
  /// The most bytes of all logs together, within ``sizes``: the oldest files make room. By default
  /// 256 MiB, 24 hours of a camera's 30 positions a second.
  package var totalSize = 256 << 20
  /// Of one source, the positions a second that are kept, 1…1000; nil: all. The decisions of a
  /// thinned log can differ from the session's.
  package var positionsPerSecond: Int?
  /// Whether there is a `…-player_positions.csv` beside each log, in the form of the phone app.
  package var writesPlayerPositions = false

  package init() {}
}
