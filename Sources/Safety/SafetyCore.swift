package import Clocks
package import CourtLogic

/// Decides whether a ball may leave, without I/O or a clock of its own: its owner passes in events
/// with their times, and asks before every ball.
///
/// ```
///                  arm                     countdown over
///   disarmed ───────────────▶ countdown ──────────────────▶ live ◀── balls leave, unless held:
///    ▲    ▲                    │  ▲   │                       │      not seen, near or behind
///    │    │     resume, player │  │   │ pause, manual ball,   │      the net, a jump, a detector
///    │    │  seen, link back   │  │   │ silence, link lost,   │      that repeats itself: at
///    │    │                    │  │   │ refusals, client or   │      its end a countdown
///    │    │                    │  │   │ sockets gone          │
///    │    │                    │  └───┼───────── paused ◀─────┘
///    │    │                    │      └────────────▲  │
///    │    └─ disarm, limits, long silence, long ────┴──┘
///    │       link loss, from any armed state
///    │ reset
///   stopped ◀── stop ── any
///
///   live ── a set of a drill is over ──▶ resting ── its time over, resume ──▶ countdown
///      (pause, disarm and limits as above; a rest doesn't ask where the player is)
///
///   pending, when it is armed at the start ── machine ready ──▶ countdown
///      └── disarm, pause, stop: as if it were armed
/// ```
///
/// What holds in every order of events (the rules of safety in Design.md):
/// - It begins disarmed, and only ``SafetyRequest/arm(countdown:)`` ends that; or it begins
///   pending, and arms once, when the machine is ready.
/// - Balls leave only while live, or by hand; never while stopped, or while another ball is on its
///   way. The next ball waits for the least interval after the last decision, for that interval less
///   0.25 s after its outcome, and until no answer can belong to a stop command.
/// - An automatic pause ends by itself, through a countdown or in the end by disarming. A person's
///   pause waits for a person, and so do those for a machine that takes no commands and for a
///   client that has gone.
/// - Every way out of feeding owes the machine a stop command. The end of a set, of a drill or of the
///   balls waits with it until the last ball has been thrown; a person and all else never wait.
package struct SafetyCore: Hashable, Sendable {
  package private(set) var rules: SafetyRules
  private let encoding: MachineEncoding
  private let longestDelay: Duration
  private(set) var state: State
  private var since: MonotonicInstant
  /// The time of the last event.
  private var now: MonotonicInstant
  private var link: Link
  /// Whether the last Bluetooth stack that was seen is simulated; nil before the first one.
  private var isSimulated: Bool?
  private var sessions = 0
  private var lastSessionsBalls = 0

  private var sight = PlayerSight()
  private var spacing = BallSpacing()
  private var stops = StopOrders()
  /// What was loaded before the start, and can't be loaded again: it does not arm without.
  package var lostTraining: LostTraining?
  /// Whether new clients can reach the service.
  private var isReachable = true
  /// Commands in a row that the machine refused or did not answer, since a person let it feed.
  private var refusals = 0

  private enum Link: Hashable, Sendable {
    case ready
    case lost(since: MonotonicInstant)
  }

  /// - Parameters:
  ///   - encoding: the machine's. Its least interval is the floor for all rules.
  ///   - longestDelay: a deadline that is handled later shows that the program stood still.
  ///   - armsWhenReady: whether it arms once, as soon as the machine is ready.
  package init(
    rules: SafetyRules,
    encoding: MachineEncoding = .digits,
    longestDelay: Duration = .seconds(1),
    armsWhenReady: Bool = false,
    at now: MonotonicInstant
  ) {
    state = armsWhenReady ? .pending(Pending()) : .disarmed(.atStart)
    self.rules = rules
    self.encoding = encoding
    self.longestDelay = longestDelay
    self.now = now
    since = now
    link = .lost(since: now)
  }

  // MARK: Requests

  /// Does what a person asks.
  ///
  /// - Parameter client: what is armed or resumed pauses when this client goes; nil: it needs none.
  ///   A request may add or replace the client; it never removes it.
  /// - Throws: why not; then only the passing of time has changed the state.
  package mutating func take(
    _ request: SafetyRequest,
    while client: Int? = nil,
    at instant: MonotonicInstant
  ) throws(SafetyRefusal) {
    advance(to: instant)
    switch request {
    case .arm(let countdown, let label): try arm(countdown, for: label, while: client)
    case .disarm:
      disarm(.byHand)
      // Also of balls by hand that left while it was disarmed.
      payDebt()
    case .pause: try pause()
    case .resume(let countdown): try resume(countdown, while: client)
    case .stop: stop()
    case .reset: try reset()
    }
    settle()
  }

  /// - Parameter asked: the countdown; nil: the rules' own.
  private mutating func arm(
    _ asked: Duration?,
    for label: String?,
    while client: Int?
  ) throws(SafetyRefusal) {
    switch state {
    case .countdown, .live, .resting:
      guard asked == nil, label == nil || label == self.label else { throw .armed(for: self.label) }
      state.client = client ?? state.client
    case .paused: throw .paused
    case .stopped: throw .stopLatched
    case .pending(var pending):
      if let asked { pending.countdown = try checked(asked) }
      pending.label = label ?? pending.label
      pending.client = client ?? pending.client
      state = .pending(pending)
    case .disarmed(let disarmed):
      guard isReachable else { throw .socketsGone }
      if let lostTraining { throw .trainingLost(lostTraining) }
      let end = now.advanced(by: try checked(asked))
      guard link == .ready else { throw .linkNotReady }
      let session = newSession(for: label, while: client)
      enter(.countdown(Countdown(from: disarmed, beginning: session, end: end)))
    }
  }

  /// - Parameter asked: nil: the rules' own.
  private func checked(_ asked: Duration?) throws(SafetyRefusal) -> Duration {
    let countdown = asked ?? rules.countdown
    guard SafetyRules.countdowns.contains(countdown) else { throw .countdownOutOfRange }
    return countdown
  }

  private mutating func newSession(for label: String?, while client: Int?) -> Session {
    sessions += 1
    refusals = 0
    return Session(number: sessions, armedAt: now, for: label, while: client)
  }

  private mutating func newSession(from pending: Pending) -> Session {
    newSession(for: pending.label, while: pending.client)
  }

  private mutating func disarm(_ reason: SafetyState.DisarmReason) {
    if case .pending(let pending) = state { enter(.disarmed(Disarmed(from: pending, reason))) }
    guard let session = state.session else { return }
    enter(.disarmed(Disarmed(ending: session, reason)))
  }

  private mutating func pause() throws(SafetyRefusal) {
    switch state {
    case .disarmed: throw .notArmed
    case .stopped: throw .stopLatched
    case .pending, .countdown, .live, .resting, .paused: pauseForPerson(.byHand)
    }
  }

  /// Pauses what is armed until a person resumes. This also replaces a pause that would end by itself,
  /// and one by a ball by hand.
  private mutating func pauseForPerson(_ reason: SafetyState.PauseReason) {
    switch state {
    case .paused(let paused) where paused.reason.waitsForPerson && paused.reason != .manual:
      leaveFeeding()
    case .pending(let pending): enter(.paused(Paused(newSession(from: pending), reason)))
    case .disarmed, .stopped, .countdown, .live, .resting, .paused: pause(reason)
    }
  }

  private mutating func pause(_ reason: SafetyState.PauseReason) {
    guard let session = state.session else { return }
    enter(.paused(Paused(session, reason)))
  }

  /// - Parameter asked: the countdown; nil: the rules' own.
  private mutating func resume(
    _ asked: Duration?,
    while client: Int?
  ) throws(SafetyRefusal) {
    switch state {
    case .disarmed: throw .notArmed
    case .stopped: throw .stopLatched
    case .pending: return try arm(asked, for: nil, while: client)
    case .countdown, .live: guard asked == nil else { throw .notPaused }
    case .resting(var resting):
      let countdown = try checked(asked)
      guard link == .ready else { throw .linkNotReady }
      resting.session.watchedSince = now
      endRest(resting, at: now, countdown)
    case .paused(var paused):
      let countdown = try checked(asked)
      guard link == .ready else { throw .linkNotReady }
      guard isReachable else { throw .socketsGone }
      guard paused.reason.waitsForPerson else { throw .playerNotSeen }
      refusals = 0
      paused.session.watchedSince = now
      goOn(from: paused, countdown)
    }
    state.client = client ?? state.client
  }

  /// - Parameter instant: when people see the countdown begin.
  private mutating func endRest(
    _ resting: Resting,
    at instant: MonotonicInstant,
    _ countdown: Duration
  ) {
    enter(.countdown(Countdown(from: resting, end: instant.advanced(by: countdown))))
    since = instant
  }

  private mutating func goOn(from paused: Paused, _ countdown: Duration) {
    enter(.countdown(Countdown(from: paused, end: now.advanced(by: countdown))))
  }

  private mutating func stop() {
    stops.want()
    // The command may be written again, but one on its way or confirmed keeps its state: no more is known.
    switch state {
    case .stopped(.onItsWay), .stopped(.overdue), .stopped(.ended(.confirmed)): break
    default: enter(.stopped(.onItsWay))
    }
  }

  private mutating func reset() throws(SafetyRefusal) {
    switch state {
    case .disarmed: break
    case .stopped(let stopped):
      stops.isForEarlierMachine = false
      stops.isResetEarly = stops.areOpen && stopped != .ended(.confirmed)
      enter(.disarmed(Disarmed(from: stopped)))
    case .pending, .countdown, .live, .resting, .paused: throw .notStopped
    }
  }

  /// A set of the drill is over: while live, no ball leaves for so long, the countdown that ends the
  /// rest included, nor before the machine has thrown the last one. The player may leave the court
  /// meanwhile.
  package mutating func rest(for duration: Duration, at instant: MonotonicInstant) {
    advance(to: instant)
    guard case .live(let live) = state else { return }
    let nextSet = max(now.advanced(by: duration), lastBallThrown)
    let end = max(now, nextSet.advanced(by: .zero - rules.countdown))
    enter(.resting(Resting(from: live, until: end, nextSet: nextSet)))
    settle()
  }

  /// The drill's last ball has left.
  package mutating func drillEnded(at instant: MonotonicInstant) {
    advance(to: instant)
    disarm(.drillOver)
  }

  /// The number of the present session, counted from 1; nil while not armed.
  package var session: Int? { state.session?.number }

  /// The player's name, of the session or of the pending arming; nil: none was given.
  package var label: String? { state.label }

  /// Takes other rules, which count from now on; a countdown that runs keeps its end.
  package mutating func reconfigure(_ rules: SafetyRules, at instant: MonotonicInstant) {
    advance(to: instant)
    self.rules = rules
    if !isBallOnItsWay { endAtBallLimit() }
    settle()
  }

  // MARK: Events

  /// The link can carry a command now, or no longer.
  package mutating func linkChanged(isReady: Bool, at instant: MonotonicInstant) {
    advance(to: instant)
    switch (link, isReady) {
    case (.ready, false):
      link = .lost(since: now)
      switch state {
      case .paused(let paused) where paused.reason.waitsForPerson: break
      // Its end looks at the link.
      case .resting: break
      default: pause(.linkLoss)
      }
    case (.lost, true):
      link = .ready
      stops.linked()
      switch state {
      case .pending(let pending):
        let end = now.advanced(by: pending.countdown ?? rules.countdown)
        let session = newSession(from: pending)
        enter(.countdown(Countdown(from: pending, beginning: session, end: end)))
      case .paused(let paused) where paused.reason == .linkLoss:
        if isSilent { pause(.silence) } else { goOn(from: paused, rules.countdown) }
      default: break
      }
    case (.ready, true), (.lost, false): break
    }
    settle()
  }

  /// A Bluetooth stack is seen. One of the other kind, SIM or REAL, has other machines, whether one is linked
  /// yet or not: who armed has seen another mode.
  package mutating func sawStack(isSimulated: Bool, at instant: MonotonicInstant) {
    defer { self.isSimulated = isSimulated }
    if let before = self.isSimulated, before != isSimulated { machineChanged(at: instant) }
  }

  /// Another machine is linked than the one that was there before, which may stand elsewhere.
  package mutating func machineChanged(at instant: MonotonicInstant) {
    advance(to: instant)
    let wasOwed = owesStop
    disarm(.otherMachine)
    payDebt()
    if case .stopped(let stopped) = state {
      // One that is on its way goes to this one.
      if !stops.isOnItsWay { stops.want() }
      if stopped == .ended(.confirmed) {
        // Not by this one; the one before has it.
        enter(.stopped(.onItsWay))
        return settle()
      }
    }
    if wasOwed || stops.isOnItsWay || stops.isDoubtful { stops.isForEarlierMachine = true }
    settle()
  }

  /// New clients can reach the service, or can't any more: then only a person who has mended that lets
  /// balls fly again.
  package mutating func setReachable(_ isReachable: Bool, at instant: MonotonicInstant) {
    advance(to: instant)
    self.isReachable = isReachable
    if !isReachable { pauseForPerson(.socketsGone) }
  }

  /// A client's connection has ended. If balls depend on it, only a person lets them go on.
  package mutating func clientGone(_ client: Int, at instant: MonotonicInstant) {
    advance(to: instant)
    guard state.client == client else { return }
    pauseForPerson(.clientGone)
    // What resumes then depends on it no longer.
    state.client = nil
  }

  /// The player was seen.
  ///
  /// - Parameters:
  ///   - isRepeated: whether the detector repeats itself, so that the player may be gone.
  ///   - instant: when the position arrived, which may be some time ago.
  package mutating func saw(
    _ position: PlayerPosition,
    isRepeated: Bool = false,
    at instant: MonotonicInstant
  ) {
    advance(to: instant)
    let wasRepeated = sight.isRepeated
    sight.saw(
      position,
      isRepeated: isRepeated,
      at: instant,
      greatestSpeed: rules.greatestSpeed
    )
    if case .paused(let paused) = state, paused.reason == .silence, !isSilent {
      goOn(from: paused, rules.countdown)
    } else if wasRepeated, !isRepeated {
      seenAgain()
    }
    settle()
  }

  /// The detector measures again: people may have moved while it did not.
  private mutating func seenAgain() {
    let end = now.advanced(by: rules.countdown)
    switch state {
    case .live(let live): enter(.countdown(Countdown(from: live, end: end)))
    case .countdown(var countdown):
      countdown.prolong(until: end)
      state = .countdown(countdown)
      since = now
    // All that leads back from there is a countdown.
    case .disarmed, .pending, .resting, .paused, .stopped: break
    }
  }

  /// The mean of the last second's positions has changed.
  package mutating func averaged(_ position: PlayerPosition, at instant: MonotonicInstant) {
    advance(to: instant)
    sight.averaged(position)
  }

  /// Lets time pass: everything that was due by then happens, in order.
  package mutating func advance(to instant: MonotonicInstant) {
    let end = max(now, instant)
    while let (deadline, event) = nextEvent, deadline <= end {
      now = max(now, deadline)
      apply(event, handledAt: end)
    }
    now = end
  }

  /// When to call ``advance(to:)``, because time alone changes something; nil while it doesn't.
  package var nextDeadline: MonotonicInstant? {
    [nextEvent?.at, nextEndOfSight].compactMap(\.self).min()
  }

  private enum Event {
    case lastBallThrown, countdownOver, restOver, silence, longSilence, longLinkLoss, timeOver
  }

  /// What time alone causes next.
  private var nextEvent: (at: MonotonicInstant, event: Event)? {
    var next: (at: MonotonicInstant, event: Event)?
    if stops.debt == .afterLastBall, !isBallOnItsWay {
      next = (lastBallThrown, .lastBallThrown)
    }
    guard let session = state.session else { return next }
    // Of two events at one instant, the first `expect` wins.
    func expect(_ event: Event, after duration: Duration?, from start: MonotonicInstant) {
      guard let instant = duration.map(start.advanced(by:)), next.map({ instant < $0.at }) ?? true
      else { return }
      next = (instant, event)
    }
    expect(.timeOver, after: rules.timeLimit, from: session.armedAt)
    if case .resting(let resting) = state {
      expect(.restOver, after: .zero, from: resting.until)
    } else {
      if case .paused(let paused) = state {
        guard !paused.reason.waitsForPerson else { return next }
      } else {
        expect(.silence, after: rules.silenceBeforeCountdown, from: silentSince(in: session))
      }
      expect(.longSilence, after: rules.silenceBeforeDisarming, from: silentSince(in: session))
    }
    if case .lost(let since) = link {
      expect(.longLinkLoss, after: rules.linkLossBeforeDisarming, from: since)
    }
    if case .countdown(let countdown) = state {
      expect(.countdownOver, after: .zero, from: countdown.until)
    }
    return next
  }

  /// - Parameter handled: when the program comes to it. If it stood still until then, people have not seen
  ///   the end of a countdown, and it begins again.
  private mutating func apply(_ event: Event, handledAt handled: MonotonicInstant) {
    func isMissed(_ end: MonotonicInstant) -> Bool { end.duration(to: handled) > longestDelay }
    switch event {
    case .lastBallThrown: payDebt()
    case .timeOver: disarm(.timeLimit)
    case .longSilence: disarm(.silence)
    case .longLinkLoss: disarm(.linkLoss)
    case .silence:
      if case .countdown(let countdown) = state, isMissed(countdown.until) {
        beginAgain(countdown, at: handled)
      }
      pause(.silence)
    case .restOver:
      guard case .resting(var resting) = state else { return }
      resting.timeIsOver(at: now)
      state = .resting(resting)
      guard link == .ready else { return pause(.linkLoss) }
      endRest(resting, at: isMissed(now) ? handled : now, rules.countdown)
    case .countdownOver:
      guard case .countdown(let countdown) = state else { return }
      if isMissed(countdown.until) {
        beginAgain(countdown, at: handled)
      } else {
        enter(.live(Live(from: countdown)))
      }
    }
  }

  /// In its whole length.
  private mutating func beginAgain(_ countdown: Countdown, at instant: MonotonicInstant) {
    var countdown = countdown
    let length = max(since.duration(to: countdown.until), rules.countdown)
    countdown.prolong(until: instant.advanced(by: length))
    state = .countdown(countdown)
    since = instant
  }

  private func silentSince(in session: Session) -> MonotonicInstant {
    max(sight.lastSeen ?? session.watchedSince, session.watchedSince)
  }

  private var isSilent: Bool {
    guard let session = state.session else { return false }
    return silentSince(in: session).duration(to: now) >= rules.silenceBeforeCountdown
  }

  /// A countdown of nothing is over at once.
  private mutating func settle() { advance(to: now) }

  private mutating func enter(_ next: State) {
    if let session = state.session { lastSessionsBalls = session.balls }
    state = next
    since = now
    if case .live = next {
      // A stop command that waits isn't lost where the next set begins sooner.
      if stops.debt == .afterLastBall { payDebt() }
      stops.debt = .afterFeeding
    }
    leaveFeeding()
  }

  /// A machine that balls may have left for has its stop command written once nothing feeds it, and,
  /// where only the balls are over, once it has thrown the last one.
  private mutating func leaveFeeding() {
    guard stops.debt != .none, !state.keepsFeeding else { return }
    if state.followsLastBall, isBallOnItsWay || now < lastBallThrown {
      stops.debt = .afterLastBall
    } else {
      payDebt()
    }
  }

  private mutating func payDebt() {
    if owesStop { stops.want() }
    stops.debt = .none
  }

  private var owesStop: Bool { stops.debt != .none && rules.stopsOnTheWayOut }

  // MARK: Balls

  /// One ball that was allowed.
  package struct Ball: Hashable, Sendable {
    let number: Int
    /// Nil: by hand.
    let session: Int?
  }

  /// Whether a ball's command has no outcome yet.
  package var isBallOnItsWay: Bool { spacing.ballOnItsWay != nil }

  /// Whether the logic may be asked for a decision, from ``earliestBall`` on.
  package var isFeeding: Bool {
    guard case .live = state else { return false }
    return link == .ready && !isBallOnItsWay && !stops.areBallsHeld
  }

  /// When the least interval since the last ball is over, and no answer of the machine can be that to the
  /// last stop command any more; in the past, or the clock's start, when both hold already.
  package var earliestBall: MonotonicInstant {
    max(
      spacing.end(of: leastInterval),
      stops.lastEnd?.advanced(by: encoding.longestAnswer) ?? .start
    )
  }

  private var leastInterval: Duration { max(rules.leastInterval, encoding.leastInterval) }

  private var lastBallThrown: MonotonicInstant {
    spacing.lastBallThrown(leastInterval: leastInterval)
  }

  /// The machine turns until then for the ball on its way.
  package mutating func turns(until instant: MonotonicInstant) { spacing.turns(until: instant) }

  /// Allows an automatic ball for a player with this average position, unless something holds it.
  ///
  /// - Parameter interval: until the next one, as its session feeds.
  /// - Returns: the ball, which counts as on its way until ``ended(_:wasSent:at:)``; nil: held.
  package mutating func allow(
    for position: PlayerPosition,
    every interval: Duration,
    at instant: MonotonicInstant
  ) -> Ball? {
    averaged(position, at: instant)
    guard isFeeding, now >= earliestBall, holds.isEmpty, var session = state.session else {
      return nil
    }
    session.balls += 1
    state.session = session
    return spacing.launch(in: session.number, every: interval, at: now)
  }

  /// Allows one ball by hand, which pauses the automatic mode. A refusal changes nothing.
  package mutating func allowByHand(at instant: MonotonicInstant) throws(SafetyRefusal) -> Ball {
    advance(to: instant)
    if case .stopped = state { throw .stopLatched }
    guard link == .ready else { throw .linkNotReady }
    guard !stops.areBallsHeld else { throw .stopOnItsWay }
    guard !isBallOnItsWay else { throw .ballOnItsWay }
    // The stop command goes first.
    let earliest =
      stops.debt == .afterLastBall ? max(earliestBall, lastBallThrown) : earliestBall
    guard now >= earliest else { throw .tooSoon(wait: now.duration(to: earliest)) }
    switch state {
    case .paused(let paused) where paused.reason.waitsForPerson: break
    default: pause(.manual)
    }
    stops.debt = .afterFeeding
    return spacing.launch(in: nil, every: .zero, at: now)
  }

  /// The outcome of a ball's command is known.
  ///
  /// - Parameters:
  ///   - wasSent: whether the machine may have it.
  ///   - wasTaken: whether the machine took it; false if the machine refused it or did not answer,
  ///     nil if the outcome says nothing of the machine.
  package mutating func ended(
    _ ball: Ball,
    wasSent: Bool,
    wasTaken: Bool?,
    at instant: MonotonicInstant
  ) {
    advance(to: instant)
    guard spacing.ended(ball, wasSent: wasSent, at: now) else { return }
    if let wasTaken { refusals = wasTaken ? 0 : refusals + 1 }
    if !wasSent, var session = state.session, session.number == ball.session {
      session.balls -= 1
      state.session = session
    }
    // Not earlier: their stop command would overtake the last ball.
    endAtBallLimit()
    pauseForRefusals()
    settle()
  }

  /// Whenever no ball is on its way, a session has had fewer balls than the limit, or it is over.
  private mutating func endAtBallLimit() {
    guard let limit = rules.ballLimit, let session = state.session, session.balls >= limit else {
      return
    }
    disarm(.ballLimit)
  }

  /// The machine has answered a ball's command, or its time for that is over.
  ///
  /// - Parameter wasTaken: nil if the answer adds nothing to the outcome.
  package mutating func answered(wasTaken: Bool?, at instant: MonotonicInstant) {
    advance(to: instant)
    guard let wasTaken else { return }
    refusals = wasTaken ? 0 : refusals + 1
    pauseForRefusals()
  }

  private mutating func pauseForRefusals() {
    guard refusals >= SafetyRules.mostRefusals else { return }
    if case .paused(let paused) = state, paused.reason.waitsForPerson { return }
    pause(.refused)
  }

  // MARK: Stop commands

  /// Whether the machine is still to get a stop command, now or when feeding ends.
  package var isStopOwed: Bool {
    owesStop || stops.areOpen
  }

  /// An earlier program owed the machine a stop command: it goes first.
  package mutating func inheritStop(at instant: MonotonicInstant) {
    advance(to: instant)
    stops.want()
  }

  /// Whether a stop command is to be written now. True takes the order: the caller writes it, then
  /// calls ``stopEnded(_:at:)``.
  package mutating func takeStopOrder() -> Bool { stops.take() }

  package var isStopOnItsWay: Bool { stops.isOnItsWay }

  /// The outcome of the stop command is known.
  ///
  /// - Returns: the outcome for the machine that it was meant for.
  @discardableResult
  package mutating func stopEnded(
    _ outcome: StopOutcome,
    at instant: MonotonicInstant
  ) -> StopOutcome {
    advance(to: instant)
    let confirmsEarlierMachine = stops.ended(outcome, at: now)
    if outcome == .confirmed { refusals = 0 }
    guard case .stopped(let stopped) = state else {
      if confirmsEarlierMachine { stops.isForEarlierMachine = false }
      return confirmsEarlierMachine ? .ofAnotherMachine : outcome
    }
    var known = outcome
    if confirmsEarlierMachine {
      known = if case .ended(let earlier) = stopped { earlier } else { .ofAnotherMachine }
    }
    if stopped != .ended(.confirmed) { state = .stopped(.ended(known)) }
    return known
  }

  /// The outcome of the stop command takes too long. The command stays on its way, and holds balls back.
  ///
  /// - Parameter known: what the state shows until the outcome comes.
  package mutating func stopIsOverdue(_ known: StopOutcome, at instant: MonotonicInstant) {
    advance(to: instant)
    switch state {
    case .stopped(.onItsWay), .stopped(.overdue): state = .stopped(.overdue(known))
    default: break
    }
  }

  /// The service is on its way out: a machine that becomes ready now must not arm.
  package mutating func endPending(at instant: MonotonicInstant) {
    advance(to: instant)
    if case .pending = state { disarm(.ending) }
  }

  /// The service ends: an armed state is disarmed.
  ///
  /// - Returns: whether the machine is to get a last stop command; then ``stopEnded(_:at:)``
  ///   follows.
  package mutating func end(at instant: MonotonicInstant) -> Bool {
    advance(to: instant)
    let owesLastStop =
      switch state {
      case .stopped(let stopped): stopped != .ended(.confirmed)
      case .countdown, .live, .resting, .paused: rules.stopsOnTheWayOut
      case .disarmed, .pending: owesStop
      }
    disarm(.ending)
    return stops.takeLast(isOwed: owesLastStop)
  }

  // MARK: Status

  /// What holds balls back now, the most important first; while disarmed or resting, what may still
  /// come of the last ones, and that it can't arm.
  package var holds: [SafetyHold] {
    switch state {
    case .disarmed: return outstanding + lost
    case .stopped: return lost
    case .resting: return outstanding
    case .pending, .paused: return []
    case .countdown, .live: break
    }
    return (stops.areBallsHeld ? [.stopOnItsWay] : []) + sight.holds(at: now, under: rules)
  }

  private var lost: [SafetyHold] { lostTraining.map { [.trainingLost($0)] } ?? [] }

  private var outstanding: [SafetyHold] {
    if stops.debt == .afterLastBall { return [.lastBall] }
    guard case .disarmed = state, stops.areOpen else { return [] }
    // One that a linked machine gets now is no news. A latched one is, until it is confirmed.
    let endsSoon = link == .ready && !stops.isDoubtful && !stops.isResetEarly
    return endsSoon || stops.isLast ? [] : [.stopOwed]
  }

  package var status: SafetyStatus {
    var status = SafetyStatus(state: state.shown, since: since)
    status.holds = holds
    status.balls = state.session?.balls ?? lastSessionsBalls
    return status
  }

  /// When time alone begins or ends a visible hold.
  private var nextEndOfSight: MonotonicInstant? {
    switch state {
    case .disarmed, .pending, .resting, .paused, .stopped: return nil
    case .countdown, .live: break
    }
    return sight.nextChange(after: now)
  }
}
