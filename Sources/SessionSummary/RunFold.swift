import Clocks
import ControlProtocol
import CourtLogic
import Host
import JSON
import Positions
import RunLog

/// How much of a log is read.
package enum SummaryDepth: Hashable, Sendable {
  /// Balls and safety: positions, nearly all of a log's lines, are passed over.
  case balls
  case whole
}

/// Sums up the lines of one run of the service, its parts in order, in memory for its sessions alone.
/// Lines that can't be read are counted.
package struct RunFold {
  /// No run has more.
  private static let mostArmings = 1_000_000_000

  private let run: Int
  private let depth: SummaryDepth

  private var splitter = LineSplitter(longest: CourtRecord.longestLine)
  private var quick = QuickPositions()
  private var part: Int?
  private var isThinned = false
  /// Whether the next record of safety is the state that the missing parts have left.
  private var beganBefore = false
  private var selection = PlayerSelection()
  /// When the last position came.
  private var lastPosition: Double?
  /// The latest time of any line.
  private var now: Double?
  private var mode: String?
  private var court = Court()
  private var training: TrainingRecord?
  private var armings = 0
  /// The session that has ended last, until the next one ends: a ball's outcome, or a stop's, may
  /// come after the end.
  private var ended: OpenSession?
  private var open: OpenSession?
  /// The sessions before ``ended``, with the time that the wall clock had before its first step.
  private var sessions: [Session] = []
  /// How far the wall clock was set in all: it is right at the end.
  private var clockStep = Duration.zero

  package init(run: Int, _ depth: SummaryDepth) {
    self.run = run
    self.depth = depth
  }

  /// Begins a file of the log.
  package mutating func begin(part: Int, isThinned: Bool) {
    if let last = self.part {
      if part != last + 1 { lack([.positions, .lines]) }
    } else {
      beganBefore = part > 1
    }
    self.part = part
    self.isThinned = isThinned
    if isThinned { lack([.positions]) }
  }

  /// Takes the file's next bytes.
  package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    var splitter = splitter
    splitter.append(bytes) { receive($1) }
    self.splitter = splitter
  }

  /// Ends a file.
  package mutating func endPart() {
    var splitter = splitter
    splitter.finish { receive($1) }
    self.splitter = splitter
  }

  /// Ends the log.
  ///
  /// - Returns: its sessions, in order.
  package func finish() -> [Session] {
    var sessions = sessions
    if let ended { sessions.append(ended.summary) }
    if var open {
      open.end(.ofLog, at: max(now ?? open.since, open.since))
      sessions.append(open.summary)
    }
    for index in sessions.indices {
      sessions[index].begin = sessions[index].begin.advanced(by: clockStep)
    }
    return sessions
  }

  private mutating func lack(_ what: Set<Session.Lack>) {
    open?.lack(what)
  }

  private mutating func receive(_ content: LineSplitter.Content) {
    switch content {
    case .line(let text) where text.isEmpty: return
    case .line(let text), .unterminated(let text):
      if let position = quick.position(text) { return receive(position) }
      do { try receive(LogLine(text), text) } catch { open?.countUnread() }
    case .tooLong: open?.countUnread()
    case .rest: return
    }
  }

  private static func isTime(_ t: Double) -> Bool { Timestamp.duration(seconds: t) != nil }

  private mutating func notice(_ t: Double) { now = max(now ?? t, t) }

  private mutating func receive(_ line: LogLine, _ text: [UInt8]) throws {
    let record = line.record
    if let t = line.t, !Self.isTime(t) { throw PositionLineError.notATimestamp("\(t)") }
    switch line.event {
    case RunRecord.event:
      if try !RunRecord.versions.contains(line.version) { lack([.lines]) }
      // A session keeps its number when the parts before it go.
      if beganBefore {
        armings = max(0, min(record["armings"]?.integer ?? 0, Self.mostArmings))
      }
    case "safety":
      let safety = try record.decoded(as: SafetyRecord.self)
      receive(safety, at: try record["t"].decoded(), try record["time"].decoded())
    case CourtRecord.event: court = try record.decoded(as: CourtRecord.self).court ?? court
    case "training": receive(try record.decoded(as: TrainingRecord.self))
    case "dispatch":
      let dispatch = try record.decoded(as: DispatchRecord.self)
      change(at: dispatch.decision.t) { $0.receive(dispatch) }
    case "manual":
      let manual = try record.decoded(as: ManualRecord.self)
      if let t = line.t { change(at: t) { $0.receive(manual) } }
    case "answer":
      let answer = try record.decoded(as: AnswerRecord.self)
      if open?.receive(answer) != true { _ = ended?.receive(answer) }
    case "position":
      let position = try QuickPositions.Position(line)
      if line.isPlainPosition { quick.learn(text, of: position.source) }
      receive(position)
    case "link":
      guard let mode = record["mode"]?.string else { break }
      self.mode = mode
      open?.learn(mode: mode)
    case "clock":
      let time = try record["time"].decoded(as: WallTime.self)
      clockStep += time.duration(since: try record["was"].decoded())
    case "lost":
      // What a feeder sent beyond measure isn't missing.
      if record["code"]?.string == "disk", record["positions"]?.integer ?? 0 > 0 {
        lack([.positions])
      }
      if record["records"]?.integer ?? 0 > 0 { lack([.lines]) }
    default: break
    }
    if let t = line.t { notice(t) }
  }

  /// Changes the session in which a ball, or a command, was decided at this time.
  private mutating func change(at t: Double, _ change: (inout OpenSession) -> Void) {
    if ended?.includes(t) == true, t < open?.begin ?? .infinity {
      change(&ended!)
    } else if open != nil {
      change(&open!)
    }
  }

  private mutating func receive(_ position: QuickPositions.Position) {
    guard Self.isTime(position.t), position.t >= lastPosition ?? position.t else {
      open?.countUnread()
      return
    }
    notice(position.t)
    lastPosition = position.t
    guard depth == .whole else { return }
    guard
      (try? PlayerPosition(x: position.x, y: position.y, confidence: position.confidence)) != nil
    else {
      open?.countUnread()
      return
    }
    let instant = MonotonicInstant(sinceStart: .seconds(position.t))
    guard selection.admits(position.source, at: instant) else { return }
    open?.receive(position)
  }

  private mutating func receive(_ training: TrainingRecord) {
    self.training = training
    if open != nil { open?.receive(training) } else { ended?.takeProgress(training) }
  }

  private mutating func receive(_ safety: SafetyRecord, at t: Double, _ time: WallTime) {
    defer { beganBefore = false }
    if open == nil, safety.isArmed {
      if !beganBefore || armings == 0 { armings += 1 }
      let name = SessionName(run: run, arming: armings)
      let begin = time.advanced(by: .zero - clockStep)
      open = OpenSession(name, at: t, begin, mode: mode, court, training, depth)
      if beganBefore { lack([.beginning]) }
      if isThinned { lack([.positions]) }
    }
    if open != nil {
      open?.receive(safety, at: t)
      guard !safety.isArmed else { return }
      if let ended { sessions.append(ended.summary) }
      ended = open
      open = nil
    } else {
      ended?.learnStop(safety)
    }
  }
}
