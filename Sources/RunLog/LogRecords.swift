import ControlProtocol
import JSON

/// A record as a line of the log.
enum RecordLine {
  /// A record as a line, with its end.
  static func of(_ record: some Encodable) -> [UInt8] {
    guard let line = try? JSONEncoding.line(record) else {
      preconditionFailure("a record can't be encoded")
    }
    return line + [UInt8(ascii: "\n")]
  }
}

/// The first line of a session log's file, which describes it.
package struct RunRecord: Codable {
  package static let event = "session"
  /// The protocol's versions that can be read.
  package static let versions = 1...HelloRecord.protocolNumber

  var event = Self.event
  /// The version of the records, now 2. Logs of the first one have `version` in its place.
  var `protocol` = HelloRecord.protocolNumber
  /// When the run began, in seconds on the service's clock.
  var t: Double
  var time: String
  /// Which program wrote it, and its version.
  var program: String
  /// The run's number.
  var session: Int
  /// Which part of the run's log it is, from 1.
  var part: Count
  /// How many training sessions began in the parts before this one; nil: none.
  package var armings: Int?
}

/// The wall clock was set.
struct ClockRecord: Encodable {
  var event = "clock"
  var t: Double
  /// What it shows now.
  var time: String
  /// What it showed before.
  var was: String
}

/// What is missing here in a session log.
struct LossRecord: Encodable {
  enum Code: String, Encodable {
    /// The disk was too slow or full.
    case disk
    /// The connection, or many together, sent more than is recorded.
    case tooMany
  }

  var event = "lost"
  var t: Double
  var time: String
  /// One of `disk` (it was full or too slow) and `tooMany` (the connection, or many together where it is
  /// absent, sent more than is recorded: in a second 250 positions of the player, 150 of all other sources
  /// together, and 10 other records of feeders).
  var code: Code
  /// The connection that sent them; nil where it is not known.
  var connection: String?
  /// How many positions are missing.
  var positions: Total
  /// How many other records are missing.
  var records: Total
}
