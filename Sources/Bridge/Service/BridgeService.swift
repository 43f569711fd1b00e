package import Clocks
import ControlProtocol
package import CourtLogic
package import CourtMapping
package import Host
package import MachineLink
package import Positions
package import Safety
package import Training

/// The bridge at work: positions in, one command an interval out, for as long as it runs.
///
/// ``BridgeMachine`` decides all; this actor carries its actions out, in order, in one place. Nothing
/// polls: one alarm is set, for the earliest deadline. It runs on the link's thread: a ball leaves without
/// a change of threads.
package actor BridgeService {
  /// All events. A reader that is far behind misses the oldest of a kind and gets their number; the
  /// summary misses nothing.
  package nonisolated let events: BridgeEvents

  let link: BallMachineLink
  let clock: any MonotonicClock
  private(set) var machine: BridgeMachine
  private let duration: Duration?
  private let debts: StopDebts?
  /// Counts what feeders send; nil where positions don't come from feeders.
  private var feedEvents: PositionEventQueue?
  private var ballsMayFly: @Sendable () -> Void = {}

  private var subscribers = BridgeSubscribers()
  private var followers = BridgeSubscribers()
  /// The last client that balls were to depend on; ``SafetyCore`` knows whether they do.
  private var client: ClientPresence?

  private var lastRequest: UInt64 = 0
  private var requests: [BridgeMachine.RequestID: Request] = [:]
  private var requestsByHand = Waiting<ManualReply>()
  private var loads = Waiting<Result<TrainingStatus?, TrainingRefusal>>()

  private var alarm = Alarm(on: OneThread.tasks)
  private let heartbeat: Heartbeat?
  private var nextBeat: MonotonicInstant?
  /// The newest ball's: it ends with the machine's answer. All older answers came before.
  private var lastFlight: Task<Void, Never>?
  private var stopTask: Task<Void, Never>?
  private var lastStopTask: Task<Void, Never>?
  private var endWaiter: CheckedContinuation<Void, Never>?
  /// Whether the actions of an event are being carried out.
  private var isHandling = false

  private typealias Waiting<Reply> =
    [BridgeMachine.RequestID: CheckedContinuation<Reply, Never>]

  /// Who asked, and waits.
  private struct Request {
    let continuation: CheckedContinuation<SafetyReply, Never>
    /// What is armed or resumed pauses when this client goes.
    let client: ClientPresence?
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { link.unownedExecutor }

  package init(options: Options, link: BallMachineLink, clock: any MonotonicClock) {
    self.link = link
    self.clock = clock
    machine = BridgeMachine(options: options.machine, at: clock.now)
    duration = options.duration
    heartbeat = options.heartbeat
    debts = options.debts
    events = subscribers.add()
  }

  // MARK: The run

  /// Runs until ``end()``, the end of the positions, or the duration, then stops the machine.
  ///
  /// - Parameter positions: arrival instants are on the service's clock.
  package func run<Positions: AsyncSequence & Sendable>(
    positions: Positions
  ) async -> BridgeSummary where Positions.Element == PositionEvent, Positions.Failure == Never {
    beat()
    handle(.timePassed)
    await withTaskGroup { group in
      group.addTask { [link] in await link.run() }
      group.addTask { [link] in
        for await status in await link.statuses() { await self.handle(.link(status)) }
      }
      group.addTask { for await event in positions { await self.handle(.positions(event)) } }
      if let duration {
        group.addTask { [clock] in
          guard (try? await clock.sleep(for: duration)) != nil else { return }
          await self.handle(.windDown)
        }
      }
      await hasReachedEnd()
      handle(.close)
      await lastStopTask?.value
      await link.end()
      // The link has reported every command's outcome by now.
      await lastFlight?.value
      await stopTask?.value
      group.cancelAll()
    }
    nextBeat = nil
    handle(.closed)
    subscribers.end()
    followers.end()
    return snapshot.summary
  }

  private func hasReachedEnd() async {
    guard machine.stage < .ending else { return }
    await withCheckedContinuation { endWaiter = $0 }
  }

  /// Ends the service now: no more decisions, a stop command if it was feeding, the link closed.
  package func end() { handle(.giveUp(isInterruption: true)) }

  /// Ends the service like ``end()``, but by itself, because it can't do its work.
  package func giveUp() { handle(.giveUp(isInterruption: false)) }

  /// Takes from a feed's events what they count themselves.
  package func count(from events: PositionEventQueue?) { feedEvents = events }

  /// - Parameter body: called when a countdown begins, and when feeding does.
  package func onBallsMayFly(_ body: @escaping @Sendable () -> Void) { ballsMayFly = body }

  // MARK: The funnel

  private func handle(_ event: BridgeMachine.Event) {
    isHandling = true
    defer { isHandling = false }
    let now = clock.now
    // A client's end comes before whatever comes after it, above all a ball that depends on the client.
    var actions: [BridgeMachine.Action] = []
    if let client, client.hasEnded {
      self.client = nil
      actions = machine.handle(.clientGone(client.number), at: now)
    }
    actions += machine.handle(event, at: now)
    for action in actions { carryOut(action) }
    setAlarm()
  }

  private func carryOut(_ action: BridgeMachine.Action) {
    switch action {
    case .launch(let ball, let command, let decidedAt):
      launch(ball, command, decidedAt: decidedAt)
    case .writeStop: writeStop(isLast: false)
    case .writeLastStop: writeStop(isLast: true)
    case .keepDebt(let isOwed, let machine): debts?.keep(isOwed, to: machine)
    case .publish(let event): subscribers.publish(event)
    case .publishPosition(let event): followers.publish(event)
    case .reply(let id, let reply):
      let request = requests.removeValue(forKey: id)
      if case .accepted = reply { client = request?.client ?? client }
      request?.continuation.resume(returning: reply)
    case .replyByHand(let id, let reply):
      requestsByHand.removeValue(forKey: id)?.resume(returning: reply)
    case .replyToLoad(let id, let result): loads.removeValue(forKey: id)?.resume(returning: result)
    case .ballsMayFly: ballsMayFly()
    case .end:
      endWaiter?.resume()
      endWaiter = nil
    }
  }

  private func launch(
    _ ball: SafetyCore.Ball,
    _ command: MachineCommand,
    decidedAt: MonotonicInstant
  ) {
    // Begins here and now, so that nothing comes between the decision and the link.
    lastFlight = Task.immediate(priority: .medium, executorPreference: OneThread.tasks) { [link] in
      let launched = await link.launch(command, decidedAt: decidedAt)
      // An outcome that came at once is still an event of its own.
      if isHandling { await OneThread.yield() }
      let expectsAnswer = launched.expectsAnswer
      self.handle(.landed(ball, launched.outcome, expectsAnswer: expectsAnswer))
      guard expectsAnswer else { return }
      self.handle(.answered(ball, await link.answer(to: launched.id) ?? .none))
    }
  }

  /// - Parameter isLast: whether the link ends behind it.
  private func writeStop(isLast: Bool) {
    let task = Task(priority: .urgent) {
      await withTaskExecutorPreference(OneThread.tasks) {
        let outcome = isLast ? await link.sendLastStop() : await link.sendStop()
        let status = await link.status
        handle(.stopEnded(outcome, by: status.linked, against: status.fault?.holder))
      }
    }
    if isLast { lastStopTask = task } else { stopTask = task }
  }

  // MARK: Time

  private func setAlarm() {
    guard let instant = [machine.nextDeadline, nextBeat].compactMap(\.self).min() else {
      return alarm.cancel()
    }
    alarm.set(noLaterThan: instant, on: clock, tolerance: .zero) { await self.rang(at: $0) }
  }

  private func rang(at instant: MonotonicInstant) async {
    guard alarm.takeRing(at: instant) else { return }
    beat()
    if machine.isStopUnsettled(at: clock.now) {
      let failure = await link.stopFailure
      let mayHaveArrived = await link.stopMayHaveArrived
      handle(.stopUnsettled(failure: failure, mayHaveArrived: mayHaveArrived))
    } else {
      handle(.timePassed)
    }
  }

  /// Sends the heartbeat if it is due: from this actor, so that a stuck service sends none.
  private func beat() {
    let now = clock.now
    guard let heartbeat, nextBeat.map({ $0 <= now }) ?? true else { return }
    heartbeat.beat()
    let next = (nextBeat ?? now).advanced(by: heartbeat.period)
    nextBeat = next > now ? next : now.advanced(by: heartbeat.period)
  }

  // MARK: What people ask

  /// Does what a person asks; a stop answers when its outcome is known, at most 6 s later.
  ///
  /// - Parameters:
  ///   - client: what is armed or resumed pauses when this client goes.
  ///   - mark: refused if a stop has come after it.
  package func perform(
    _ request: SafetyRequest,
    while client: ClientPresence?,
    asOf mark: StopCount.Mark?
  ) async -> SafetyReply {
    await withCheckedContinuation { continuation in
      let id = nextRequest()
      requests[id] = Request(continuation: continuation, client: client)
      // A client's end may overtake its request.
      let objection = mark.objection ?? (client?.hasEnded == true ? .clientGone : nil)
      handle(.asked(id, request, while: client?.number, against: objection))
    }
  }

  private func nextRequest() -> BridgeMachine.RequestID {
    lastRequest += 1
    return BridgeMachine.RequestID(number: lastRequest)
  }

  /// Sends one command by hand, which a person has confirmed. It pauses the automatic mode.
  ///
  /// - Parameters:
  ///   - command: the stop command counts as ``SafetyRequest/stop``.
  ///   - mark: refused if a stop has come after it.
  package func sendManually(
    _ command: MachineCommand,
    asOf mark: StopCount.Mark? = nil
  ) async -> ManualReply {
    await withCheckedContinuation { continuation in
      let id = nextRequest()
      requestsByHand[id] = continuation
      handle(.askedByHand(id, command, against: mark.objection))
    }
  }

  /// Latches a stop, and waits for nothing.
  package func beginStop() { handle(.stopCame) }

  /// Loads what the next session trains.
  ///
  /// - Parameter old: the plan that has to be loaded still; nil: any.
  /// - Returns: nil if another plan is loaded by now: then nothing is changed.
  @discardableResult
  package func load(
    _ plan: TrainingPlan,
    replacing old: TrainingPlan? = nil
  ) async throws(TrainingRefusal) -> TrainingStatus? {
    try await result(of: plan, replacing: old).get()
  }

  /// Not part of ``load(_:replacing:)``: Swift 6.2.3's compiler, Debian's, can't translate the two in one.
  private func result(
    of plan: TrainingPlan,
    replacing old: TrainingPlan?
  ) async -> Result<TrainingStatus?, TrainingRefusal> {
    await withCheckedContinuation { continuation in
      let id = nextRequest()
      loads[id] = continuation
      handle(.askedToLoad(id, plan, replacing: old))
    }
  }

  /// Takes other settings, without losing the link, nor the grid unless its interval changes.
  ///
  /// - Parameter lost: is what is lost: it is loaded if these settings allow it.
  package func reconfigure(_ settings: BridgeSettings, finding lost: TrainingPlan? = nil) {
    handle(.reconfigured(settings, finding: lost))
  }

  /// - Throws: why these settings don't do for what is loaded.
  package func check(_ settings: BridgeSettings) throws(TrainingRefusal) {
    try machine.check(settings)
  }

  /// Gives the positions' feed another calibration, unless balls may fly: the player would seem to jump.
  ///
  /// - Returns: false if it was refused.
  package func recalibrate(_ old: Locked<Calibration?>, to new: Calibration?) -> Bool {
    switch machine.safetyStatus.state {
    case .live, .countdown: return false
    case .disarmed, .pending, .resting, .paused, .stopped: break
    }
    old.withLock { $0 = new }
    return true
  }

  /// The connection of some client has ended.
  package func clientGone() { handle(.timePassed) }

  /// New clients can reach the service, or can't any more.
  package func setReachable(_ isReachable: Bool) { handle(.reachable(isReachable)) }

  // MARK: Present state and events

  /// What was loaded before the start, and is not loaded now; nil once a plan is loaded.
  package var lostTraining: LostTraining? { machine.lostTraining }

  /// Whether the level that is loaded has commands of its own, or a lost one had: a table without
  /// levels won't do.
  package var levelHasCommands: Bool { machine.levelHasCommands }

  /// The bridge as it is now.
  package var snapshot: BridgeSnapshot {
    var snapshot = machine.snapshot(at: clock.now)
    if let feedEvents { snapshot.summary.count(feedEvents.statistics) }
    return snapshot
  }

  /// The same, with what feeders send.
  package var feed: FeedSnapshot {
    FeedSnapshot(bridge: snapshot, feeders: feedEvents?.figures ?? [])
  }

  /// The present state of link and safety, then all that happens.
  ///
  /// - Parameter backlog: how many events of a kind may wait; nil: ``EventKind/room``.
  package func subscribe(backlog: Int? = nil) -> BridgeEvents {
    subscribers.add(
      room: { backlog ?? $0.room },
      present: [
        .link(machine.link), .safety(machine.safetyStatus), .training(machine.trainingStatus),
      ]
    ) { number in
      OneThread.task { await self.unsubscribe(number) }
    }
  }

  /// The player's positions; a reader that is behind gets the newest alone.
  package func followPlayer() -> BridgeEvents {
    followers.add(room: { _ in 1 }) { number in OneThread.task { await self.unfollow(number) } }
  }

  private func unfollow(_ number: Int) { followers.remove(number) }

  private func unsubscribe(_ number: Int) { subscribers.remove(number) }
}

extension StopCount.Mark? {
  /// What is said against a request that a stop has overtaken.
  fileprivate var objection: SafetyRefusal? { self?.isOvertaken == true ? .overtaken : nil }
}
