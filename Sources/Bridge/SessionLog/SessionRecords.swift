import CourtLogic

/// A record as a line of the log.
enum RecordLine {
  /// With its end.
  static func of(_ record: some Encodable) -> [UInt8] {
    guard let data = try? RecordEncoding.line(record) else {
      preconditionFailure("a record can't be encoded")
    }
    return Array(data) + [UInt8(ascii: "\n")]
  }
}

/// What can be said of a session log's file: its first line.
struct SessionRecord: Codable {
  /// Of the log's form. It changes when a reader of this one would go wrong.
  static let version = 1
  static let event = "session"

  var event = Self.event
  var version = Self.version
  /// When the session began, in seconds on the service's clock.
  var t: Double
  var time: String
  /// Which program wrote it, and its version.
  var program: String
  var session: Int
  var part: Int
}

/// The clock on the wall has been set: what it showed before, and now.
struct ClockRecord: Encodable {
  var event = "clock"
  var t: Double
  var time: String
  var was: String
}

/// What the log doesn't have.
struct LossRecord: Encodable {
  enum Reason: String, Encodable {
    /// It was too slow or full.
    case disk
    /// The connection, or many together, sent more than is recorded.
    case tooMany
  }

  var event = "lost"
  var t: Double
  var time: String
  var reason: Reason
  /// Whose they were, where that is known.
  var connection: String?
  var positions: Int
  var records: Int
}
