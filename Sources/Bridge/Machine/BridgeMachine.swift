package import Clocks
import ControlProtocol
import CourtLogic
import MachineLink
import Positions
package import Safety
import Training

/// The bridge without I/O, clock or randomness of its own: positions, answers and what people ask go in
/// with their time, and what is to be done comes out.
///
/// The owner carries the actions out in order, and feeds back their results. ``SafetyCore`` decides
/// whether a ball may leave: it is asked before every ball. A run goes forward alone:
///
/// ```
///   running ── positions or time over ──▶ windingDown ── no ball on its way ──▶ ending
///      └────────────── end, give up ─────────────────────────────────────────────▲ │
///                            ended ◀── link closed ── closing ◀── last stop ordered┘
/// ```
///
/// What holds in every order of events:
/// - One ball is on its way at most, each ends once, and each was allowed by ``SafetyCore``.
/// - Each request gets exactly one reply: a stop within 6 s, a command by hand when its outcome or the
///   machine's answer is known, every other request at once.
/// - After ``Stage/running`` no ball is decided, and a stop is the only request that is carried out.
/// - Before a ball leaves, it is recorded on disk that the machine is owed a stop command, until the machine
///   has acknowledged one.
package struct BridgeMachine: Sendable {
  /// How often the player's average is looked at between decisions.
  private static let averageInterval = Duration.milliseconds(50)

  // MARK: What it is made for

  /// The link's stop command: sent by hand, it is a stop.
  let stopCommand: MachineCommand
  let slew: MachineSlew
  let encoding: MachineEncoding
  private let start: MonotonicInstant

  // MARK: What it is doing

  /// The time of the last event.
  private(set) var now: MonotonicInstant
  private(set) var stage = Stage.running
  var logic: LogicManager
  var limits: MachineLimits
  var safety: SafetyCore
  var training: LoadedTraining
  /// The link as it was last told.
  private(set) var link: LinkStatus
  var balls = BallLedger()
  var stops = StopLedger()
  private var debts: MachineDebts

  // MARK: What is told of it

  /// Without its duration and what the feed counts itself; ``snapshot(at:)`` has the duration.
  package internal(set) var summary = BridgeSummary()
  var reported: Reported
  private var refusedLines = RefusedLineReports()
  private var repetition = Repetition.none
  /// What was told last: a feeder that comes again and again says the same.
  private var lastHint: FeedHint?
  private var lastAverage: MonotonicInstant?
  private var hasReportedBaseline = false
  /// Empty between events.
  private var actions: [Action] = []

  /// Where a run is; it only goes forward.
  enum Stage: Comparable {
    case running
    /// The outcome of a command on its way is awaited.
    case windingDown
    case ending
    /// The last stop command has been ordered, if one was owed.
    case closing
    case ended
  }

  /// What readers of the events know already.
  struct Reported: Sendable {
    var safety: SafetyStatus
    var training: TrainingStatus
    /// The holds in the last ``HeldRecord``.
    var holds: [SafetyHold] = []
  }

  package init(options: Options, at now: MonotonicInstant) {
    var logic = options.logic
    training = LoadedTraining(options)
    if let interval = options.training.interval { logic.reconfigure(interval: interval) }
    self.logic = logic
    limits = options.limits
    stopCommand = options.stopCommand
    slew = options.slew
    encoding = options.encoding
    debts = MachineDebts(inherited: options.inheritedDebts)
    start = now
    self.now = now
    link = LinkStatus(since: now)
    safety = SafetyCore(
      rules: options.rules,
      encoding: options.encoding,
      longestDelay: options.longestDelay,
      armsWhenReady: options.armsAtStart,
      at: now
    )
    safety.lostTraining = options.lostTraining
    reported = Reported(
      safety: safety.status,
      training: TrainingStatus(plan: options.training, interval: logic.interval)
    )
  }

  // MARK: Events

  /// Takes an event.
  ///
  /// - Parameter instant: an earlier one than the last event's counts as that.
  /// - Returns: what to do about it, in this order.
  package mutating func handle(_ event: Event, at instant: MonotonicInstant) -> [Action] {
    now = max(now, instant)
    switch event {
    case .timePassed: proceed()
    case .link(let status): linkChanged(to: status)
    case .positions(let event): positionsGave(event)
    case .asked(let id, let request, let client, let objection):
      perform(request, for: id, while: client, against: objection)
    case .askedByHand(let id, let command, let objection):
      sendByHand(command, for: id, against: objection)
    case .askedToLoad(let id, let plan, let old): load(plan, replacing: old, for: id)
    case .stopCame: stopCame()
    case .clientGone(let client):
      safety.clientGone(client, at: now)
      proceed()
    case .reachable(let isReachable):
      safety.setReachable(isReachable, at: now)
      proceed()
    case .reconfigured(let settings, let lost): reconfigure(settings, finding: lost)
    case .landed(let ball, let outcome, let expectsAnswer):
      landed(ball, outcome, expectsAnswer: expectsAnswer)
    case .answered(let ball, let answer): answered(ball, answer)
    case .stopEnded(let outcome, let machine, let holder):
      stopEnded(outcome, by: machine, against: holder)
      proceed()
    case .stopUnsettled(let failure, let mayHaveArrived):
      stopUnsettled(failure: failure, mayHaveArrived: mayHaveArrived)
      proceed()
    case .windDown: windDown()
    case .giveUp(let isInterruption): giveUp(isInterruption: isInterruption)
    case .close: close()
    case .closed:
      stage = .ended
      reportRefusedLines(areLast: true)
    }
    // A ball that the limits refuse never leaves: its outcome is known at once.
    while let (ball, outcome) = balls.takeRefused() { landed(ball, outcome, expectsAnswer: false) }
    defer { actions = [] }
    return actions
  }

  mutating func act(_ action: Action) { actions.append(action) }

  /// No more decisions, and no more requests but stop.
  package var isOnTheWayOut: Bool { stage > .running }

  // MARK: The end

  /// Ends the run when it is through. The outcome of a command on its way is awaited first, because a
  /// stop command would make that outcome unknown.
  private mutating func windDown() {
    stage = max(stage, .windingDown)
    safety.endPending(at: now)
    giveUpIfThrough()
  }

  mutating func giveUpIfThrough() {
    if stage == .windingDown, !safety.isBallOnItsWay { giveUp(isInterruption: false) }
  }

  private mutating func giveUp(isInterruption: Bool) {
    if isInterruption { summary.wasInterrupted = true }
    if stage < .ending { act(.end) }
    stage = max(stage, .ending)
    safety.endPending(at: now)
  }

  private mutating func close() {
    let owesStop = safety.end(at: now)
    stage = max(stage, .closing)
    proceed()
    if owesStop { act(.writeLastStop) }
  }

  // MARK: The link

  private mutating func linkChanged(to new: LinkStatus) {
    link = new
    let isReady = new.phase == .ready
    if isReady { summary.wasReady = true }
    summary.link = new
    act(.publish(.link(new)))
    if let isSimulated = new.isSimulated { stackIs(isSimulated: isSimulated) }
    if isReady || new.isForStopOnly, let machine = new.linked { note(machine) }
    safety.linkChanged(isReady: isReady, at: now)
    proceed()
  }

  private mutating func stackIs(isSimulated: Bool) {
    // A machine of the other stack has acknowledged it, none of this one.
    if summary.isSimulated != isSimulated { stops.last = nil }
    summary.isSimulated = isSimulated
    safety.sawStack(isSimulated: isSimulated, at: now)
  }

  /// Notes which machine is linked.
  mutating func note(_ machine: RememberedMachine) {
    if debts.takeInherited(by: machine) { safety.inheritStop(at: now) }
    switch debts.linked(to: machine) {
    case .sameMachine: break
    // Changes nothing where the link's status has told it already.
    case .otherStack: stackIs(isSimulated: machine.isSimulated)
    case .otherMachine:
      stops.last = nil
      safety.machineChanged(at: now)
    }
  }

  /// Has a change recorded on disk of whether the machine is owed a stop command.
  mutating func keepDebt() {
    guard let (isOwed, machine) = debts.change(safety.isStopOwed) else { return }
    act(.keepDebt(isOwed, to: machine))
  }

  // MARK: Positions

  private mutating func positionsGave(_ event: PositionEvent) {
    switch event {
    case .position(let position, let source, let arrival, let judgement):
      guard logic.insert(position, from: source, at: arrival) == .accepted else {
        summary.counts.otherPositions += 1
        return
      }
      summary.counts.positions += 1
      if logic.court.apron == 0, position.y > Court.length, !hasReportedBaseline {
        hasReportedBaseline = true
        publishFeed("behindBaseline", of: source)
      }
      safety.saw(position, doubt: judgement.doubt, at: arrival)
      note(judgement.repetition, of: source)
      lookAtAverage()
      proceed()
      act(.publishPosition(.positions(event)))
    case .badLine(let line, let connection):
      summary.counts.badLines += 1
      refusedLines.receive(line, connection: connection, at: now)
      proceed()
    case .hint(let hint, _):
      guard lastHint != hint else { break }
      lastHint = hint
      act(.publish(.positions(event)))
    case .closed:
      // In their order.
      reportRefusedLines(areLast: true)
      act(.publish(.positions(event)))
    case .opened, .clientRefused, .stoodStill:
      act(.publish(.positions(event)))
    case .ended:
      act(.publish(.positions(event)))
      summary.positionsEnded = stage < .windingDown
      windDown()
    }
  }

  /// Tells a repetition once. One that holds balls back is told as that.
  private mutating func note(_ repetition: Repetition, of source: SourceID) {
    defer { self.repetition = repetition }
    guard case .long = repetition, repetition != self.repetition else { return }
    publishFeed("repeats", of: source)
  }

  private mutating func publishFeed(_ state: String, of source: SourceID) {
    let feed = FeedRecord(state: state, connection: source.connection)
    act(.publish(.record(.feed(feed), at: nil)))
  }

  private mutating func lookAtAverage() {
    if let lastAverage, lastAverage.duration(to: now) < Self.averageInterval { return }
    guard let (position, _) = logic.average(at: now) else { return }
    lastAverage = now
    safety.averaged(position, at: now)
  }

  // MARK: What follows of an event

  /// Called after every change: what time alone changes, what the drill and safety order, and a ball if
  /// one is due.
  mutating func proceed() {
    safety.advance(to: now)
    endSet()
    followSession()
    report()
    decide()
    if safety.takeStopOrder() { act(.writeStop) }
    keepDebt()
    report()
    reportRefusedLines()
  }

  /// Tells what readers of the events don't know yet. A new number of balls alone is no event: it comes
  /// with the next other change.
  private mutating func report() {
    reportSafety()
    reportTraining()
  }

  private mutating func reportSafety() {
    var status = safety.status
    status.balls = reported.safety.balls
    guard status != reported.safety else { return }
    if status.state != .live { reported.holds = [] }
    let isOther = status.state != reported.safety.state
    reported.safety = safety.status
    switch reported.safety.state {
    case .countdown where isOther, .live where isOther: act(.ballsMayFly)
    default: break
    }
    act(.publish(.safety(reported.safety)))
  }

  mutating func reportTraining() {
    guard trainingStatus != reported.training else { return }
    reported.training = trainingStatus
    act(.publish(.training(reported.training)))
  }

  private mutating func reportRefusedLines(areLast: Bool = false) {
    guard let report = refusedLines.report(at: now, isLast: areLast) else { return }
    act(.publish(.refusedLines(report)))
  }

  // MARK: Time

  /// When to let it know the time; nil while time alone changes nothing.
  package var nextDeadline: MonotonicInstant? {
    guard stage < .ended else { return nil }
    return [
      safety.nextDeadline, nextQuestion, refusedLines.due, stopDeadline, stops.nextDeadline,
    ].compactMap(\.self).min()
  }

  /// When to ask the logic; nil while a decision could not be sent.
  var nextQuestion: MonotonicInstant? { safety.isFeeding && !isOnTheWayOut ? nextInstant : nil }

  private var nextInstant: MonotonicInstant? {
    logic.nextDecision.map { max($0, safety.earliestBall) }
  }

  // MARK: Present state

  package var safetyStatus: SafetyStatus { safety.status }

  /// The bridge as it is then, without what the feed counts itself.
  package func snapshot(at instant: MonotonicInstant) -> BridgeSnapshot {
    let average = logic.average(at: instant)
    var summary = summary
    summary.duration = start.duration(to: instant)
    return BridgeSnapshot(
      time: instant,
      link: link,
      safety: safety.status,
      training: trainingStatus,
      court: logic.court,
      interval: logic.interval,
      player: average.map { ($0.0, $0.count, logic.court.zone(at: $0.0)) },
      followed: average == nil ? nil : logic.player,
      repeatsSince: average == nil ? nil : repetition.since,
      nextDecision: safety.status.state == .live && !isOnTheWayOut ? nextInstant : nil,
      lastDispatch: balls.lastDispatch,
      lastRefused: refusedLines.last,
      lastManual: balls.lastManual,
      summary: summary
    )
  }
}

extension SourceJudgement {
  fileprivate var doubt: SourceDoubt? {
    misfit.map(SourceDoubt.notMetres) ?? (repetition.isStuck ? .repeats : nil)
  }
}
