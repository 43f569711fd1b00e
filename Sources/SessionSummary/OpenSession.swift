import ControlProtocol
import CourtLogic
import Host
import RunLog

/// A session while its lines are read.
struct OpenSession {
  /// At most so many codes are counted: the log decides how many there are.
  private static let mostCodes = 16

  private var figures: Session
  /// When the present state began.
  private(set) var since: Double
  private var state = ""
  private var code: String?
  private var holds: [String] = []
  private var path: PlayerPath?
  /// The numbers of the commands that were sent in it, by what an answer calls them.
  private var numbers: [String: ClosedRange<Int>] = [:]

  init(
    _ name: SessionName,
    at t: Double,
    _ time: WallTime,
    mode: String?,
    _ court: Court,
    _ training: TrainingRecord?,
    _ depth: SummaryDepth
  ) {
    figures = Session(name: name, t: t, begin: time)
    figures.mode = mode
    figures.court = court
    since = t
    if depth == .whole { path = PlayerPath() }
    if let training { learn(training) }
  }

  /// When the session began, in seconds on the service's clock.
  var begin: Double { figures.t }

  /// The session's summary, with the player's figures.
  var summary: Session {
    var summary = figures
    summary.movement = path?.movement(hasSteps: looksForSteps)
    return summary
  }

  /// Where balls follow the player, he has no way to go.
  private var looksForSteps: Bool { figures.aim.map { $0 != "follow" } ?? false }

  /// Whether a ball that was decided at this time is the session's.
  func includes(_ t: Double) -> Bool {
    t >= figures.t && t <= figures.t + figures.seconds
  }

  mutating func lack(_ what: Set<Session.Lack>) { figures.lacks.formUnion(what) }

  mutating func countUnread() { figures.unread += 1 }

  mutating func learn(mode: String) { figures.mode = mode }

  // MARK: Safety

  mutating func receive(_ safety: SafetyRecord, at t: Double) {
    spend(until: t)
    let codes = safety.state == "live" ? safety.holds.map(\.code) : []
    for hold in safety.holds where codes.contains(hold.code) && !holds.contains(hold.code) {
      Self.count(hold.code, hold.reason, in: &figures.holds)
    }
    holds = codes
    let isSame = safety.state == state && safety.code == code
    if !isSame, safety.state == "paused" {
      Self.count(safety.code ?? "", safety.reason ?? "", in: &figures.pauses)
    }
    if state == "live", safety.state != "live" { path?.end() }
    state = safety.state
    code = safety.code
    guard !safety.isArmed else { return }
    let ending = Session.Ending(
      code: safety.code ?? safety.state,
      reason: safety.reason ?? safety.state
    )
    end(ending, at: since)
  }

  /// The stop command's outcome comes after the stop.
  mutating func learnStop(_ safety: SafetyRecord) {
    guard figures.ending.code == "stopped", safety.state == "stopped",
      let reason = safety.reason
    else { return }
    figures.ending.reason = reason
  }

  mutating func end(_ ending: Session.Ending, at t: Double) {
    spend(until: t)
    path?.end()
    figures.ending = ending
    figures.seconds = since - figures.t
  }

  /// The present state lasts until this time.
  private mutating func spend(until t: Double) {
    // Each part of a log begins with an old record of safety.
    let seconds = max(0, t - since)
    since = max(since, t)
    switch state {
    case "live":
      figures.live += seconds
      for code in holds { Self.add(seconds, to: code, in: &figures.holds) }
    case "resting": figures.rested += seconds
    case "paused": Self.add(seconds, to: code ?? "", in: &figures.pauses)
    default: break
    }
  }

  private static func count(
    _ code: String,
    _ reason: String,
    in list: inout [Session.Interruption]
  ) {
    if let index = list.firstIndex(where: { $0.code == code }) {
      list[index].count += 1
    } else if list.count < mostCodes {
      list.append(Session.Interruption(code: code, reason: reason, count: 1))
    }
  }

  private static func add(
    _ seconds: Double,
    to code: String,
    in list: inout [Session.Interruption]
  ) {
    guard let index = list.firstIndex(where: { $0.code == code }) else { return }
    list[index].seconds += seconds
  }

  // MARK: Training

  mutating func receive(_ training: TrainingRecord) {
    learn(training)
    takeProgress(training)
  }

  private mutating func learn(_ training: TrainingRecord) {
    // A drill that is over may be unloaded in the same moment.
    guard training.drill != nil || figures.drill == nil else { return }
    figures.aim = training.aim
    figures.drill = training.drill
    figures.level = training.level
    figures.label = training.label
    figures.seed = training.seed
    figures.interval = training.interval
  }

  /// The farthest one counts: at its end a drill is back at its beginning.
  mutating func takeProgress(_ training: TrainingRecord) {
    guard let set = training.set, let sets = training.sets, let ball = training.ball,
      let ballsPerSet = training.ballsPerSet, training.drill == figures.drill
    else { return }
    if let known = figures.progress, (set, ball) < (known.set, known.ball) { return }
    figures.progress = Session.Progress(
      set: set,
      sets: sets,
      ball: ball,
      ballsPerSet: ballsPerSet
    )
  }

  // MARK: Commands

  mutating func receive(_ dispatch: DispatchRecord) {
    note(dispatch.number, "dispatch")
    figures.outcomes.add(dispatch.outcome?.outcome)
    guard dispatch.outcome?.outcome != "notSent" else { return }
    figures.balls += 1
    if let zone = dispatch.decision.destination.flatMap(Zone.init(rowColumn:)) {
      figures.targets[zone.id] += 1
    } else {
      figures.outOfCourt += 1
    }
    if looksForSteps { path?.ball(at: dispatch.decision.t) }
  }

  mutating func receive(_ manual: ManualRecord) {
    note(manual.number, "manual")
    figures.manualOutcomes.add(manual.outcome.outcome)
  }

  private mutating func note(_ number: Int, _ kind: String) {
    let known = numbers[kind] ?? number...number
    numbers[kind] = min(known.lowerBound, number)...max(known.upperBound, number)
  }

  /// - Returns: whether it answers a command of this session.
  mutating func receive(_ answer: AnswerRecord) -> Bool {
    guard numbers[answer.to]?.contains(answer.number) == true else { return false }
    return figures.answers.add(answer.answer)
  }

  // MARK: The player

  mutating func receive(_ position: QuickPositions.Position) {
    guard state == "live" else { return }
    path?.receive(x: position.x, y: position.y, at: position.t)
  }
}
