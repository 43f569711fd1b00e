import ControlProtocol
import CourtLogic
import Host
import JSON
import SessionLog

/// What a line of a session log means for a summary.
enum LogLine {
  /// With the version of its records, and the training sessions that began in the parts before.
  case session(version: Int, armings: Int)
  case safety(SafetyRecord, t: Double, time: WallTime)
  case court(Court)
  case training(TrainingRecord)
  case dispatch(DispatchRecord)
  case manual(ManualRecord)
  case answer(AnswerRecord)
  case position(PositionRecord, t: Double, isPlain: Bool)
  /// `SIM` or `REAL`.
  case mode(String)
  /// By so much the wall clock was set.
  case clock(Duration)
  case lost(positions: Bool, records: Bool)
  case other

  /// The members of a position's line as `SessionLog` writes it.
  private static let ofPosition: Set<String> = [
    "event", "connection", "id", "t", "x", "y", "confidence",
  ]

  /// - Returns: nil for a line that can't be read; and its time, in seconds on the service's clock,
  ///   where it has one.
  static func read(_ text: [UInt8]) -> (line: LogLine, t: Double?)? {
    guard let value = try? JSONValue(text: text), case .object(let members) = value,
      let event = members["event"]?.string
    else { return nil }
    let t = members["t"]?.number
    guard let line = try? line(event, value, members, t) else { return nil }
    return (line, t)
  }

  private static func line(
    _ event: String,
    _ value: JSONValue,
    _ members: [String: JSONValue],
    _ t: Double?
  ) throws -> LogLine? {
    switch event {
    case "session":
      // The name of the protocol's first version is `version`.
      (members["protocol"] ?? members["version"])?.integer.map {
        .session(version: $0, armings: members["armings"]?.integer ?? 0)
      }
    case "safety":
      if let t, let time = members["time"]?.string.flatMap(WallTime.init(iso8601:)) {
        .safety(try value.decoded(as: SafetyRecord.self), t: t, time: time)
      } else {
        nil
      }
    case CourtRecord.event:
      try value.decoded(as: CourtRecord.self).court.map { .court($0) } ?? .other
    case "training": .training(try value.decoded(as: TrainingRecord.self))
    case "dispatch": .dispatch(try value.decoded(as: DispatchRecord.self))
    case "manual": .manual(try value.decoded(as: ManualRecord.self))
    case "answer": .answer(try value.decoded(as: AnswerRecord.self))
    case "position":
      if let t {
        .position(
          try value.decoded(as: PositionRecord.self),
          t: t,
          isPlain: members.keys.allSatisfy(ofPosition.contains)
        )
      } else {
        nil
      }
    case "link": members["mode"]?.string.map { .mode($0) } ?? .other
    case "clock":
      if let time = members["time"]?.string.flatMap(WallTime.init(iso8601:)),
        let was = members["was"]?.string.flatMap(WallTime.init(iso8601:))
      {
        .clock(time.duration(since: was))
      } else {
        nil
      }
    case "lost":
      .lost(
        // What a feeder sent beyond measure isn't missing.
        positions: members["code"]?.string == "disk" && members["positions"]?.integer ?? 0 > 0,
        records: members["records"]?.integer ?? 0 > 0
      )
    default: .other
    }
  }
}
