import Clocks
import CourtLogic

/// Positions as the log's lines: an ``EventRecord`` without `time`. They are encoded by
/// hand, because 120 a second of several feeders must cost nothing noticeable.
///
/// Coordinates are not rounded, so that a replay decides as the run did.
struct PositionLines: Sendable {
  /// The sources whose beginnings of lines are kept at a time.
  static let mostSources = 64

  private struct Words: Encodable {
    var connection: String
    var event = "position"
    var id: String?
  }

  private var beginnings: [SourceID: [UInt8]] = [:]

  /// Adds the position's line.
  mutating func append(
    _ position: PlayerPosition,
    from source: SourceID,
    at instant: MonotonicInstant,
    to lines: inout [UInt8]
  ) {
    lines += beginning(of: source)
    Self.append(instant, to: &lines)
    lines += #","x":\#(position.x),"y":\#(position.y)"#.utf8
    if let confidence = position.confidence { lines += #","confidence":\#(confidence)"#.utf8 }
    lines += "}\n".utf8
  }

  /// The constant beginning of a source's lines, up to the time.
  private mutating func beginning(of source: SourceID) -> [UInt8] {
    if let words = beginnings[source] { return words }
    if beginnings.count >= Self.mostSources { beginnings = [:] }
    let words = Words(connection: source.connection, id: source.id)
    let line = RecordLine.of(words).dropLast(2) + Array(#","t":"#.utf8)
    beginnings[source] = Array(line)
    return Array(line)
  }

  /// Writes the time in seconds, to the microsecond.
  private static func append(_ instant: MonotonicInstant, to line: inout [UInt8]) {
    let (seconds, attoseconds) = instant.sinceStart.components
    let microseconds = 1_000_000 + attoseconds / 1_000_000_000_000
    line += "\(seconds).".utf8
    line += "\(microseconds)".utf8.dropFirst()
  }
}
