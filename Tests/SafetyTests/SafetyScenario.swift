import Clocks
import CourtLogic
import Safety
import TestSupport

/// A random scenario of a ``SafetyCore``, watched by laws that know nothing of its states: they see only
/// what went in and which balls came out.
struct SafetyScenario {
  enum Event: String, CaseIterable, Hashable {
    case arm, disarm, pause, resume, stop, reset
    case linkUp, linkDown, seen, time, rules
    /// Another machine is linked than before.
    case otherMachine
    /// The Bluetooth stack shows whether it is the mock.
    case stack
    case ball, hand, landed, order, stopEnded
    /// The stop command's callers don't wait any longer.
    case stopOverdue
    /// An earlier program owes a stop.
    case inherit
    /// A set of a drill is over, and the drill itself.
    case rest, drillOver
    /// A client's connection has ended.
    case clientGone
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
  var story: [String] {
    steps.suffix(40).map { "\($0.at.seconds) \($0.event) in \($0.status.summary)" }
  }

  private var steps: [(at: MonotonicInstant, event: Event, status: SafetyStatus)] = []
  private var core: SafetyCore
  private var generator: SeededGenerator
  private var now = MonotonicInstant.start
  private var rules: SafetyRules
  private var witness: Witness
  private var theme: SafetyTheme
  /// Whether a latched stop is still on its way after its callers were answered.
  private var isStopOverdue = false
  /// Whether the machine refuses most commands.
  private let isRefusing: Bool

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    isRefusing = Int.random(in: 0..<3, using: &generator) == 0
    theme = SafetyTheme(using: &generator)
    rules = SafetyRules()
    rules = Self.rules(using: &generator)
    let armsWhenReady = Bool.random(using: &generator)
    let encoding = MachineEncoding.allCases.randomElement(using: &generator)!
    core = SafetyCore(rules: rules, encoding: encoding, armsWhenReady: armsWhenReady, at: .start)
    witness = Witness(encoding: encoding)
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
    if Int.random(in: 0..<40, using: &generator) == 0 { theme = SafetyTheme(using: &generator) }
    letTimePass()
    let isTowardsABall = Int.random(in: 0..<16, using: &generator) < theme.eagerness
    let event = isTowardsABall ? towardsABall() : theme.events.randomElement(using: &generator)!
    let status = core.status
    pairs[Pair(state: status.state.word, event: event), default: 0] += 1
    steps.append((now, event, status))
    // Only these two states show holds.
    if ["countdown", "live"].contains(status.state.word) {
      witness.isStopping = status.holds.contains(.stopOnItsWay)
    }
    perform(event)
    // The core's owner takes its orders after each event, or late.
    if Int.random(in: 0..<8, using: &generator) >= (theme.isLate ? 4 : 1) { perform(.order) }
    if !core.isStopOwed, witness.owesStop(stopsOnTheWayOut: rules.stopsOnTheWayOut) {
      breach = breach ?? "a stop command is owed, and not kept for the next program"
    }
    checkDeadline()
  }

  /// What leads to the next ball.
  private mutating func towardsABall() -> Event {
    if core.status.state == .pending { return theme.isLate ? .arm : .linkUp }
    if !theme.isLate {
      if witness.isStopOnItsWay { return .stopEnded }
      if !witness.flights.isEmpty { return .landed }
    }
    if !witness.isLinkUp { return theme.isLate ? .time : .linkUp }
    return switch core.status.state {
    case .disarmed, .pending: .arm
    case .stopped: .reset
    case .paused(.silence): .seen
    case .resting:
      theme.isLate ? .time : [.resume, .rules, .time, .time].randomElement(using: &generator)!
    case .paused(.refused): [.resume, .seen, .linkDown].randomElement(using: &generator)!
    case .paused: theme.isLate ? .seen : .resume
    case .live where Int.random(in: 0..<8, using: &generator) == 0: .rest
    case .countdown, .live: core.holds.isEmpty ? .ball : .seen
    }
  }

  private mutating func letTimePass() {
    let leap = 0...theme.longestLeap
    let leaps = [900...1_100, 2_900...3_100, 4_900...5_100, leap, leap, leap]
    let isLeap = Int.random(in: 0..<10, using: &generator) == 0
    let milliseconds = isLeap ? leaps.randomElement(using: &generator)! : 0...400
    var next = now.advanced(by: .milliseconds(Int.random(in: milliseconds, using: &generator)))
    let isResting = core.status.state.word == "resting"
    // Often at the very instant that matters, and a hair beside it.
    if Int.random(in: 0..<4, using: &generator) == 0 {
      let near = Duration.milliseconds(max(theme.longestLeap, 3_500))
      let isFar = isResting && Int.random(in: 0..<4, using: &generator) == 0
      let soon = now.advanced(by: isFar ? .seconds(100) : near)
      let instants = [core.nextDeadline, core.earliestBall].compactMap(\.self)
      if let instant = instants.filter({ now < $0 && $0 <= soon }).randomElement(using: &generator)
      {
        let beside = Duration.nanoseconds(Int.random(in: -1...1, using: &generator))
        next = instant.advanced(by: beside)
      }
    }
    let standsStill = Int.random(in: 0..<(isResting ? 4 : 8), using: &generator) == 0
    if standsStill {
      // Often past a deadline.
      if let deadline = core.nextDeadline, isResting || Bool.random(using: &generator) {
        let isLong = Int.random(in: 0..<8, using: &generator) == 0
        let delays = isLong ? 4_000...90_000 : 1_000...4_000
        let late = Duration.milliseconds(Int.random(in: delays, using: &generator))
        next = max(next, deadline.advanced(by: late))
      }
      core.advance(to: next)
    } else {
      // However it is told the time, the same comes of it.
      var told = core
      while let deadline = told.nextDeadline, deadline <= next { told.advance(to: deadline) }
      told.advance(to: next)
      for late in [Duration.seconds(1), .milliseconds(400)] {
        var core = core
        var step = now
        while step < next {
          step = min(step.advanced(by: late), next)
          core.advance(to: step)
        }
        if told != core { breach = "time in steps of \(late) differs from that in exact ones" }
      }
      core = told
    }
    witness.timePassed(from: now, to: next, rules: rules, standsStill: standsStill)
    now = next
  }

  private mutating func perform(_ event: Event) {
    switch event {
    case .arm:
      let countdown = countdown()
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
      let countdown = countdown()
      let isPending = core.status.state == .pending
      let client = client()
      guard accepts(.resume(countdown: countdown), while: client) else { break }
      if isPending { witness.pendingCountdown = countdown ?? witness.pendingCountdown }
      if waits { witness.resumed(at: now, countdown: countdown ?? rules.countdown) }
      witness.needs(client)
    case .stop:
      if accepts(.stop) { witness.stopped() } else { breach = "a stop was refused" }
    case .reset:
      if accepts(.reset) {
        isStopOverdue = false
        witness.reset()
      }
    case .linkUp:
      core.linkChanged(isReady: true, at: now)
      witness.linkUp(at: now, rules: rules)
    case .linkDown:
      core.linkChanged(isReady: false, at: now)
      witness.linkDown(at: now)
    case .otherMachine:
      let isConfirmed = core.status.state == .stopped(.confirmed)
      core.machineChanged(at: now)
      witness.machineChanged(isConfirmed: isConfirmed)
      if core.status.state == .stopped(.confirmed) {
        breach = "a stop is confirmed by a machine that is no longer linked"
      }
    case .stack:
      let isConfirmed = core.status.state == .stopped(.confirmed)
      let isSimulated = Bool.random(using: &generator)
      core.sawStack(isSimulated: isSimulated, at: now)
      defer { witness.isSimulated = isSimulated }
      guard let before = witness.isSimulated, before != isSimulated else { break }
      witness.machineChanged(isConfirmed: isConfirmed)
      if core.status.state.isArmed || core.status.state == .stopped(.confirmed) {
        breach = "a change between SIM and REAL leaves it as it was"
      }
    case .seen: see()
    case .time: break
    case .rules:
      let stopsOnTheWayOut = rules.stopsOnTheWayOut
      rules = Self.rules(using: &generator)
      rules.stopsOnTheWayOut = stopsOnTheWayOut
      core.reconfigure(rules, at: now)
      if witness.flights.isEmpty { witness.endAtBallLimit(at: now, rules) }
      witness.timePassed(from: now, to: now, rules: rules)
    case .ball: ask()
    case .hand: askByHand()
    case .landed:
      guard let flight = witness.flights.first else { break }
      let wasSent = Bool.random(using: &generator)
      var wasTaken: Bool? = [wasSent, false, nil].randomElement(using: &generator)!
      if isRefusing, Int.random(in: 0..<4, using: &generator) > 0 { wasTaken = false }
      core.ended(flight.ball, wasSent: wasSent, wasTaken: wasTaken, at: now)
      witness.landed(wasSent: wasSent, wasTaken: wasTaken, at: now, rules: rules)
    case .order:
      let isWanted = witness.wantsStop(at: now, rules)
      let order = core.takeStopOrder()
      if order, !witness.isStopWanted, witness.isBeingThrown(at: now, Self.shortest) {
        breach = "a stop command on top of the last ball"
      }
      if order, witness.isStopOnItsWay { breach = "two stop commands at once" }
      if isWanted, !order, !witness.isStopOnItsWay { breach = "a stop command is owed, not sent" }
      witness.orderTaken(order)
    case .stopEnded:
      guard witness.isStopOnItsWay else { break }
      let outcome = [StopOutcome.confirmed, .unconfirmed, .notDelivered(reason: "away")]
        .randomElement(using: &generator)!
      let wasConfirmed = core.status.state == .stopped(.confirmed)
      core.stopEnded(outcome, at: now)
      isStopOverdue = false
      witness.stopEnded(outcome, at: now)
      if core.status.state == .stopped(.confirmed), !wasConfirmed, witness.isStopAnothers {
        breach = "a stop is confirmed by another machine's word"
      }
    case .stopOverdue:
      let before = core.status.state
      let wasOwed = core.isStopOwed
      let known = [StopOutcome.unconfirmed, .notDelivered(reason: "away")]
        .randomElement(using: &generator)!
      core.stopIsOverdue(known, at: now)
      if before == .stopped(nil) { isStopOverdue = true }
      let expected = isStopOverdue ? .stopped(known) : before
      if core.status.state != expected || core.isStopOwed != wasOwed {
        breach = "a stop that is overdue changes more than its outcome"
      }
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
      core.drillEnded(at: now)
      witness.ballsAreOver(at: now, rules)
    case .clientGone:
      let client = client() ?? 1
      core.clientGone(client, at: now)
      witness.clientGone(client, at: now)
    }
    if (core.status.state.word == "stopped") != witness.isLatched {
      breach = "a stop does not latch until it is reset"
    }
  }

  /// Too long a one, too.
  private mutating func countdown() -> Duration? {
    [nil, .zero, .seconds(20), .seconds(70)].randomElement(using: &generator)!
  }

  /// A client, or none.
  private mutating func client() -> Int? { [nil, 1, 2].randomElement(using: &generator)! }

  private mutating func accepts(_ request: SafetyRequest, while client: Int? = nil) -> Bool {
    let before = core
    do throws(SafetyRefusal) { try core.perform(request, while: client, at: now) } catch {
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
    let isDoubtful =
      Int.random(in: 0..<16, using: &generator) == 0
      || witness.isDoubtful && Bool.random(using: &generator)
    let doubts: [SourceDoubt] = [.repeats, .notMetres(.farAway)]
    let doubt = isDoubtful ? doubts.randomElement(using: &generator) : nil
    witness.saw(x: x, y: y, isDoubtful: isDoubtful, at: now, rules: rules)
    core.saw(position, doubt: doubt, at: now)
  }

  private mutating func ask() {
    let (x, y) = witness.place
    guard let position = try? PlayerPosition(x: x, y: y) else { return }
    let interval = [Duration.zero, .seconds(4), .seconds(9)].randomElement(using: &generator)!
    guard let ball = core.allow(for: position, every: interval, at: now) else { return }
    balls += 1
    breach = breach ?? witness.objection(at: now, rules: rules)
    witness.left(ball, at: now, every: interval)
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
    witness.left(ball, at: now, every: nil)
  }

  private mutating func checkDeadline() {
    if let deadline = core.nextDeadline, deadline <= now {
      breach = "a deadline has passed and nothing came of it"
    }
  }

  /// The rules with the least interval: it is the encoding's own.
  private static let shortest: SafetyRules = {
    var rules = SafetyRules()
    rules.leastInterval = .zero
    return rules
  }()

  private static func rules(using generator: inout SeededGenerator) -> SafetyRules {
    var rules = SafetyRules()
    func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }
    rules.countdown = pick([.zero, .seconds(3), .seconds(3), .seconds(8)])
    rules.leastInterval = pick([.seconds(1), rules.leastInterval, .seconds(5)])
    rules.linkLossBeforeDisarming = pick([rules.linkLossBeforeDisarming, .seconds(5)])
    rules.ballLimit = pick([nil, nil, 1, 5])
    rules.timeLimit = pick([nil, nil, .seconds(20), .seconds(100)])
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
    /// When the last countdown began.
    var countsSince: MonotonicInstant
    /// Since when somebody should be seen.
    var watchedSince: MonotonicInstant
    var balls = 0
    var pause: Pause?
    /// When a rest ends, and a countdown begins.
    var restEnd: MonotonicInstant?
    /// No ball before then, however short a countdown is, unless a person ends the rest.
    var nextSet = MonotonicInstant.start
  }

  enum Pause { case byOperator, manual, refused, clientGone }

  let encoding: MachineEncoding
  /// Of the last stack that was seen.
  var isSimulated: Bool?
  /// Whether the next link arms it.
  var isPending = false
  /// The countdown that was asked for meanwhile.
  var pendingCountdown: Duration?
  /// Without it no ball leaves.
  private var client: Int?
  var place = (x: 4.0, y: 9.0)
  /// Whether the detector repeats itself.
  private(set) var isDoubtful = false
  private(set) var isStopOnItsWay = false
  private(set) var isLatched = false
  private(set) var flights: [Flight] = []
  private var session: Session?
  private var armings = 0
  private var linkLostAt: MonotonicInstant? = .start
  var isLinkUp: Bool { linkLostAt == nil }
  private var lastSeen: MonotonicInstant?
  private var lastBall: MonotonicInstant?
  /// How long its session's next one has to wait.
  private var lastInterval = Duration.zero
  /// When the last outcome came of a ball that may have left.
  private var lastLanding: MonotonicInstant?
  var isStopWanted = false
  private var lastStopsEnd: MonotonicInstant?
  private var isStopDoubtful = false
  /// Whether it was for another machine than the one that is linked.
  private(set) var isStopAnothers = false
  /// Commands in a row that the machine did not take, since a person armed or ended a pause.
  private var refusals = 0
  /// Whether an automatic ball has left since the last stop command.
  private var isFed = false
  /// Whether the last ball of a set, of a drill or of the session has left, and nothing has happened since.
  private var areBallsOver = false
  /// Whether a stop command of something else comes first.
  var isStopping = false

  init(encoding: MachineEncoding) { self.encoding = encoding }

  // MARK: What happens

  mutating func armed(at now: MonotonicInstant, countdown: Duration) {
    armings += 1
    areBallsOver = false
    refusals = 0
    session = Session(
      armedAt: now,
      feedsFrom: now.advanced(by: countdown),
      countsSince: now,
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
    guard self.client == client else { return }
    paused(.clientGone, at: now)
    self.client = nil
  }

  mutating func paused(_ pause: Pause) {
    guard session != nil else { return }
    // The pause of a ball by hand goes on where the machine refuses that ball, too.
    if session?.pause == nil || session?.pause == .manual && pause != .refused {
      session?.pause = pause
    }
    session?.restEnd = nil
    areBallsOver = false
  }

  mutating func rests(for duration: Duration, at now: MonotonicInstant, _ rules: SafetyRules) {
    // No set begins before the last one's last ball is thrown.
    let interval = interval(rules, lastInterval)
    let thrown = [
      lastBall?.advanced(by: interval), lastLanding?.advanced(by: interval - .milliseconds(250)),
    ]
    let end = thrown.compactMap(\.self).reduce(now.advanced(by: duration), max)
    session?.restEnd = max(now, end.advanced(by: .zero - rules.countdown))
    session?.nextSet = end
    areBallsOver = !isStopping
    timePassed(from: now, to: now, rules: rules)
  }

  mutating func resumed(at now: MonotonicInstant, countdown: Duration) {
    guard session?.pause != nil || session?.restEnd != nil else { return }
    // Resuming a rest clears no refusals.
    if session?.pause != nil { refusals = 0 }
    session?.pause = nil
    session?.restEnd = nil
    session?.watchedSince = now
    countDown(at: now, countdown)
  }

  mutating func disarmed() {
    session = nil
    client = nil
    isPending = false
    areBallsOver = false
  }

  /// The last ball of a drill or of the session has left.
  mutating func ballsAreOver(at now: MonotonicInstant, _ rules: SafetyRules) {
    // Every other pause had its own stop command.
    let isFeeding =
      session.map { session in
        session.pause == .manual
          || session.pause == nil && session.feedsFrom <= now && isLinkUp
            && silence(at: now) < rules.silenceBeforeCountdown
      } ?? false
    let areOver = isFeeding || isBeingThrown(at: now, rules)
    disarmed()
    areBallsOver = areOver && !isStopping
  }

  mutating func stopped() {
    disarmed()
    isLatched = true
    isStopWanted = true
  }

  mutating func reset() {
    isLatched = false
    isStopAnothers = false
  }

  /// - Parameter isConfirmed: whether the machine before has the stop.
  mutating func machineChanged(isConfirmed: Bool) {
    if session != nil || isPending { disarmed() }
    areBallsOver = false
    if isLatched, !isStopOnItsWay { isStopWanted = true }
    if !isConfirmed, isStopOnItsWay || isStopDoubtful { isStopAnothers = true }
  }

  mutating func linkUp(at now: MonotonicInstant, rules: SafetyRules) {
    guard linkLostAt != nil else { return }
    linkLostAt = nil
    if isStopDoubtful { isStopWanted = true }
    if isPending {
      armed(at: now, countdown: pendingCountdown ?? rules.countdown)
      isPending = false
      return
    }
    // Whoever is silent, too, gets the countdown when he is seen again; whoever rests, at the rest's end.
    if session?.restEnd == nil, silence(at: now) < rules.silenceBeforeCountdown {
      countDown(at: now, rules.countdown)
    }
  }

  mutating func linkDown(at now: MonotonicInstant) {
    linkLostAt = linkLostAt ?? now
    if session != nil, session?.restEnd == nil { areBallsOver = false }
  }

  mutating func saw(
    x: Double,
    y: Double,
    isDoubtful: Bool,
    at now: MonotonicInstant,
    rules: SafetyRules
  ) {
    // What a rest or a pause leads to is a countdown in any case.
    if self.isDoubtful, !isDoubtful, linkLostAt == nil, session?.restEnd == nil {
      // As every other way out of feeding, it doesn't wait for the last ball.
      if let session, session.feedsFrom <= now { areBallsOver = false }
      countDown(at: now, rules.countdown)
    }
    self.isDoubtful = isDoubtful
    // A rest doesn't ask where the player is.
    if linkLostAt == nil, session?.restEnd == nil,
      silence(at: now) >= rules.silenceBeforeCountdown
    {
      areBallsOver = false
      countDown(at: now, rules.countdown)
    }
    lastSeen = now
    place = (x, y)
  }

  /// - Parameter standsStill: whether nothing was done in between. A countdown that ended more than 1 s
  ///   before begins again then, in its whole length, and so does one of a rest that ended so.
  mutating func timePassed(
    from before: MonotonicInstant,
    to now: MonotonicInstant,
    rules: SafetyRules,
    standsStill: Bool = false
  ) {
    guard let session else { return }
    func isMissed(_ end: MonotonicInstant) -> Bool {
      standsStill && before < end && end.advanced(by: .seconds(1)) < now
    }
    if let limit = rules.timeLimit, session.armedAt.duration(to: now) >= limit { disarmed() }
    guard session.pause == nil else { return }
    if let restEnd = session.restEnd {
      if let linkLostAt, linkLostAt.duration(to: now) >= rules.linkLossBeforeDisarming {
        disarmed()
      }
      // A rest doesn't ask where the player is.
      guard restEnd <= now else { return }
      if !isLinkUp { areBallsOver = false }
      self.session?.restEnd = nil
      self.session?.watchedSince = restEnd
      countDown(
        at: isMissed(restEnd) ? now : restEnd,
        rules.countdown,
        noSoonerThan: session.nextSet
      )
    }
    if let end = self.session?.feedsFrom, isMissed(end), isLinkUp,
      silence(at: before) < rules.silenceBeforeCountdown
    {
      let length = max(session.countsSince.duration(to: end), rules.countdown)
      self.session?.feedsFrom = now.advanced(by: length)
      self.session?.countsSince = now
    }
    if silence(at: now) >= rules.silenceBeforeDisarming { disarmed() }
    if let linkLostAt, linkLostAt.duration(to: now) >= rules.linkLossBeforeDisarming { disarmed() }
  }

  /// - Parameter interval: nil: by hand.
  mutating func left(_ ball: SafetyCore.Ball, at now: MonotonicInstant, every interval: Duration?) {
    flights.append(Flight(ball: ball, arming: interval == nil ? nil : armings))
    lastBall = now
    lastInterval = interval ?? .zero
    areBallsOver = false
    guard interval != nil else { return }
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
    if !wasSent, flight.arming == armings { session?.balls -= 1 }
    endAtBallLimit(at: now, rules)
  }

  mutating func endAtBallLimit(at now: MonotonicInstant, _ rules: SafetyRules) {
    guard let limit = rules.ballLimit, let balls = session?.balls, balls >= limit else { return }
    ballsAreOver(at: now, rules)
  }

  mutating func orderTaken(_ order: Bool) {
    isStopWanted = false
    if order {
      isStopOnItsWay = true
      isFed = false
    }
  }

  mutating func stopEnded(_ outcome: StopOutcome, at now: MonotonicInstant) {
    isStopOnItsWay = false
    isStopping = false
    lastStopsEnd = now
    if outcome == .confirmed { refusals = 0 }
    isStopDoubtful = outcome != .confirmed
    if !isLatched, !isStopDoubtful { isStopAnothers = false }
  }

  private mutating func countDown(
    at now: MonotonicInstant,
    _ countdown: Duration,
    noSoonerThan nextSet: MonotonicInstant = .start
  ) {
    guard let session, session.pause == nil else { return }
    self.session?.feedsFrom = max(session.feedsFrom, now.advanced(by: countdown), nextSet)
    self.session?.countsSince = now
  }

  private func silence(at now: MonotonicInstant) -> Duration {
    guard let session else { return .zero }
    return max(lastSeen ?? session.watchedSince, session.watchedSince).duration(to: now)
  }

  // MARK: The laws

  /// Whether a stop command must be written now.
  func wantsStop(at now: MonotonicInstant, _ rules: SafetyRules) -> Bool {
    if isStopWanted { return true }
    if isBeingThrown(at: now, rules) { return false }
    let hasLeftFeeding =
      session.map {
        [.byOperator, .refused, .clientGone].contains($0.pause) || $0.restEnd != nil
      } ?? true
    return rules.stopsOnTheWayOut && isFed && hasLeftFeeding
  }

  /// Whether the machine may still be throwing the last ball, which nobody has asked to stop.
  func isBeingThrown(at now: MonotonicInstant, _ rules: SafetyRules) -> Bool {
    let isBetweenSets =
      session.map { session in
        session.restEnd != nil
          || now < session.feedsFrom && silence(at: now) < rules.silenceBeforeCountdown
      } ?? true
    return areBallsOver && isBetweenSets
      && (!flights.isEmpty || isTooSoon(at: now, rules, every: lastInterval) != nil)
  }

  /// Whether the machine has a stop command to get, sooner or later.
  func owesStop(stopsOnTheWayOut: Bool) -> Bool {
    isStopWanted || isStopOnItsWay || isStopDoubtful || stopsOnTheWayOut && isFed
  }

  /// Why no ball at all, by hand or not, may leave now.
  func objectionToAnyBall(at now: MonotonicInstant, rules: SafetyRules) -> String? {
    if isLatched { return "a ball while stopped" }
    if linkLostAt != nil { return "a ball without a link" }
    if isStopOnItsWay { return "a ball while a stop command is on its way" }
    if isStopWanted { return "a ball before a stop command that is owed" }
    if !flights.isEmpty { return "two balls at once" }
    if encoding == .framed, let lastStopsEnd, lastStopsEnd.duration(to: now) < .seconds(2) {
      return "a ball whose answer may be a stop command's"
    }
    return isTooSoon(at: now, rules)
  }

  /// From one ball to the next, of a session with this one.
  private func interval(_ rules: SafetyRules, _ interval: Duration) -> Duration {
    let least = encoding == .framed ? Duration.milliseconds(1950) : .milliseconds(2950)
    return max(rules.leastInterval, least, interval)
  }

  private func isTooSoon(
    at now: MonotonicInstant,
    _ rules: SafetyRules,
    every interval: Duration = .zero
  ) -> String? {
    let interval = self.interval(rules, interval)
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
    if isDoubtful { return "a ball at a detector in doubt" }
    if place.y < 0 || place.y < rules.leastNetDistance { return "a ball at a player near the net" }
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
