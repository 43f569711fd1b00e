import BlueZ
import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import Positions
import Safety
import TestSupport
import Training

@testable import MachineLink

/// A bridge's decisions alone: events go in with their time, and what comes of them is collected. Its ball
/// machine answers each write at once.
struct BridgeFixture {
  private(set) var machine: BridgeMachine
  private(set) var now = MonotonicInstant.start
  private(set) var link = LinkStatus(since: .start)
  /// All that was published, without the player's positions.
  private(set) var events: [BridgeEvent] = []
  /// The commands that left for the ball machine.
  private(set) var written: [String] = []
  /// How the next balls' writes end; the others are delivered.
  var outcomes: [WriteOutcome] = []
  /// Whether writes get no outcome for the present.
  var hangs = false
  /// What the ball machine says to each ball; nil: it has no answers.
  var answer: MachineAnswer?

  private var flights: [SafetyCore.Ball] = []
  private var stopsOnTheirWay = 0
  private var requests: UInt64 = 0
  private var reply: SafetyReply?
  private var replyByHand: ManualReply?
  private var loaded: Result<TrainingStatus?, TrainingRefusal>?

  static let ball = "123451234512341234"
  static let stop = MachineCommand.stop.text

  /// - Parameters:
  ///   - isReady: whether the link is ready, to a simulated machine.
  ///   - adapt: changes its options: by default it doesn't arm itself.
  init(isReady: Bool = true, _ adapt: (inout BridgeMachine.Options) -> Void = { _ in }) {
    var options = BridgeMachine.Options(
      logic: LogicManager(.init(table: CommandTableFile.builtIn)),
      armsAtStart: false
    )
    adapt(&options)
    machine = BridgeMachine(options: options, at: .start)
    handle(.timePassed)
    if isReady { setLink(isReady: true) }
  }

  /// One that is live, and has not seen a player yet.
  static func live(_ adapt: (inout BridgeMachine.Options) -> Void = { _ in }) -> BridgeFixture {
    var fixture = BridgeFixture(adapt)
    fixture.perform(.arm(countdown: .zero))
    return fixture
  }

  // MARK: What is seen of it

  var snapshot: BridgeSnapshot { machine.snapshot(at: now) }

  /// The state of safety, in scripts' words.
  var summary: String { snapshot.safety.summary }

  /// The automatic balls whose outcome is known.
  var balls: [DispatchRecord] {
    events.compactMap { if case .record(.dispatch(let ball), _) = $0 { ball } else { nil } }
  }

  /// What was told of the positions' feed.
  var fed: [FeedRecord] {
    events.compactMap { if case .record(.feed(let feed), _) = $0 { feed } else { nil } }
  }

  // MARK: What happens

  mutating func handle(_ event: BridgeMachine.Event) {
    for action in machine.handle(event, at: now) { carryOut(action) }
    answerWrites()
  }

  /// Lets time pass; the bridge notices each of its deadlines.
  mutating func pass(_ duration: Duration) {
    let end = now.advanced(by: duration)
    while let deadline = machine.nextDeadline, deadline <= end {
      now = max(now, deadline)
      handle(.timePassed)
    }
    now = end
    handle(.timePassed)
  }

  /// Lets time pass, in steps after which the player is seen.
  mutating func pass(
    _ duration: Duration,
    seeing place: (x: Double, y: Double),
    every step: Duration = .milliseconds(250)
  ) {
    let end = now.advanced(by: duration)
    while now < end {
      pass(min(step, now.duration(to: end)))
      stand(x: place.x, y: place.y)
    }
  }

  /// Lets time pass without the bridge, whose program stands still.
  mutating func standStill(_ duration: Duration) {
    now = now.advanced(by: duration)
    handle(.timePassed)
  }

  /// The player is seen there.
  mutating func stand(
    x: Double = 4,
    y: Double = 9,
    _ repetition: Repetition = .none,
    from connection: String = "test"
  ) {
    let source = SourceID(connection: connection)
    let position = try! PlayerPosition(x: x, y: y)
    handle(
      .positions(
        .position(position, from: source, at: now, SourceJudgement(repetition: repetition))
      )
    )
  }

  mutating func setLink(isReady: Bool, isSimulated: Bool = true) {
    link.phase = isReady ? .ready : .backingOff
    link.isSimulated = isSimulated
    if isReady {
      link.linked = RememberedMachine(
        address: BluetoothAddress(FakeCentral.address)!,
        addressType: .public,
        name: nil,
        profile: "ball-machine",
        adapter: BluetoothAddress("AA:BB:CC:DD:EE:01")!,
        isSimulated: isSimulated
      )
    }
    handle(.link(link))
  }

  mutating func reconfigure(_ settings: BridgeSettings) {
    handle(.reconfigured(settings, finding: nil))
  }

  // MARK: What people ask

  private mutating func nextRequest() -> BridgeMachine.RequestID {
    requests += 1
    return BridgeMachine.RequestID(number: requests)
  }

  /// - Returns: nil: a stop whose outcome isn't known yet.
  @discardableResult
  mutating func perform(_ request: SafetyRequest) -> SafetyReply? {
    reply = nil
    handle(.asked(nextRequest(), request, while: nil, against: nil))
    return reply
  }

  /// - Returns: nil: the outcome isn't known yet.
  @discardableResult
  mutating func sendByHand(_ command: MachineCommand) -> ManualReply? {
    replyByHand = nil
    handle(.askedByHand(nextRequest(), command, against: nil))
    return replyByHand
  }

  /// - Returns: nil: another plan than `old` is loaded.
  @discardableResult
  mutating func load(
    _ plan: TrainingPlan,
    replacing old: TrainingPlan? = nil
  ) throws -> TrainingStatus? {
    handle(.askedToLoad(nextRequest(), plan, replacing: old))
    return try loaded?.get()
  }

  /// Ends it in order.
  mutating func end() -> BridgeSummary {
    handle(.giveUp(isInterruption: true))
    handle(.close)
    handle(.closed)
    return machine.summary
  }

  // MARK: The owner, and the ball machine

  private mutating func carryOut(_ action: BridgeMachine.Action) {
    switch action {
    case .launch(let ball, let command, _):
      written.append(command.text)
      flights.append(ball)
    case .writeStop, .writeLastStop: stopsOnTheirWay += 1
    case .publish(let event): events.append(event)
    case .reply(_, let reply): self.reply = reply
    case .replyByHand(_, let reply): replyByHand = reply
    case .replyToLoad(_, let result): loaded = result
    case .keepDebt, .publishPosition, .ballsMayFly, .end: break
    }
  }

  /// A stop command waits for the link, as it does in the link itself.
  private mutating func answerWrites() {
    guard link.phase == .ready, !hangs else { return }
    while !flights.isEmpty {
      let ball = flights.removeFirst()
      let outcome = outcomes.isEmpty ? .delivered : outcomes.removeFirst()
      handle(.landed(ball, outcome, expectsAnswer: answer != nil))
      if let answer { handle(.answered(ball, answer)) }
    }
    while stopsOnTheirWay > 0 {
      stopsOnTheirWay -= 1
      written.append(Self.stop)
      handle(.stopEnded(.delivered, by: link.linked, against: nil))
    }
  }
}
