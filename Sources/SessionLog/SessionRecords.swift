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
package struct SessionRecord: Codable {
  package static let event = "session"
  /// The protocol's versions that can be read.
  package static let versions = 1...HelloRecord.protocolNumber

  var event = Self.event
  /// The version of the records. Logs of the first one have `version` in its place.
  var `protocol` = HelloRecord.protocolNumber
  /// When the session began, in seconds on the service's clock.
  var t: Double
  var time: String
  /// Which program wrote it, and its version.
  var program: String
  var session: Int
  var part: Int
  /// How many training sessions began in the parts before it; nil: none.
  package var armings: Int?
}

/// The wall clock has been set: what it showed before, and now.
struct ClockRecord: Encodable {
  var event = "clock"
  var t: Double
  var time: String
  var was: String
}

/// What is missing in the log.
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
  var code: Code
  /// The connection that sent them, where it is known.
  var connection: String?
  var positions: Int
  var records: Int
}
