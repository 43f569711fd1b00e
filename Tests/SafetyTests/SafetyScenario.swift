import Clocks
import CourtLogic
import DBus
import Safety
import TestSupport

/// A random scenario of a ``SafetyCore``, watched by laws that know nothing of its states: they see only
/// what went in and which balls came out.
struct SafetyScenario {
  enum Event: String, CaseIterable, Hashable {
    case arm, disarm, pause, resume, stop, reset
    case linkUp, linkDown, seen, time, rules
    case ball, hand, landed, order, stopEnded
    /// An earlier program owes a stop.
    case inherit
    /// A set of a drill is over, and the drill itself.
    case rest, drillOver
    /// A client's connection has ended.
    case clientGone

    /// How often it happens, so that balls fly now and then.
    var weight: Int {
      switch self {
      case .seen: 14
      case .ball, .landed, .stopEnded: 8
      case .arm, .linkUp, .resume, .reset: 4
      case .rest: 3
      case .disarm, .pause, .stop, .linkDown, .time, .rules, .hand, .order, .inherit, .drillOver,
        .clientGone:
        1
      }
    }

    static let drawn = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    /// Without what ends a session, so that several balls follow each other.
    static let calm =
      drawn.filter {
        ![.disarm, .pause, .stop, .hand, .rules, .inherit, .rest, .drillOver, .clientGone]
          .contains($0)
      }
      + Array(repeating: .seen, count: 20)
  }

  /// What happened in which state, and how often.
  struct Pair: Hashable {
    let state: String
    let event: Event
  }

  private(set) var pairs: [Pair: Int] = [:]
  private(set) var balls = 0
  private(set) var ballsByHand = 0
  private(set) var breach: String?
  /// The last events, the newest last.
  private(set) var story: [String] = []

  private var core: SafetyCore
  private var generator: SeededGenerator
  private var now = MonotonicInstant.start
  private var rules: SafetyRules
  private var witness = Witness()
  /// Whether the machine refuses most commands, in a calm scenario.
  private let isRefusing: Bool

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    isRefusing = seed / 1_000_000 % 4 == 1
    rules = SafetyRules()
    rules = Self.rules(using: &generator)
    let armsWhenReady = Int.random(in: 0..<4, using: &generator) == 0
    core = SafetyCore(rules: rules, armsWhenReady: armsWhenReady, at: .start)
    witness.isPending = armsWhenReady
    if core.status.state != (armsWhenReady ? .pending : .disarmed(.atStart)) {
      breach = "it did not begin disarmed"
    }
  }

  /// Plays until so many events have happened, or a law is broken.
  mutating func play(events: Int) {
    for _ in 0..<events where breach == nil { step() }
  }

  private mutating func step() {
    letTimePass()
    let event = (isRefusing ? Event.calm : Event.drawn).randomElement(using: &generator)!
    pairs[Pair(state: core.status.state.word, event: event), default: 0] += 1
    story.append("\(now.seconds) \(event) in \(core.status.summary)")
    if story.count > 40 { story.removeFirst() }
    perform(event)
    // Whoever holds the core takes its orders after each event.
    if Int.random(in: 0..<8, using: &generator) > 0 { perform(.order) }
    if !core.isStopOwed, witness.owesStop(stopsOnTheWayOut: rules.stopsOnTheWayOut) {
      breach = breach ?? "a stop command is owed, and not kept for the next program"
    }
    checkDeadline()
  }

  private mutating func letTimePass() {
    let milliseconds =
      [900...1_100, 2_900...3_100, 4_900...5_100, 0...(isRefusing ? 6_000 : 70_000)]
      .randomElement(using: &generator).flatMap {
        Int.random(in: 0..<10, using: &generator) == 0 ? $0 : nil
      } ?? 0...400
    var next = now.advanced(by: .milliseconds(Int.random(in: milliseconds, using: &generator)))
    // Often at the very instant that matters, and a hair beside it.
    if let deadline = core.nextDeadline, Int.random(in: 0..<8, using: &generator) == 0 {
      let beside = Duration.nanoseconds(Int.random(in: -1...1, using: &generator))
      next = max(now, deadline.advanced(by: beside))
    }
    // However it is told the time, the same comes of it.
    var told = core
    while let deadline = told.nextDeadline, deadline <= next { told.advance(to: deadline) }
    told.advance(to: next)
    core.advance(to: next)
    if told != core { breach = "time in steps differs from time in one step" }
    now = next
    witness.timePassed(to: now, rules: rules)
  }

  private mutating func perform(_ event: Event) {
    switch event {
    case .arm:
      let countdowns: [Duration?] = [nil, .zero, .seconds(20), .seconds(70)]
      let countdown = countdowns.randomElement(using: &generator)!
      let before = core.status.state
      let client = client()
      guard accepts(.arm(countdown: countdown), while: client) else { break }
      if before == .pending {
        witness.pendingCountdown = countdown ?? witness.pendingCountdown
      } else if !before.isArmed {
        witness.armed(at: now, countdown: countdown ?? rules.countdown)
      }
      witness.needs(client)
    case .disarm: if accepts(.disarm) { witness.disarmed() }
    case .pause:
      if accepts(.pause) { witness.pausedByOperator(at: now) }
    case .resume:
      // What neither is paused nor rests resumes nothing.
      let waits = ["paused", "resting"].contains(core.status.state.word)
      let client = client()
      guard accepts(.resume, while: client) else { break }
      if waits { witness.resumed(at: now, rules: rules) }
      witness.needs(client)
    case .stop:
      if accepts(.stop) { witness.stopped() } else { breach = "a stop was refused" }
    case .reset:
      if accepts(.reset) { witness.reset() }
    case .linkUp:
      core.linkChanged(isReady: true, at: now)
      witness.linkUp(at: now, rules: rules)
    case .linkDown:
      core.linkChanged(isReady: false, at: now)
      witness.linkDown(at: now)
    case .seen: see()
    case .time: break
    case .rules:
      let stopsOnTheWayOut = rules.stopsOnTheWayOut
      rules = Self.rules(using: &generator)
      rules.stopsOnTheWayOut = stopsOnTheWayOut
      core.reconfigure(rules, at: now)
      witness.timePassed(to: now, rules: rules)
    case .ball: ask()
    case .hand: askByHand()
    case .landed:
      guard let flight = witness.flights.first else { break }
      let wasSent = Bool.random(using: &generator)
      var wasTaken: Bool? = [wasSent, false, nil].randomElement(using: &generator)!
      if isRefusing, Bool.random(using: &generator) { wasTaken = false }
      core.ended(flight.ball, wasSent: wasSent, wasTaken: wasTaken, at: now)
      witness.landed(wasSent: wasSent, wasTaken: wasTaken, at: now, rules: rules)
    case .order:
      let isWanted = witness.wantsStop(stopsOnTheWayOut: rules.stopsOnTheWayOut)
      let order = core.takeStopOrder()
      if order, witness.isStopOnItsWay { breach = "two stop commands at once" }
      if isWanted, !order, !witness.isStopOnItsWay { breach = "a stop command is owed, not sent" }
      witness.orderTaken(order)
    case .stopEnded:
      guard witness.isStopOnItsWay else { break }
      let outcome = [StopOutcome.confirmed, .unconfirmed, .notDelivered(reason: "away")]
        .randomElement(using: &generator)!
      core.stopEnded(outcome, at: now)
      witness.stopEnded(outcome)
    case .inherit:
      core.inheritStop(at: now)
      witness.isStopWanted = true
    case .rest:
      let duration = [Duration.zero, .seconds(2), .seconds(20), .seconds(90)]
        .randomElement(using: &generator)!
      let isLive = core.status.state == .live
      core.rest(for: duration, at: now)
      if isLive { witness.rests(for: duration, at: now, rules) }
    case .drillOver:
      let isArmed = core.session != nil
      core.drillEnded(at: now)
      if isArmed { witness.disarmed() }
    case .clientGone:
      let client = client() ?? 1
      core.clientGone(client, at: now)
      witness.clientGone(client, at: now)
    }
    if (core.status.state.word == "stopped") != witness.isLatched {
      breach = "a stop does not latch until it is reset"
    }
  }

  /// A client, or none.
  private mutating func client() -> Int? { [nil, 1, 2].randomElement(using: &generator)! }

  private mutating func accepts(_ request: SafetyRequest, while client: Int? = nil) -> Bool {
    let before = core
    do throws(SafetyRefusal) { try core.take(request, while: client, at: now) } catch {
      if core != before { breach = "a refused request has changed something" }
      return false
    }
    return true
  }

  private mutating func see() {
    // Steps that a player can take, now and then a leap, and sometimes across the net.
    let isLeap = Int.random(in: 0..<20, using: &generator) == 0
    let reach = isLeap ? 9.0 : 0.3
    let x = min(max(witness.place.x + .random(in: -reach...reach, using: &generator), -5), 13)
    let y = min(max(witness.place.y + .random(in: -reach...reach, using: &generator), -2), 14)
    guard let position = try? PlayerPosition(x: x, y: y) else { return }
    witness.saw(x: x, y: y, at: now, rules: rules)
    core.saw(position, at: now)
  }

  private mutating func ask() {
    let (x, y) = witness.place
    guard let position = try? PlayerPosition(x: x, y: y) else { return }
    guard let ball = core.allow(for: position, at: now) else { return }
    balls += 1
    breach = breach ?? witness.objection(at: now, rules: rules)
    witness.left(ball, at: now, byHand: false)
  }

  private mutating func askByHand() {
    let before = core
    guard let ball = try? core.allowByHand(at: now) else {
      var advanced = before
      advanced.advance(to: now)
      if core.status != advanced.status || core.isStopOwed != advanced.isStopOwed {
        breach = "a refused command by hand changes something"
      }
      return
    }
    ballsByHand += 1
    breach = breach ?? witness.objectionToAnyBall(at: now, rules: rules)
    witness.paused(.manual)
    witness.left(ball, at: now, byHand: true)
  }

  private mutating func checkDeadline() {
    if let deadline = core.nextDeadline, deadline <= now {
      breach = "a deadline has passed and nothing came of it"
    }
  }

  private static func rules(using generator: inout SeededGenerator) -> SafetyRules {
    var rules = SafetyRules()
    func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }
    rules.countdown = pick([.zero, .seconds(3), .seconds(3), .seconds(8)])
    rules.leastInterval = pick([.seconds(1), rules.leastInterval, .seconds(5)])
    rules.ballLimit = pick([nil, nil, 1, 5])
    rules.timeLimit = pick([nil, nil, .seconds(100)])
    rules.stopsOnTheWayOut = pick([true, true, false])
    return rules
  }
}

/// What is known from outside, and the rules of safety in Design.md in its terms.
private struct Witness {
  struct Flight {
    let ball: SafetyCore.Ball
    /// Nil: by hand.
    let arming: Int?
  }

  /// What began with an accepted arming, and has not ended.
  struct Session {
    let armedAt: MonotonicInstant
    /// The end of the longest countdown so far.
    var feedsFrom: MonotonicInstant
    /// Since when somebody should be seen.
    var watchedSince: MonotonicInstant
    var balls = 0
    var pause: Pause?
    /// When a rest ends, and a countdown begins.
    var restEnd: MonotonicInstant?
  }

  enum Pause { case byOperator, manual, refused, clientGone }

  /// Whether the next link arms it.
  var isPending = false
  /// The countdown that was asked for meanwhile.
  var pendingCountdown: Duration?
  /// Without it no ball leaves.
  private var client: Int?
  var place = (x: 4.0, y: 9.0)
  private(set) var isStopOnItsWay = false
  private(set) var isLatched = false
  private(set) var flights: [Flight] = []
  private var session: Session?
  private var armings = 0
  private var linkLostAt: MonotonicInstant? = .start
  private var lastSeen: MonotonicInstant?
  private var lastBall: MonotonicInstant?
  /// When the last outcome came of a ball that may have left.
  private var lastLanding: MonotonicInstant?
  var isStopWanted = false
  private var hasStopFailed = false
  /// Commands in a row that the machine did not take, since a person armed or resumed.
  private var refusals = 0
  /// Whether an automatic ball has left since the last stop command.
  private var isFed = false

  // MARK: What happens

  mutating func armed(at now: MonotonicInstant, countdown: Duration) {
    armings += 1
    refusals = 0
    session = Session(
      armedAt: now,
      feedsFrom: now.advanced(by: countdown),
      watchedSince: now
    )
  }

  mutating func pausedByOperator(at now: MonotonicInstant) { paused(.byOperator, at: now) }

  private mutating func paused(_ pause: Pause, at now: MonotonicInstant) {
    if isPending { armed(at: now, countdown: .zero) }
    isPending = false
    paused(pause)
  }

  /// A request that lets balls fly was accepted.
  mutating func needs(_ client: Int?) { self.client = client ?? self.client }

  mutating func clientGone(_ client: Int, at now: MonotonicInstant) {
    if self.client == client { paused(.clientGone, at: now) }
  }

  mutating func paused(_ pause: Pause) {
    if session?.pause == nil { session?.pause = pause }
    session?.restEnd = nil
  }

  mutating func rests(for duration: Duration, at now: MonotonicInstant, _ rules: SafetyRules) {
    session?.restEnd = now.advanced(by: max(duration - rules.countdown, .zero))
    timePassed(to: now, rules: rules)
  }

  mutating func resumed(at now: MonotonicInstant, rules: SafetyRules) {
    guard session?.pause != nil || session?.restEnd != nil else { return }
    session?.pause = nil
    session?.restEnd = nil
    client = nil
    refusals = 0
    session?.watchedSince = now
    countDown(at: now, rules)
  }

  mutating func disarmed() {
    session = nil
    client = nil
    isPending = false
  }

  mutating func stopped() {
    disarmed()
    isLatched = true
    isStopWanted = true
  }

  mutating func reset() { isLatched = false }

  mutating func linkUp(at now: MonotonicInstant, rules: SafetyRules) {
    guard linkLostAt != nil else { return }
    linkLostAt = nil
    if isPending {
      armed(at: now, countdown: pendingCountdown ?? rules.countdown)
      isPending = false
      return
    }
    // Whoever is silent, too, gets the countdown when he is seen again.
    if silence(at: now) < rules.silenceBeforeCountdown { countDown(at: now, rules) }
  }

  mutating func linkDown(at now: MonotonicInstant) { linkLostAt = linkLostAt ?? now }

  mutating func saw(x: Double, y: Double, at now: MonotonicInstant, rules: SafetyRules) {
    if linkLostAt == nil, silence(at: now) >= rules.silenceBeforeCountdown {
      countDown(at: now, rules)
    }
    lastSeen = now
    place = (x, y)
  }

  mutating func timePassed(to now: MonotonicInstant, rules: SafetyRules) {
    guard let session else { return }
    if let limit = rules.timeLimit, session.armedAt.duration(to: now) >= limit { disarmed() }
    guard session.pause == nil else { return }
    if let restEnd = session.restEnd {
      if let linkLostAt, linkLostAt.duration(to: now) >= rules.linkLossBeforeDisarming {
        disarmed()
      }
      // A rest doesn't ask where the player is.
      guard restEnd <= now else { return }
      self.session?.restEnd = nil
      self.session?.watchedSince = restEnd
      countDown(at: restEnd, rules)
    }
    if silence(at: now) >= rules.silenceBeforeDisarming { disarmed() }
    if let linkLostAt, linkLostAt.duration(to: now) >= rules.linkLossBeforeDisarming { disarmed() }
  }

  mutating func left(_ ball: SafetyCore.Ball, at now: MonotonicInstant, byHand: Bool) {
    flights.append(Flight(ball: ball, arming: byHand ? nil : armings))
    lastBall = now
    guard !byHand else { return }
    isFed = true
    session?.balls += 1
  }

  mutating func landed(
    wasSent: Bool,
    wasTaken: Bool?,
    at now: MonotonicInstant,
    rules: SafetyRules
  ) {
    let flight = flights.removeFirst()
    if wasSent { lastLanding = now }
    if let wasTaken { refusals = wasTaken ? 0 : refusals + 1 }
    defer { if refusals >= 3 { paused(.refused) } }
    guard flight.arming == armings, let session else { return }
    if !wasSent { self.session?.balls = session.balls - 1 }
    if let limit = rules.ballLimit, let balls = self.session?.balls, balls >= limit { disarmed() }
  }

  mutating func orderTaken(_ order: Bool) {
    isStopWanted = false
    if order {
      isStopOnItsWay = true
      isFed = false
    }
  }

  mutating func stopEnded(_ outcome: StopOutcome) {
    isStopOnItsWay = false
    if outcome == .confirmed { refusals = 0 }
    if case .notDelivered = outcome { hasStopFailed = true } else { hasStopFailed = false }
  }

  private mutating func countDown(at now: MonotonicInstant, _ rules: SafetyRules) {
    guard let session, session.pause == nil else { return }
    self.session?.feedsFrom = max(session.feedsFrom, now.advanced(by: rules.countdown))
  }

  private func silence(at now: MonotonicInstant) -> Duration {
    guard let session else { return .zero }
    return max(lastSeen ?? session.watchedSince, session.watchedSince).duration(to: now)
  }

  // MARK: The laws

  /// Whether a stop command must be written now.
  func wantsStop(stopsOnTheWayOut: Bool) -> Bool {
    if isStopWanted { return true }
    let hasLeftFeeding =
      session.map {
        [.byOperator, .refused, .clientGone].contains($0.pause) || $0.restEnd != nil
      } ?? true
    return stopsOnTheWayOut && isFed && hasLeftFeeding
  }

  /// Whether the machine has a stop command to get, sooner or later.
  func owesStop(stopsOnTheWayOut: Bool) -> Bool {
    isStopWanted || isStopOnItsWay || hasStopFailed || stopsOnTheWayOut && isFed
  }

  /// Why no ball at all, by hand or not, may leave now.
  func objectionToAnyBall(at now: MonotonicInstant, rules: SafetyRules) -> String? {
    if isLatched { return "a ball while stopped" }
    if linkLostAt != nil { return "a ball without a link" }
    if isStopOnItsWay { return "a ball while a stop command is on its way" }
    if isStopWanted { return "a ball before a stop command that is owed" }
    if !flights.isEmpty { return "two balls at once" }
    let interval = max(rules.leastInterval, .milliseconds(2950))
    if let lastBall, lastBall.duration(to: now) < interval {
      return "a ball too soon after the last one"
    }
    if let lastLanding, lastLanding.duration(to: now) < interval - .milliseconds(250) {
      return "a ball too soon after a late outcome"
    }
    return nil
  }

  /// Why no automatic ball may leave now.
  func objection(at now: MonotonicInstant, rules: SafetyRules) -> String? {
    if let objection = objectionToAnyBall(at: now, rules: rules) { return objection }
    guard let session else { return "a ball while not armed" }
    if refusals >= 3 { return "a ball after three commands that the machine did not take" }
    if session.pause == .clientGone { return "a ball after its client has gone" }
    if session.pause != nil { return "a ball while paused" }
    if session.restEnd != nil { return "a ball in a rest" }
    if now < session.feedsFrom { return "a ball before the countdown was over" }
    guard let lastSeen, lastSeen.duration(to: now) <= .seconds(1) else {
      return "a ball without a fresh position"
    }
    if place.y < 0 || place.y < rules.leastNetDistance { return "a ball at a player near the net" }
    if let limit = rules.ballLimit, session.balls >= limit { return "one ball too many" }
    return nil
  }
}

extension SafetyState {
  /// Whether balls fly sooner or later if nothing changes.
  fileprivate var isArmed: Bool {
    switch self {
    case .pending, .countdown, .live, .resting, .paused: true
    case .disarmed, .stopped: false
    }
  }
}
