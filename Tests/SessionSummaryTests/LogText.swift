import ControlProtocol
import CourtLogic
import JSON

@testable import Clocks
@testable import Host
@testable import RunLog
@testable import SessionSummary

/// A run log's lines, written by the records' own encoders.
struct LogText {
  /// 2026-11-21, 16:57:37 in universal time, when `t` is 0.
  static let start = 1_795_280_257.0

  private(set) var lines: [[UInt8]] = []
  private var positions = PositionLines()
  private(set) var balls = 0

  mutating func add(_ event: EventRecord.Event, at t: Double) {
    let time = WallTime(since1970: .seconds(Self.start + t))
    lines.append(RecordLine.of(EventRecord(event, t: t, time: time)))
  }

  mutating func add(text: String) { lines.append(Array((text + "\n").utf8)) }

  mutating func add(bytes: [UInt8]) { lines.append(bytes) }

  mutating func safety(
    _ state: String,
    _ code: String? = nil,
    holds: [String] = [],
    at t: Double
  ) {
    var safety = SafetyRecord(state: state)
    safety.code = code
    safety.reason = code.map { "because of \($0)" }
    safety.holds = holds.map { SafetyRecord.Hold(code: $0, reason: "held by \($0)") }
    add(.safety(safety), at: t)
  }

  mutating func mode(_ mode: String, at t: Double = 0) {
    var link = LinkRecord(state: "ready")
    link.mode = mode
    add(.link(link), at: t)
  }

  mutating func position(
    _ x: Double,
    _ y: Double,
    at t: Double,
    from source: SourceID = SourceID(connection: "client 1")
  ) {
    guard let position = try? PlayerPosition(x: x, y: y) else { return }
    var line: [UInt8] = []
    positions.append(
      position,
      from: source,
      at: MonotonicInstant(sinceStart: .seconds(t)),
      to: &line
    )
    lines.append(line)
  }

  mutating func ball(
    zone: String?,
    target: String? = nil,
    _ outcome: String = "delivered",
    at t: Double
  ) {
    balls += 1
    let decision = DecisionRecord(
      t: t,
      x: 4,
      y: 11,
      samples: 10,
      zone: zone,
      target: target,
      command: "110001060014004500"
    )
    var dispatch = DispatchRecord(number: balls, decision: decision)
    dispatch.outcome = OutcomeRecord(outcome: outcome, reason: nil)
    dispatch.latency = 0.05
    add(.dispatch(dispatch), at: t)
  }

  mutating func training(
    drill: String? = "corners",
    level: String? = "beginner",
    label: String? = nil,
    set: Int? = nil,
    ball: Int? = nil,
    at t: Double
  ) {
    var training = TrainingRecord(aim: drill == nil ? "follow" : "plan", interval: 3)
    training.drill = drill
    training.level = level
    training.label = label
    training.seed = 7
    if let set, let ball {
      (training.set, training.sets, training.ball, training.ballsPerSet) = (set, 4, ball, 12)
    }
    add(.training(training), at: t)
  }

  /// A whole session: armed at `begin`, live for `live` seconds, with a ball every 3 s.
  mutating func session(from begin: Double, live: Double, zones: [String] = ["3-0", "3-3"]) {
    safety("countdown", "arming", at: begin)
    safety("live", at: begin + 3)
    for number in 0..<Int(live / 3) {
      let t = begin + 3 + Double(number) * 3
      ball(zone: "3-1", target: zones[number % zones.count], at: t)
      for step in 0..<30 {
        position(
          4.115 + (number.isMultiple(of: 2) ? 1 : -1) * Double(step) / 10,
          12,
          at: t + Double(step) / 10
        )
      }
    }
    safety("disarmed", "operator", at: begin + 3 + live)
  }

  var bytes: [UInt8] { Array(lines.joined()) }

  /// What the lines sum up to, each part a file.
  static func sessions(
    of parts: [[UInt8]],
    _ depth: SummaryDepth = .whole,
    chunk: Int = 65_536,
    firstPart: Int = 1,
    areThinned: Bool = false
  ) -> [Session] {
    var fold = RunFold(run: 42, depth)
    for (index, part) in parts.enumerated() {
      fold.begin(part: firstPart + index, isThinned: areThinned)
      var rest = part[...]
      while !rest.isEmpty {
        rest.prefix(chunk).withUnsafeBytes { fold.receive($0) }
        rest = rest.dropFirst(chunk)
      }
      fold.endPart()
    }
    return fold.finish()
  }

  var sessions: [Session] { Self.sessions(of: [bytes]) }
}
