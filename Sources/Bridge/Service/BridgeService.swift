package import Clocks
import ControlProtocol
import CourtLogic
import Host
package import MachineLink
package import Positions
import Safety
import Training

/// The bridge at work: positions in, one command an interval out, for as long as it runs.
///
/// ``SafetyCore`` decides whether a ball may leave: this actor passes events to it, asks it before
/// every ball, and writes the stop commands that it orders. Nothing polls: one alarm is set, for
/// the earliest deadline. It runs on the link's thread: a ball leaves without a change of threads.
package actor BridgeService {
  /// All events. A reader that is far behind misses the oldest of a kind and gets their number; the
  /// summary misses nothing.
  package nonisolated let events: BridgeEvents
  /// How often the player's average is looked at between decisions.
  private static let averageInterval = Duration.milliseconds(50)

  let link: BallMachineLink
  let clock: any MonotonicClock
  let stopCommand: MachineCommand
  let slew: MachineSlew
  let encoding: MachineEncoding
  private let duration: Duration?
  private let heartbeat: Heartbeat?
  private let start: MonotonicInstant

  var logic: LogicManager
  var limits: MachineLimits
  var safety: SafetyCore
  private(set) var status: LinkStatus
  /// What the next session trains.
  var plan: TrainingPlan
  /// The session's drill.
  var drill: SessionDrill?
  /// As ``SafetyCore/session``, when it was last looked at.
  var followedSession: Int?
  /// The last client that balls were to depend on; ``SafetyCore`` knows whether they do.
  var client: ClientPresence?
  /// The configuration's, from one decision to the next.
  var standardInterval: Duration

  var summary = BridgeSummary()
  private var feedStatistics: @Sendable () -> PositionFeedStatistics = { PositionFeedStatistics() }
  private var ballsMayFly: @Sendable () -> Void = {}
  var lastDispatch: DispatchRecord?
  var lastManual: TimedManualRecord?
  private var hasReportedBaseline = false
  /// Of the player's positions.
  private var repetition = Repetition.none
  private var lastAverage: MonotonicInstant?
  private var refusedLines = RefusedLineReports()
  private var subscribers = BridgeSubscribers()
  private var followers = BridgeSubscribers()
  private(set) var reportedSafety: SafetyStatus
  private var reportedTraining: TrainingStatus
  /// The holds in the last ``HeldRecord``.
  var reportedHolds: [SafetyHold] = []

  /// The last ball's command that may have arrived.
  var lastCommand: MachineCommand?
  /// The newest ball's: it ends with the machine's answer. All older answers came before.
  var lastFlight: Task<Void, Never>?
  /// Whether a ball is being handed to the link.
  var isLaunching = false
  var stopTask: Task<Void, Never>?
  var stopWaiters: [StopWaiter] = []
  var lastStop: StopOutcome?
  private let debts: StopDebts?
  private var owedStops: OwedStops
  /// Of the last link.
  private var lastMachine: RememberedMachine?
  /// As in ``Options``.
  let lostLevelHadCommands: Bool

  private var alarm = Alarm(on: OneThread.tasks)
  private var nextBeat: MonotonicInstant?
  private var endWaiter: CheckedContinuation<Void, Never>?
  private(set) var stage = Stage.running

  /// It only goes forward.
  enum Stage: Comparable {
    case running
    /// The outcome of a command on its way is awaited.
    case windingDown
    case ending
    /// The last stop command has been ordered, if one was owed.
    case linkEnding
    case ended
  }

  /// No more decisions, and no more requests but stop.
  var isOnTheWayOut: Bool { stage > .running }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { link.unownedExecutor }

  package init(options: Options, link: BallMachineLink, clock: any MonotonicClock) {
    self.link = link
    self.clock = clock
    var logic = options.logic
    standardInterval = logic.interval
    plan = options.training
    if let interval = plan.interval { logic.take(interval: interval) }
    self.logic = logic
    limits = options.limits
    stopCommand = options.stopCommand
    slew = options.slew
    encoding = options.encoding
    duration = options.duration
    heartbeat = options.heartbeat
    debts = options.debts
    owedStops = OwedStops(inherited: options.inheritedDebts)
    start = clock.now
    status = LinkStatus(since: start)
    safety = SafetyCore(
      rules: options.rules,
      encoding: options.encoding,
      longestDelay: options.longestDelay,
      armsWhenReady: options.armsAtStart,
      at: start
    )
    safety.lostTraining = options.lostTraining
    lostLevelHadCommands = options.lostLevelHadCommands
    reportedSafety = safety.status
    reportedTraining = TrainingStatus(plan: plan, interval: logic.interval)
    events = subscribers.add()
  }

  /// Runs until ``end()``, the end of the positions, or the duration, then stops the machine.
  ///
  /// - Parameter positions: arrival instants are on the service's clock.
  package func run<Positions: AsyncSequence & Sendable>(
    positions: Positions
  ) async -> BridgeSummary where Positions.Element == PositionEvent, Positions.Failure == Never {
    beat()
    proceed()
    await withTaskGroup { group in
      group.addTask { [link] in await link.run() }
      group.addTask { [link] in
        for await status in await link.statuses() { await self.linkChanged(status) }
      }
      group.addTask { await self.take(positions) }
      if let duration {
        group.addTask { [clock] in
          guard (try? await clock.sleep(for: duration)) != nil else { return }
          await self.windDown()
        }
      }
      await hasReachedEnd()
      await stopAndEnd()
      group.cancelAll()
    }
    stage = .ended
    setAlarm(nil)
    reportRefusedLines(areLast: true)
    summary.duration = start.duration(to: clock.now)
    summary.count(feedStatistics())
    subscribers.end()
    followers.end()
    return summary
  }

  /// Takes from the feed what it counts itself.
  package func count(_ feedStatistics: @escaping @Sendable () -> PositionFeedStatistics) {
    self.feedStatistics = feedStatistics
  }

  /// - Parameter body: called when a countdown begins, and when feeding does.
  package func onBallsMayFly(_ body: @escaping @Sendable () -> Void) { ballsMayFly = body }

  /// Ends the service now: no more decisions, a stop command if it was feeding, the link closed.
  package func end() {
    summary.wasInterrupted = true
    giveUp()
  }

  /// Ends the service like ``end()``, but by itself, because it can't do its work.
  package func giveUp() {
    stage = max(stage, .ending)
    safety.endPending(at: clock.now)
    endWaiter?.resume()
    endWaiter = nil
  }

  /// Ends the service when it is through. It awaits the outcome of a command on its way first,
  /// because a stop command would make that outcome unknown.
  private func windDown() {
    stage = max(stage, .windingDown)
    safety.endPending(at: clock.now)
    if !safety.isBallOnItsWay { giveUp() }
  }

  private func hasReachedEnd() async {
    guard stage < .ending else { return }
    await withCheckedContinuation { endWaiter = $0 }
  }

  private func stopAndEnd() async {
    let owesStop = safety.end(at: clock.now)
    stage = .linkEnding
    proceed()
    if owesStop { stopLanded(await link.sendLastStop(), by: await link.status.linked) }
    await link.end()
    // The link has reported every command's outcome by now.
    await lastFlight?.value
    await stopTask?.value
  }

  // MARK: Present state and events

  /// The bridge as it is now.
  package var snapshot: BridgeSnapshot {
    let now = clock.now
    let average = logic.average(at: now)
    var summary = summary
    summary.duration = start.duration(to: now)
    summary.count(feedStatistics())
    return BridgeSnapshot(
      time: now,
      link: status,
      safety: safety.status,
      training: training,
      court: logic.court,
      interval: logic.interval,
      player: average.map { ($0.0, $0.count, logic.court.zone(at: $0.0)) },
      repeatsSince: average == nil ? nil : repetition.since,
      nextDecision: safety.status.state == .live && !isOnTheWayOut ? nextInstant : nil,
      lastDispatch: lastDispatch,
      lastRefused: refusedLines.last,
      lastManual: lastManual,
      summary: summary
    )
  }

  /// The present state of link and safety, then all that happens.
  ///
  /// - Parameter backlog: how many events of a kind may wait; nil: ``EventKind/room``.
  package func subscribe(backlog: Int? = nil) -> BridgeEvents {
    subscribers.add(
      room: { backlog ?? $0.room },
      present: [.link(status), .safety(safety.status), .training(training)]
    ) { number in
      OneThread.task { await self.unsubscribe(number) }
    }
  }

  /// Returns when the countdown of an arming at the start is over, or when there is none.
  package func waitUntilCountedDown() async {
    for await case .safety(let safety) in subscribe() {
      switch safety.state {
      case .pending, .countdown: continue
      case .disarmed, .live, .resting, .paused, .stopped: return
      }
    }
  }

  /// Returns when a drill's last ball has left and the stop command after it is through.
  package func waitUntilDrillIsOver() async {
    var isOver = false
    for await event in subscribe() {
      switch event {
      case .safety(let status) where status.state == .disarmed(.drillOver):
        isOver = true
        guard safety.isStopOwed else { return }
      case .record(.stop, _) where isOver: return
      default: break
      }
    }
  }

  /// The player's positions; a reader that is behind gets the newest alone.
  package func followPlayer() -> BridgeEvents {
    followers.add(room: { _ in 1 }) { number in OneThread.task { await self.unfollow(number) } }
  }

  private func unfollow(_ number: Int) {
    followers.remove(number)
  }

  private func unsubscribe(_ number: Int) {
    subscribers.remove(number)
  }

  func publish(_ event: BridgeEvent) {
    subscribers.publish(event)
  }

  /// A new number of balls alone is no event: it comes with the next other change.
  private func reportSafety() {
    var status = safety.status
    status.balls = reportedSafety.balls
    guard status != reportedSafety else { return }
    if status.state != .live { reportedHolds = [] }
    let isOther = status.state != reportedSafety.state
    reportedSafety = safety.status
    switch reportedSafety.state {
    case .countdown where isOther, .live where isOther: ballsMayFly()
    default: break
    }
    publish(.safety(reportedSafety))
  }

  func reportTraining() {
    guard training != reportedTraining else { return }
    reportedTraining = training
    publish(.training(reportedTraining))
  }

  private func reportRefusedLines(areLast: Bool = false) {
    guard let report = refusedLines.report(at: clock.now, isLast: areLast) else { return }
    publish(.refusedLines(report))
  }

  // MARK: Changes

  private func linkChanged(_ new: LinkStatus) {
    status = new
    let isReady = new.phase == .ready
    if isReady { summary.wasReady = true }
    summary.link = new
    summary.isSimulated = new.isSimulated ?? summary.isSimulated
    publish(.link(new))
    if let isSimulated = new.isSimulated {
      safety.sawStack(isSimulated: isSimulated, at: clock.now)
    }
    if isReady || new.isForStopOnly, let machine = new.linked { note(machine) }
    safety.linkChanged(isReady: isReady, at: clock.now)
    proceed()
  }

  /// Notes which machine is linked.
  func note(_ machine: RememberedMachine) {
    if owedStops.takeDebt(to: machine) { safety.inheritStop(at: clock.now) }
    if let lastMachine, lastMachine.isSimulated != machine.isSimulated {
      // Changes nothing where the link's status has told it already.
      safety.sawStack(isSimulated: machine.isSimulated, at: clock.now)
    } else if let lastMachine, !lastMachine.mayBe(machine) {
      safety.machineChanged(at: clock.now)
    }
    lastMachine = machine
  }

  /// Keeps on disk whether the machine is owed a stop command.
  func keepDebt() {
    guard let machine = lastMachine,
      let isOwed = owedStops.change(safety.isStopOwed, to: machine)
    else { return }
    debts?.keep(isOwed, to: machine)
  }

  private func take<Positions: AsyncSequence & Sendable>(
    _ positions: Positions
  ) async where Positions.Element == PositionEvent, Positions.Failure == Never {
    for await event in positions { take(event) }
  }

  private func take(_ event: PositionEvent) {
    switch event {
    case .position(let position, let source, let arrival, let repetition):
      guard logic.insert(position, from: source, at: arrival) == .accepted else {
        summary.counts.otherPositions += 1
        return
      }
      summary.counts.positions += 1
      if logic.court.apron == 0, position.y > Court.length, !hasReportedBaseline {
        hasReportedBaseline = true
        let feed = FeedRecord(state: "behindBaseline", connection: source.connection)
        publish(.record(.feed(feed), at: nil))
      }
      safety.saw(position, isRepeated: repetition.isStuck, at: arrival)
      note(repetition, of: source)
      lookAtAverage()
      proceed()
      followers.publish(.positions(event))
    case .badLine(let line, let connection):
      summary.counts.badLines += 1
      refusedLines.take(line, connection: connection, at: clock.now)
      proceed()
    case .closed:
      // In their order.
      reportRefusedLines(areLast: true)
      publish(.positions(event))
    case .opened, .clientRefused, .stoodStill:
      publish(.positions(event))
    case .ended:
      publish(.positions(event))
      summary.positionsEnded = stage < .windingDown
      windDown()
    }
  }

  /// Tells a repetition once. One that holds balls back is told as that.
  private func note(_ repetition: Repetition, of source: SourceID) {
    defer { self.repetition = repetition }
    guard case .long = repetition, repetition != self.repetition else { return }
    let feed = FeedRecord(state: "repeats", connection: source.connection)
    publish(.record(.feed(feed), at: nil))
  }

  private func lookAtAverage() {
    let now = clock.now
    if let lastAverage, lastAverage.duration(to: now) < Self.averageInterval { return }
    guard let (position, _) = logic.average(at: now) else { return }
    lastAverage = now
    safety.averaged(position, at: now)
  }

  // MARK: The loop

  /// Called after every change: advances safety's time, decides, carries out safety's orders, sends
  /// events, and sets the next alarm.
  func proceed() {
    safety.advance(to: clock.now)
    lookAtClient()
    endSet()
    followSession()
    reportSafety()
    reportTraining()
    ask()
    if safety.takeStopOrder() { writeStop() }
    keepDebt()
    reportSafety()
    reportRefusedLines()
    setAlarm(
      ([safety.nextDeadline, nextQuestion, nextBeat, refusedLines.due, stopDeadline]
        + stopWaiters.map(\.deadline))
        .compactMap(\.self).min()
    )
  }

  func lookAtClient() {
    guard let client, client.hasEnded else { return }
    self.client = nil
    safety.clientGone(client.number, at: clock.now)
  }

  /// When to ask the logic; nil while a decision could not be sent.
  var nextQuestion: MonotonicInstant? { safety.isFeeding && !isOnTheWayOut ? nextInstant : nil }

  private var nextInstant: MonotonicInstant? {
    logic.nextDecision.map { max($0, safety.earliestBall) }
  }

  private func setAlarm(_ instant: MonotonicInstant?) {
    guard let instant, stage < .ended else { return alarm.cancel() }
    alarm.set(noLaterThan: instant, on: clock, tolerance: .zero) { await self.rang(at: $0) }
  }

  private func rang(at instant: MonotonicInstant) async {
    guard alarm.takeRing(at: instant) else { return }
    beat()
    await expireStopWaiters()
    proceed()
  }

  /// Sends the heartbeat if it is due: from this actor, so that a stuck service sends none.
  private func beat() {
    let now = clock.now
    guard let heartbeat, nextBeat.map({ $0 <= now }) ?? true else { return }
    heartbeat.beat()
    let next = (nextBeat ?? now).advanced(by: heartbeat.period)
    nextBeat = next > now ? next : now.advanced(by: heartbeat.period)
  }
}
