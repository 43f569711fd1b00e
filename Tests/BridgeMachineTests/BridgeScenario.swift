import BlueZ
import Bridge
import Clocks
import ControlProtocol
import CourtLogic
import Positions
import Safety
import Training

@testable import MachineLink

/// A random life of a ``BridgeMachine``: what its owner would tell it, in any order, and a
/// ``BridgeWitness`` that judges what comes of it.
struct BridgeScenario {
  enum Kind: String, CaseIterable, Hashable, Sendable {
    case time
    case arm, disarm, pause, resume, stop, stopCame, reset, hand, handStop, load, overtaken
    case settings, unreachable, reachable, clientGone
    case linkUp, linkDown, otherMachine, otherStack
    case seen, doubtful, badLine, feederGone
    case landed, answered, stopEnded
    case windDown, giveUp, positionsEnd
  }

  private(set) var tally = Tally()
  private(set) var breach: String?
  private(set) var story: [String] = []

  private var machine: BridgeMachine
  private var witness: BridgeWitness
  private var generator: SeededGenerator
  private var theme: Theme
  private var now = MonotonicInstant.start
  private let isTold: Bool

  // What the owner carries out.
  private var lastRequest: UInt64 = 0
  private var flights: [Flight] = []
  private var stopsOnTheirWay = 0
  private var link: LinkStatus
  private var place = (x: 4.0, y: 9.0)
  private var isClosing = false
  private let encoding: MachineEncoding
  private let stopsOnTheWayOut: Bool

  private struct Flight {
    let ball: SafetyCore.Ball
    /// Whether its write has its outcome.
    var hasLanded = false
  }

  /// Drawn evenly from all kinds of events, the few that a defect needs seldom meet: a theme draws from a
  /// random few, and leads to balls besides (swarm testing: Groce et al., ISSTA 2012).
  private struct Theme {
    let kinds: [Kind]
    /// How many of 16 events are what leads to the next ball.
    let eagerness: Int
    /// Whether outcomes are late.
    let isLate: Bool
    /// In milliseconds.
    let longestLeap: Int

    init(using generator: inout SeededGenerator) {
      let endings: Set<Kind> = [.windDown, .giveUp, .positionsEnd]
      let few = Kind.allCases.filter { kind in
        Int.random(in: 0..<(endings.contains(kind) ? 40 : 4), using: &generator) == 0
      }
      kinds = few.isEmpty ? [.time] : few
      eagerness = [0, 8, 13, 15].randomElement(using: &generator)!
      isLate = Int.random(in: 0..<3, using: &generator) == 0
      longestLeap = [400, 6_000, 70_000].randomElement(using: &generator)!
    }
  }

  init(seed: UInt64, isTold: Bool = false) {
    self.isTold = isTold
    var generator = SeededGenerator(seed: seed)
    theme = Theme(using: &generator)
    encoding = Int.random(in: 0..<4, using: &generator) == 0 ? .framed : .digits
    stopsOnTheWayOut = Int.random(in: 0..<4, using: &generator) > 0
    var rules = SafetyRules()
    rules.stopsOnTheWayOut = stopsOnTheWayOut
    var options = BridgeMachine.Options(
      logic: LogicManager(.init(table: Self.table(encoding))),
      rules: rules,
      armsAtStart: Int.random(in: 0..<4, using: &generator) == 0
    )
    options.encoding = encoding
    options.stopCommand = .stop(in: encoding)
    options.limits = MachineLimits(encoding)
    options.seed = seed
    if !options.armsAtStart, Int.random(in: 0..<8, using: &generator) == 0 {
      options.lostTraining = .level(.beginner)
    }
    witness = BridgeWitness(options)
    machine = BridgeMachine(options: options, at: .start)
    link = LinkStatus(since: .start)
    self.generator = generator
  }

  /// 16 commands; those of the far rows are outside ``narrow(_:)``'s limits.
  private static func table(_ encoding: MachineEncoding) -> CommandTable {
    CommandTable { zone in
      switch encoding {
      case .digits:
        try! MachineCommand(.digits, [10_000 + 100 * zone.row, 9_000, 100 * zone.row, zone.column])
      case .framed: try! MachineCommand(.framed, [40 + zone.row, 40, zone.row, zone.column, 50])
      }
    }
  }

  private static func narrow(_ encoding: MachineEncoding) -> MachineLimits {
    var fields = FieldLimits()
    fields[.upper] = encoding == .digits ? 0...10_150 : 0...41
    return MachineLimits(encoding, fields)
  }

  // MARK: Playing

  /// Plays so many steps and then the end, or up to the first breach.
  mutating func play(steps: Int) {
    handle(.timePassed)
    for _ in 0..<steps where breach == nil && !isClosing { step() }
    if breach == nil { end() }
  }

  private mutating func step() {
    if Int.random(in: 0..<40, using: &generator) == 0 { theme = Theme(using: &generator) }
    letTimePass()
    guard breach == nil, !isClosing else { return }
    let isTowardsABall = Int.random(in: 0..<16, using: &generator) < theme.eagerness
    let kind = isTowardsABall ? towardsABall() : theme.kinds.randomElement(using: &generator)!
    tally[kind] += 1
    perform(kind)
  }

  /// What leads to the next ball.
  private mutating func towardsABall() -> Kind {
    if !theme.isLate {
      if stopsOnTheirWay > 0 { return .stopEnded }
      if flights.contains(where: \.hasLanded) { return .answered }
      if !flights.isEmpty { return .landed }
    }
    guard link.phase == .ready else { return theme.isLate ? .time : .linkUp }
    return switch machine.safetyStatus.state {
    case .pending: .linkUp
    case .disarmed where machine.lostTraining != nil: .load
    case .disarmed: .arm
    case .stopped: .reset
    case .resting: [.resume, .time, .time, .seen].randomElement(using: &generator)!
    case .paused(.silence): .seen
    case .paused(.socketsGone): .reachable
    case .paused: .resume
    case .countdown, .live: .seen
    }
  }

  private mutating func letTimePass() {
    let isLeap = Int.random(in: 0..<12, using: &generator) == 0
    let milliseconds = isLeap ? 0...theme.longestLeap : 0...400
    let next = now.advanced(by: .milliseconds(Int.random(in: milliseconds, using: &generator)))
    // The program may stand still, so that it comes late to a deadline.
    let standsStill = Int.random(in: 0..<10, using: &generator) == 0
    if standsStill { now = next }
    var rings = 0
    while breach == nil, !isClosing, let deadline = machine.nextDeadline, deadline <= next {
      now = max(now, deadline)
      ring()
      rings += 1
      if rings > 100 { breach = "a deadline has passed and nothing came of it" }
    }
    now = max(now, next)
  }

  /// As the owner's alarm does.
  private mutating func ring() {
    guard machine.isStopUnsettled(at: now) else { return handle(.timePassed) }
    tally[.unsettledStops] += 1
    handle(
      .stopUnsettled(
        failure: Bool.random(using: &generator) ? .notSent(.busy) : nil,
        mayHaveArrived: Bool.random(using: &generator)
      )
    )
  }

  private mutating func perform(_ kind: Kind) {
    switch kind {
    case .time: handle(.timePassed)
    case .arm: ask(.arm(countdown: countdown()))
    case .disarm: ask(.disarm)
    case .pause: ask(.pause)
    case .resume: ask(.resume(countdown: countdown()))
    case .stop: ask(.stop)
    case .reset: ask(.reset)
    case .overtaken:
      let request = [SafetyRequest.arm(), .resume(), .reset, .stop].randomElement(
        using: &generator
      )!
      ask(request, against: [.overtaken, .clientGone].randomElement(using: &generator)!)
    case .stopCame: handle(.stopCame)
    case .hand:
      let zone = Zone.allCases.randomElement(using: &generator)!
      handle(.askedByHand(nextRequest(), Self.table(encoding)[zone], against: nil))
    case .handStop: handle(.askedByHand(nextRequest(), .stop(in: encoding), against: nil))
    case .load: handle(.askedToLoad(nextRequest(), plan(), replacing: nil))
    case .settings: handle(.reconfigured(settings(), finding: nil))
    case .unreachable: handle(.reachable(false))
    case .reachable: handle(.reachable(true))
    case .clientGone: handle(.clientGone(Int.random(in: 1...2, using: &generator)))
    case .linkUp: linkUp()
    case .linkDown:
      link.phase = .backingOff
      handle(.link(link))
    case .otherMachine, .otherStack:
      let before = link.linked ?? Self.remembered(0, isSimulated: true)
      var other = before
      if kind == .otherStack {
        other.isSimulated.toggle()
      } else {
        other.address =
          Self.remembered(before.address == Self.addresses[0] ? 1 : 0, isSimulated: true)
          .address
      }
      link.linked = other
      link.isSimulated = other.isSimulated
      linkUp()
    case .seen, .doubtful: see(isDoubtful: kind == .doubtful)
    case .badLine:
      handle(.positions(.badLine(BadLine(line: 1, text: "x", reason: .notJSON), connection: "a")))
    case .feederGone: handle(.positions(.closed(connection: "a")))
    case .landed: land()
    case .answered: answer()
    case .stopEnded: endStop()
    case .windDown: handle(.windDown)
    case .giveUp: handle(.giveUp(isInterruption: Bool.random(using: &generator)))
    case .positionsEnd: handle(.positions(.ended))
    }
  }

  private mutating func nextRequest() -> BridgeMachine.RequestID {
    lastRequest += 1
    return BridgeMachine.RequestID(number: lastRequest)
  }

  private mutating func ask(_ request: SafetyRequest, against objection: SafetyRefusal? = nil) {
    let client = [nil, nil, 1, 2].randomElement(using: &generator)!
    handle(.asked(nextRequest(), request, while: client, against: objection))
  }

  /// Too long a one, too.
  private mutating func countdown() -> Duration? {
    [nil, nil, .zero, .seconds(8), .seconds(70)].randomElement(using: &generator)!
  }

  private mutating func plan() -> TrainingPlan {
    let interval = [Duration.seconds(2), .seconds(3), .seconds(5)].randomElement(using: &generator)!
    let targets = WeightedTargets([
      .init(Target(Zone.allCases[1])), .init(Target(Zone.allCases[14])),
    ])
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return .follow(nil)
    case 1: return .follow(.init(.beginner, interval: interval))
    default:
      let drill = Drill(
        name: "d",
        strategy: Bool.random(using: &generator) ? .follow : .random(targets),
        interval: interval,
        balls: Int.random(in: 1...3, using: &generator),
        sets: Int.random(in: 1...2, using: &generator),
        rest: [.zero, .seconds(4), .seconds(20)].randomElement(using: &generator)!
      )
      return .drill(drill, seed: nil)
    }
  }

  private mutating func settings() -> BridgeSettings {
    func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }
    var rules = SafetyRules()
    rules.stopsOnTheWayOut = stopsOnTheWayOut
    rules.countdown = pick([.zero, .seconds(3), .seconds(3), .seconds(8)])
    rules.leastInterval = pick([.seconds(1), rules.leastInterval, .seconds(5)])
    rules.leastNetDistance = pick([0.5, 0.5, 2])
    rules.ballLimit = pick([nil, nil, 2, 5])
    rules.timeLimit = pick([nil, nil, .seconds(20)])
    return BridgeSettings(
      .init(table: Self.table(encoding), interval: pick([.seconds(3), .seconds(4)])),
      limits: pick([MachineLimits(encoding), MachineLimits(encoding), Self.narrow(encoding)]),
      rules: rules
    )
  }

  // MARK: The world

  private static let addresses = ["F0:F1:F2:F3:F4:F5", "F0:F1:F2:F3:F4:F6"].map {
    BluetoothAddress($0)!
  }

  private static func remembered(_ number: Int, isSimulated: Bool) -> RememberedMachine {
    RememberedMachine(
      address: addresses[number],
      addressType: .public,
      name: nil,
      profile: "ball-machine",
      adapter: BluetoothAddress("AA:BB:CC:DD:EE:01")!,
      isSimulated: isSimulated
    )
  }

  private mutating func linkUp() {
    link.phase = .ready
    link.linked = link.linked ?? Self.remembered(0, isSimulated: true)
    link.isSimulated = link.linked?.isSimulated
    handle(.link(link))
  }

  private mutating func see(isDoubtful: Bool) {
    // Steps that a player can take, now and then a leap, and sometimes across the net.
    let isLeap = Int.random(in: 0..<30, using: &generator) == 0
    let reach = isLeap ? 9.0 : 0.3
    let x = min(max(place.x + .random(in: -reach...reach, using: &generator), -5), 13)
    let y = min(max(place.y + .random(in: -reach...reach, using: &generator), -2), 14)
    place = (x, y)
    guard let position = try? PlayerPosition(x: x, y: y) else { return }
    let connection = Int.random(in: 0..<12, using: &generator) == 0 ? "b" : "a"
    let doubts = [
      SourceJudgement(repetition: .stuck(since: now)), SourceJudgement(misfit: .fractions),
    ]
    let judgement = isDoubtful ? doubts.randomElement(using: &generator)! : .sound
    let source = SourceID(connection: connection)
    handle(.positions(.position(position, from: source, at: now, judgement)))
  }

  private mutating func land() {
    guard let index = flights.firstIndex(where: { !$0.hasLanded }) else { return }
    let outcomes: [WriteOutcome] = [
      .delivered, .delivered, .delivered, .queued, .notSent(.superseded),
      .notSent(.rejected(code: 3)), .unknown(.noReply), .unknown(.abandonedForStop),
    ]
    let outcome = outcomes.randomElement(using: &generator)!
    let expectsAnswer = encoding == .framed && outcome.mayHaveArrived
    let ball = flights[index].ball
    if expectsAnswer { flights[index].hasLanded = true } else { flights.remove(at: index) }
    handle(.landed(ball, outcome, expectsAnswer: expectsAnswer))
  }

  private mutating func answer() {
    guard let index = flights.firstIndex(where: \.hasLanded) else { return }
    let ball = flights.remove(at: index).ball
    handle(.answered(ball, MachineAnswer.allCases.randomElement(using: &generator)!))
  }

  private mutating func endStop() {
    let outcomes: [WriteOutcome] = [
      .delivered, .delivered, .queued, .notSent(.linkLost), .unknown(.noReply),
    ]
    let outcome = outcomes.randomElement(using: &generator)!
    // The link's last one ends with the one that was on its way.
    while stopsOnTheirWay > 0 {
      stopsOnTheirWay -= 1
      let machine = link.phase == .ready ? link.linked : nil
      handle(.stopEnded(outcome, by: machine, against: nil))
    }
  }

  // MARK: The end

  private mutating func end() {
    if !isClosing { handle(.giveUp(isInterruption: true)) }
    guard breach == nil else { return }
    if !isClosing {
      breach = "a bridge that gives up does not end"
      return
    }
    handle(.close)
    while breach == nil, !flights.isEmpty || stopsOnTheirWay > 0 {
      if stopsOnTheirWay > 0 {
        endStop()
      } else if flights[0].hasLanded {
        answer()
      } else {
        land()
      }
    }
    handle(.closed)
    // Whoever asks now gets an answer, too.
    ask(.stop)
    ask(.arm())
    breach = breach ?? witness.atEnd(machine.summary)
  }

  // MARK: The funnel

  private mutating func handle(_ event: BridgeMachine.Event) {
    guard breach == nil else { return }
    let state = machine.safetyStatus.state
    let before = event.mayBeRefused ? machine : nil
    let actions = machine.handle(event, at: now)
    if isTold {
      story.append("\(now.seconds) \(event)")
      story.append("    \(state) -> \(machine.safetyStatus.state)")
      story += actions.map { "    \($0)" }
    }
    witness.takes(
      event,
      in: state,
      isAccepted: actions.contains { if case .reply(_, .accepted) = $0 { true } else { false } },
      at: now
    )
    for action in actions {
      witness.judge(action, at: now)
      carryOut(action)
    }
    witness.hasHandled(event, before: before, after: machine, at: now)
    breach = witness.breach
  }

  private mutating func carryOut(_ action: BridgeMachine.Action) {
    switch action {
    case .launch(let ball, _, _): flights.append(Flight(ball: ball))
    case .writeStop:
      stopsOnTheirWay += 1
      tally[.stops] += 1
    case .writeLastStop:
      stopsOnTheirWay += 1
      tally[.lastStops] += 1
    case .keepDebt: tally[.debts] += 1
    case .end: isClosing = true
    case .reply(_, .refused), .replyByHand(_, .refused): tally[.refusals] += 1
    case .publish(.record(.dispatch(let dispatch), _)):
      tally[.balls] += 1
      if dispatch.outcome?.reason?.contains("limits") == true { tally[.ballsRefusedByLimits] += 1 }
    case .publish(.record(.manual, _)): tally[.ballsByHand] += 1
    case .publish(.safety(let status)) where status.state == .disarmed(.drillOver):
      tally[.drillsOver] += 1
    case .publish, .publishPosition, .reply, .replyByHand, .replyToLoad, .ballsMayFly: break
    }
  }
}

extension BridgeMachine.Event {
  fileprivate var mayBeRefused: Bool {
    switch self {
    case .asked, .askedByHand: true
    default: false
    }
  }
}
