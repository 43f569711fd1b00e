import Bridge
import Clocks
import ControlProtocol
import CourtLogic
import MachineLink
import Positions
import Safety
import Training

/// What is known of a bridge from outside, and the rules of safety in Design.md in its terms: it sees what
/// goes in and what comes out. The state that the bridge shows only tells which request began what.
struct BridgeWitness {
  private(set) var breach: String?

  private let encoding: MachineEncoding
  private let stopsOnTheWayOut: Bool
  private var rules: SafetyRules
  private var limits: MachineLimits

  // People.
  private var session: Session?
  private var isPending: Bool
  private var pendingCountdown: Duration?
  private var plan: TrainingPlan
  private var isTrainingLost: Bool
  private var isLatched = false
  private var isReachable = true
  private var replies: [BridgeMachine.RequestID: Asked] = [:]

  // The link.
  private var isReady = false
  private var isSimulated: Bool?
  private var machine: RememberedMachine?
  /// The machines of which it was last told that a stop command is owed.
  private var indebted: [RememberedMachine] = []

  // Balls.
  private var flights: [SafetyCore.Ball: Flight] = [:]
  private var lastBall: MonotonicInstant?
  private var lastLanding: MonotonicInstant?
  private var refusals = 0
  private var launches = 0

  // Stops.
  private var stopsOnTheirWay = 0
  /// Whether the machine has acknowledged one, and no ball has left since.
  private var hasStop = false
  private var lastStopsEnd: MonotonicInstant?
  /// Whether a ball has left since the last stop command.
  private var isFed = false

  // The player.
  private var player: String?
  private var lastSeen: MonotonicInstant?
  private var isDoubtful = false
  private var samples: [(at: MonotonicInstant, y: Double)] = []

  // The end.
  private var isOnTheWayOut = false
  private var isClosing = false
  private var hasEnded = false
  private var isClosed = false

  // The event at hand.
  private var handAsked: MachineCommand?
  private var ordersStop = false
  private var wasRefused = false
  private var shown: SafetyState?

  /// From an accepted arming on. It may be over already, unless a law says so.
  private struct Session {
    /// No automatic ball before then.
    var notBefore: MonotonicInstant
    var watchedSince: MonotonicInstant
    /// Why no automatic ball leaves until a person says so.
    var pause: String?
    /// Without it no ball leaves.
    var client: Int?
    let plan: TrainingPlan
    /// Balls of the drill that may have arrived.
    var thrown = 0
    var restsUntil = MonotonicInstant.start
  }

  private struct Flight {
    let isByHand: Bool
    let armedAt: Int
    /// The outcome of its write, while the machine's answer is awaited.
    var outcome: WriteOutcome?

    var hasLanded: Bool { outcome != nil }
  }

  private struct Asked {
    let at: MonotonicInstant
    let kind: Kind

    enum Kind { case stop, hand, other }
  }

  private var armings = 0

  init(_ options: BridgeMachine.Options) {
    encoding = options.encoding
    stopsOnTheWayOut = options.rules.stopsOnTheWayOut
    rules = options.rules
    limits = options.limits
    plan = options.training
    isPending = options.armsAtStart
    isTrainingLost = options.lostTraining != nil
  }

  private mutating func object(_ words: @autoclosure () -> String) { breach = breach ?? words() }

  // MARK: What goes in

  /// - Parameters:
  ///   - state: what the bridge shows before it.
  ///   - isAccepted: whether a request was.
  mutating func takes(
    _ event: BridgeMachine.Event,
    in state: SafetyState,
    isAccepted: Bool,
    at now: MonotonicInstant
  ) {
    handAsked = nil
    ordersStop = false
    wasRefused = false
    switch event {
    case .asked(let id, let request, let client, let objection):
      replies[id] = Asked(at: now, kind: request == .stop ? .stop : .other)
      if request == .stop { latch() }
      if isAccepted, request != .stop {
        if objection != nil { object("a request is accepted that a stop has overtaken") }
        accepted(request, in: state, while: client, at: now)
      }
    case .askedByHand(let id, let command, _):
      replies[id] = Asked(at: now, kind: command.isStop ? .stop : .hand)
      if command.isStop { latch() } else { handAsked = command }
    case .askedToLoad(let id, _, _): replies[id] = Asked(at: now, kind: .other)
    case .stopCame: latch()
    case .link(let status): linkChanged(status, in: state, at: now)
    case .positions(.position(let position, let source, let arrival, let judgement)):
      saw(position, from: source, at: arrival, isDoubtful: judgement != .sound, in: state)
    case .positions(.ended), .windDown, .giveUp: wayOut()
    case .close:
      wayOut()
      isClosing = true
      disarmed()
    case .closed: isClosed = true
    case .clientGone(let client):
      if session?.client == client {
        pause("after its client has gone")
        // What resumes then depends on it no longer.
        session?.client = nil
      }
    case .reachable(let isReachable):
      self.isReachable = isReachable
      if isPending, !isReachable { arm(at: now, countdown: .zero) }
      isPending = isPending && isReachable
      if !isReachable { pause("while nobody can reach it") }
    case .reconfigured(let settings, _):
      rules = settings.rules
      limits = settings.limits
    case .landed(let ball, let outcome, let expectsAnswer):
      landed(ball, outcome, expectsAnswer: expectsAnswer, at: now)
    case .answered(let ball, let answer):
      guard let flight = flights.removeValue(forKey: ball), let outcome = flight.outcome else {
        break
      }
      noteTaken(answer.wasTaken(after: outcome))
    case .stopEnded(let outcome, let machine, _):
      stopsOnTheirWay = max(0, stopsOnTheirWay - 1)
      lastStopsEnd = now
      if let machine { linked(machine) }
      if outcome == .delivered {
        hasStop = true
        refusals = 0
      }
    case .stopUnsettled, .timePassed, .positions: break
    }
  }

  private mutating func accepted(
    _ request: SafetyRequest,
    in state: SafetyState,
    while client: Int?,
    at now: MonotonicInstant
  ) {
    switch request {
    case .arm(let countdown, _): arm(countdown, in: state, while: client, at: now)
    case .resume(let countdown): resume(countdown, in: state, while: client, at: now)
    case .disarm:
      disarmed()
      ordersStop = isFed && stopsOnTheWayOut
    case .pause:
      if isPending { arm(at: now, countdown: .zero) }
      isPending = false
      pause("while paused")
      ordersStop = isFed && stopsOnTheWayOut
    case .reset: isLatched = false
    case .stop: break
    }
  }

  private mutating func arm(
    _ countdown: Duration?,
    in state: SafetyState,
    while client: Int?,
    at now: MonotonicInstant
  ) {
    switch state {
    case .disarmed:
      if isTrainingLost { object("an arming while what was loaded is lost") }
      if !isReachable { object("an arming while nobody can reach it") }
      arm(at: now, countdown: countdown ?? rules.countdown, client: client)
    case .pending: pendingCountdown = countdown ?? pendingCountdown
    case .countdown, .live, .resting, .paused, .stopped:
      if let client { session?.client = client }
    }
  }

  private mutating func resume(
    _ countdown: Duration?,
    in state: SafetyState,
    while client: Int?,
    at now: MonotonicInstant
  ) {
    switch state {
    case .paused, .resting:
      if session == nil { arm(at: now, countdown: .zero) }
      if case .paused = state { refusals = 0 }
      session?.pause = nil
      session?.restsUntil = .start
      session?.watchedSince = now
      session?.notBefore = now.advanced(by: countdown ?? rules.countdown)
    case .pending: pendingCountdown = countdown ?? pendingCountdown
    case .disarmed, .countdown, .live, .stopped: break
    }
    if let client { session?.client = client }
  }

  private mutating func latch() {
    // Nothing is stopped any more once the link has ended.
    guard !isClosing || stopsOnTheirWay > 0 else { return }
    isLatched = true
    ordersStop = true
    disarmed()
  }

  private mutating func disarmed() {
    session = nil
    isPending = false
  }

  private mutating func wayOut() {
    isOnTheWayOut = true
    isPending = false
  }

  private mutating func pause(_ why: String) { session?.pause = why }

  private mutating func arm(at now: MonotonicInstant, countdown: Duration, client: Int? = nil) {
    armings += 1
    refusals = 0
    session = Session(
      notBefore: now.advanced(by: countdown),
      watchedSince: now,
      client: client,
      plan: plan
    )
  }

  private mutating func countDown(at now: MonotonicInstant) {
    guard let session else { return }
    self.session?.notBefore = max(session.notBefore, now.advanced(by: rules.countdown))
  }

  private mutating func linkChanged(
    _ status: LinkStatus,
    in state: SafetyState,
    at now: MonotonicInstant
  ) {
    if let isSimulated = status.isSimulated {
      if let before = self.isSimulated, before != isSimulated { otherMachine() }
      self.isSimulated = isSimulated
    }
    let isReady = status.phase == .ready
    if isReady, let machine = status.linked { linked(machine) }
    defer { self.isReady = isReady }
    guard isReady, !self.isReady else { return }
    if isPending {
      arm(at: now, countdown: pendingCountdown ?? rules.countdown)
      isPending = false
    } else if state.word != "resting" {
      countDown(at: now)
    }
  }

  private mutating func linked(_ machine: RememberedMachine) {
    if let before = self.machine, !before.mayBe(machine) { otherMachine() }
    self.machine = machine
  }

  private mutating func otherMachine() {
    disarmed()
    hasStop = false
  }

  private mutating func saw(
    _ position: PlayerPosition,
    from source: SourceID,
    at now: MonotonicInstant,
    isDoubtful: Bool,
    in state: SafetyState
  ) {
    if source.connection != player, let lastSeen, lastSeen.duration(to: now) <= .seconds(1) {
      return
    }
    if source.connection != player { samples = [] }
    player = source.connection
    let silentSince = max(lastSeen ?? .start, session?.watchedSince ?? .start)
    if silentSince.duration(to: now) >= rules.silenceBeforeCountdown, state.word != "resting" {
      countDown(at: now)
    }
    self.isDoubtful = isDoubtful
    lastSeen = now
    samples.append((now, position.y))
    if samples.count > 64 { samples.removeFirst(32) }
  }

  private mutating func landed(
    _ ball: SafetyCore.Ball,
    _ outcome: WriteOutcome,
    expectsAnswer: Bool,
    at now: MonotonicInstant
  ) {
    guard let flight = flights[ball], !flight.hasLanded else {
      return object("an outcome of a ball that is not on its way")
    }
    if expectsAnswer { flights[ball]?.outcome = outcome } else { flights[ball] = nil }
    if outcome.mayHaveArrived { lastLanding = now }
    noteTaken(expectsAnswer && outcome.isWritten ? nil : outcome.wasTaken)
    guard outcome.mayHaveArrived, !flight.isByHand, flight.armedAt == armings,
      let drill = session?.plan.drill, let thrown = session?.thrown
    else { return }
    session?.thrown = thrown + 1
    if thrown + 1 == drill.balls * drill.sets {
      disarmed()
    } else if (thrown + 1) % drill.balls == 0 {
      session?.restsUntil = now.advanced(by: drill.rest)
    }
  }

  private mutating func noteTaken(_ wasTaken: Bool?) {
    guard let wasTaken else { return }
    refusals = wasTaken ? 0 : refusals + 1
    if refusals >= 3 { pause("after three commands that the machine did not take") }
  }

  // MARK: What comes out

  mutating func judge(_ action: BridgeMachine.Action, at now: MonotonicInstant) {
    switch action {
    case .launch(let ball, let command, let decidedAt):
      launched(ball, command, decidedAt: decidedAt, at: now)
    case .writeStop: stopWritten(isLast: false)
    case .writeLastStop: stopWritten(isLast: true)
    case .keepDebt(let isOwed, let machine):
      indebted.removeAll { $0 == machine }
      if isOwed { indebted.append(machine) }
      if !isOwed, stopsOnTheWayOut, isFed || stopsOnTheirWay > 0 {
        object("a stop command is owed, and that is no longer recorded")
      }
    case .reply(let id, let reply): replied(id, reply, at: now)
    case .replyByHand(let id, let reply):
      let asked = takeAsked(id)
      switch reply {
      case .stopped(let outcome): check(outcome)
      case .refused(let refusal): checkEnding(refusal)
      case .sent: if asked?.kind != .hand { object("a reply of another kind than the request") }
      }
    case .replyToLoad(let id, let result):
      _ = takeAsked(id)
      if case .success(let status?) = result {
        if session != nil, shown?.word != "disarmed" { object("another plan while it is armed") }
        plan = status.plan
        isTrainingLost = false
      }
    case .publish(let event):
      if isClosed, case .record(.dispatch, _) = event { object("an event after the end") }
      if case .safety(let status) = event {
        // What follows a rest asks anew where the player is.
        if shown?.word == "resting" { session?.watchedSince = now }
        shown = status.state
      }
    case .end:
      if hasEnded { object("two ends") }
      if !isOnTheWayOut { object("an end that was not asked for") }
      hasEnded = true
    case .publishPosition, .ballsMayFly: break
    }
  }

  private mutating func takeAsked(_ id: BridgeMachine.RequestID) -> Asked? {
    guard let asked = replies.removeValue(forKey: id) else {
      object("a second reply")
      return nil
    }
    return asked
  }

  private mutating func replied(
    _ id: BridgeMachine.RequestID,
    _ reply: SafetyReply,
    at now: MonotonicInstant
  ) {
    guard let asked = takeAsked(id) else { return }
    switch reply {
    case .stopped(let outcome, let status):
      if asked.kind != .stop { object("a reply of another kind than the request") }
      check(outcome)
      if !isClosing, status.state.word != "stopped", isLatched {
        object("a stop does not latch until it is reset")
      }
    case .refused(let refusal):
      if asked.kind == .stop { object("a stop was refused") }
      checkEnding(refusal)
    case .accepted: if asked.kind == .stop { object("a stop without an outcome") }
    }
  }

  private mutating func check(_ outcome: StopOutcome) {
    switch outcome {
    case .confirmed, .alreadyStopped:
      if !hasStop { object("a stop is confirmed that the machine does not have") }
    case .unconfirmed, .unknown, .notDelivered, .contested: break
    }
  }

  private mutating func checkEnding(_ refusal: SafetyRefusal) {
    wasRefused = true
    if isOnTheWayOut, refusal != .ending { object("a request after the end is refused otherwise") }
  }

  private mutating func stopWritten(isLast: Bool) {
    if !isLast, stopsOnTheirWay > 0 { object("two stop commands at once") }
    // The link's last one takes the place of the one that is on its way.
    stopsOnTheirWay = 1
    isFed = false
  }

  private mutating func launched(
    _ ball: SafetyCore.Ball,
    _ command: MachineCommand,
    decidedAt: MonotonicInstant,
    at now: MonotonicInstant
  ) {
    let isByHand = handAsked != nil
    if let words = objection(to: command, isByHand: isByHand, decidedAt: decidedAt, at: now) {
      object("a ball " + words)
    }
    if stopsOnTheWayOut, let machine, !indebted.contains(where: { $0.mayBe(machine) }) {
      object("a ball before it is recorded that a stop command is owed")
    }
    flights[ball] = Flight(isByHand: isByHand, armedAt: armings)
    lastBall = now
    isFed = true
    hasStop = false
    handAsked = nil
    if isByHand { pause("after a command by hand") } else { launches += 1 }
  }

  /// Why this ball may not leave now.
  private func objection(
    to command: MachineCommand,
    isByHand: Bool,
    decidedAt: MonotonicInstant,
    at now: MonotonicInstant
  ) -> String? {
    if isLatched { return "while stopped" }
    if isOnTheWayOut { return "after the end" }
    if !isReady { return "without a link" }
    if stopsOnTheirWay > 0 { return "while a stop command is on its way" }
    if flights.values.contains(where: { !$0.hasLanded }) {
      return "while another one is on its way"
    }
    if decidedAt != now { return "that was decided before" }
    let least = max(
      rules.leastInterval,
      encoding == .framed ? .milliseconds(1950) : .milliseconds(2950)
    )
    if let lastBall, lastBall.duration(to: now) < least { return "too soon after the last one" }
    if let lastLanding, lastLanding.duration(to: now) < least - .milliseconds(250) {
      return "too soon after a late outcome"
    }
    if encoding == .framed, let lastStopsEnd, lastStopsEnd.duration(to: now) < .seconds(2) {
      return "whose answer may be a stop command's"
    }
    if command.isStop { return "that is a stop command" }
    if (try? limits.check(command)) == nil { return "outside the machine's limits" }
    if isByHand { return handAsked == command ? nil : "that was not asked for" }
    return objectionToAutomaticBall(at: now)
  }

  private func objectionToAutomaticBall(at now: MonotonicInstant) -> String? {
    guard let session else { return "while not armed" }
    if let pause = session.pause { return pause }
    if now < session.notBefore { return "before the countdown was over" }
    if now < session.restsUntil { return "in a rest" }
    if isTrainingLost { return "while what was loaded is lost" }
    if isDoubtful { return "at a detector in doubt" }
    let fresh = samples.filter { $0.at.duration(to: now) <= .seconds(1) }
    guard !fresh.isEmpty else { return "without a fresh position" }
    let mean = fresh.reduce(0) { $0 + $1.y } / Double(fresh.count)
    if mean < rules.leastNetDistance - 1e-9 { return "at a player near the net" }
    return nil
  }

  // MARK: After the event

  mutating func hasHandled(
    _ event: BridgeMachine.Event,
    before: BridgeMachine?,
    after: BridgeMachine,
    at now: MonotonicInstant
  ) {
    if ordersStop, stopsOnTheirWay == 0 { object("a stop command is owed, not sent") }
    if wasRefused, var told = before {
      _ = told.handle(.timePassed, at: now)
      if told.safetyStatus != after.safetyStatus || told.trainingStatus != after.trainingStatus
        || told.nextDeadline != after.nextDeadline
      {
        object("a refused request has changed something")
      }
    }
    if case .timePassed = event, let deadline = after.nextDeadline, deadline <= now,
      !after.isStopUnsettled(at: now)
    {
      object("a deadline has passed and nothing came of it")
    }
    if isOnTheWayOut, !hasEnded, flights.values.allSatisfy(\.hasLanded) {
      object("an end that is missing")
    }
    let state = after.safetyStatus.state
    if let shown, shown != state { object("a change of state that is not published") }
    if (state.word == "stopped") != isLatched, !isClosing {
      object("a stop does not latch until it is reset")
    }
    for (id, asked) in replies where asked.kind == .other {
      object("a request without a reply: \(id)")
    }
    if case .stopUnsettled = event,
      replies.values.contains(where: { $0.kind == .stop && $0.at.duration(to: now) >= .seconds(6) })
    {
      object("a stop without a reply for 6 s")
    }
  }

  mutating func atEnd(_ summary: BridgeSummary) -> String? {
    if !replies.isEmpty { object("a request without a reply") }
    if isFed, stopsOnTheWayOut { object("an end without the stop command that is owed") }
    if summary.counts.dispatches < launches { object("a ball that is not counted") }
    return breach
  }
}
