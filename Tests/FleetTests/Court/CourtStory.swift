import ControlProtocol
import Fleet
import Host
import JSON
import TestSupport

/// A court and what it has published, a line for each payload: its topic, and the text.
struct CourtStory {
  /// 2026-11-21T14:00:00Z.
  static let noon = WallTime(secondsSince1970: 1_795_269_600)

  var court: CourtState

  init(player: Bool = false, session: Bool = false) {
    let settings = FleetSettings.court1 {
      $0.player = player
      $0.session = session
    }
    court = CourtState(settings, version: "1.2.3")
  }

  static func lines(_ messages: [CourtState.Message], fitTheSchema: Bool = true) -> [String] {
    messages.map { topic, payload in
      let text = String(decoding: payload, as: UTF8.self)
      if !text.isEmpty && fitTheSchema {
        PrintedRecords.add(#"{"payload":\#(text),"topic":"\#(topic)"}"#)
      }
      return "\(topic) \(text)"
    }
  }

  var all: [String] { Self.lines(court.all) }

  /// - Parameters:
  ///   - seconds: after ``noon``, and on the service's clock after 100.
  ///   - members: of the event's record.
  ///   - fitTheSchema: whether the payloads are those of this version.
  mutating func event(
    _ name: String,
    at seconds: Int = 0,
    _ members: String,
    fitTheSchema: Bool = true
  ) throws -> [String] {
    let time = Self.time(seconds).preciseISO8601
    let text = #"{"event":"\#(name)","t":\#(100 + seconds),"time":"\#(time)",\#(members)}"#
    let event = try JSONValue(text: Array(text.utf8))
    return Self.lines(court.receive(event: event), fitTheSchema: fitTheSchema)
  }

  mutating func status(
    at seconds: Double = 0,
    _ change: (inout StatusRecord) -> Void = { _ in }
  ) -> [String] {
    var status = StatusRecord(
      version: "1.2.4",
      t: 100 + seconds,
      uptime: 40 + seconds,
      safety: SafetyRecord(state: "live"),
      link: LinkRecord(state: "ready"),
      court: StatusRecord.Court(apron: 3),
      counts: CountsRecord()
    )
    status.mode = "SIM"
    change(&status)
    return Self.lines(
      court.receive(status: status, time: Self.noon.advanced(by: .seconds(seconds)))
    )
  }

  mutating func leave(_ reason: String, at seconds: Int) -> [String] {
    Self.lines(court.leave(reason, time: Self.time(seconds)))
  }

  mutating func problems(_ findings: String...) throws -> [String] {
    let lines = try findings.map { try JSONValue(text: Array($0.utf8)) }
    return Self.lines(court.receive(problems: CourtProblemsRecord(doctor: lines)))
  }

  mutating func session(_ summary: String) throws -> [String] {
    Self.lines(court.receive(session: try JSONValue(text: Array(summary.utf8))))
  }

  private static func time(_ seconds: Int) -> WallTime { noon.advanced(by: .seconds(seconds)) }
}
