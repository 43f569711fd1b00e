import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import MachineLink
import Positions
import Safety
import TestSupport
import Testing

/// The rules of safety in Design.md, each by its number, as the bridge decides by them. What takes a link is
/// in ``ServiceSafetyTests``.
struct SafetyRuleTests {
  // MARK: 1

  @Test func rule1EveryStartIsDisarmed() {
    var fixture = BridgeFixture()
    #expect(fixture.summary == "disarmed atStart")
    fixture.stand()
    fixture.pass(.seconds(10))
    fixture.stand()
    #expect(fixture.summary == "disarmed atStart")
    let summary = fixture.end()
    #expect(summary.counts.dispatches == 0 && summary.counts.positions == 2)
    #expect(summary.stop == nil && fixture.written.isEmpty)
  }

  @Test func rule1FromArmingToABallIsAVisibleCountdown() throws {
    var fixture = BridgeFixture()
    fixture.perform(.arm())
    #expect(fixture.snapshot.safety.state.remaining(at: fixture.now) == .seconds(3))
    fixture.stand()
    fixture.pass(.milliseconds(2_999))
    fixture.stand()
    #expect(fixture.summary == "countdown arming until 3.0")
    #expect(fixture.written.isEmpty)
    fixture.pass(.milliseconds(1))
    #expect(fixture.balls.map(\.decision.t) == [3])
    #expect(fixture.summary == "live")
  }

  @Test func rule1ArmingAtTheStartWaitsForTheMachineAndCountsDownToo() {
    var fixture = BridgeFixture(isReady: false) { $0.armsAtStart = true }
    #expect(fixture.summary == "pending")
    fixture.setLink(isReady: true)
    #expect(fixture.summary == "countdown arming until 3.0 held notSeen")
    // Once: a machine that is back does not arm what a person has disarmed.
    fixture.perform(.disarm)
    fixture.setLink(isReady: false)
    fixture.setLink(isReady: true)
    #expect(fixture.summary == "disarmed operator")
  }

  @Test func rule1ADisarmingBeforeTheMachineIsThereCounts() {
    var fixture = BridgeFixture(isReady: false) { $0.armsAtStart = true }
    fixture.perform(.disarm)
    fixture.setLink(isReady: true)
    #expect(fixture.summary == "disarmed operator")
  }

  @Test func rule1AnEndIsReportedAsThatWhereArmingIsPending() {
    var fixture = BridgeFixture(isReady: false) { $0.armsAtStart = true }
    _ = fixture.end()
    let reported = fixture.events.compactMap { event -> SafetyState? in
      if case .safety(let status) = event { status.state } else { nil }
    }
    #expect(reported == [.disarmed(.ending)])
    #expect(fixture.written.isEmpty)
  }

  @Test func rule1AnArmingThatIsPendingCanBePaused() {
    var fixture = BridgeFixture(isReady: false) { $0.armsAtStart = true }
    #expect(fixture.perform(.pause)?.refusal == nil)
    fixture.setLink(isReady: true)
    #expect(fixture.summary == "paused operator")
    fixture.perform(.resume())
    #expect(fixture.summary.hasPrefix("countdown resuming"))
    _ = fixture.end()
    #expect(fixture.written == [BridgeFixture.stop])
  }

  // MARK: 2

  @Test func rule2AStopLatchesAndIsResetToDisarmedOnly() {
    var fixture = BridgeFixture.live()
    #expect(fixture.perform(.stop)?.stop == .confirmed)
    #expect(fixture.summary == "stopped confirmed")
    #expect(fixture.written == [BridgeFixture.stop])
    for request in [SafetyRequest.arm(), .pause, .resume()] {
      #expect(fixture.perform(request)?.refusal == "stopLatched")
    }
    #expect(fixture.perform(.stop)?.stop == .alreadyStopped)
    // A person who stops twice means it.
    #expect(fixture.written == [BridgeFixture.stop, BridgeFixture.stop])
    fixture.pass(.seconds(10), seeing: (4, 9))
    #expect(fixture.summary == "stopped confirmed")
    fixture.perform(.reset)
    #expect(fixture.summary == "disarmed reset")
    #expect(fixture.end().counts.dispatches == 0)
  }

  @Test func rule2AStopOvertakesACountdown() {
    var fixture = BridgeFixture()
    fixture.perform(.arm())
    #expect(fixture.perform(.stop)?.stop == .confirmed)
    fixture.pass(.seconds(4), seeing: (4, 9))
    #expect(fixture.summary == "stopped confirmed")
    #expect(fixture.written == [BridgeFixture.stop])
  }

  /// A ball by hand that waits elsewhere ends with it.
  @Test func aDisarmingOrAPauseThatChangesNothingIsAnEventAllTheSame() {
    var fixture = BridgeFixture()
    fixture.hangs = true
    for request in [SafetyRequest.disarm, .arm(), .pause, .pause, .stop] {
      fixture.perform(request)
    }
    let states = fixture.events.compactMap { event -> String? in
      if case .safety(let safety) = event { safety.summary } else { nil }
    }
    #expect(
      states == [
        "disarmed atStart", "countdown arming until 3.0 held notSeen", "paused operator",
        "paused operator", "stopped pending",
      ]
    )
  }

  // MARK: 3

  @Test func rule3WithoutAFreshPositionNoBall() {
    var fixture = BridgeFixture.live()
    fixture.stand()
    #expect(fixture.written.count == 1)
    fixture.pass(.milliseconds(1_001))
    #expect(fixture.summary == "live held notSeen")
    fixture.pass(.seconds(3))
    #expect(fixture.written.count == 1)
  }

  @Test func rule3After5SecondsOfSilenceACountdownComesFirst() {
    var fixture = BridgeFixture.live()
    fixture.stand()
    fixture.pass(.seconds(5))
    #expect(fixture.summary == "paused silence")
    // The player is gone: the machine rests.
    #expect(fixture.written.count == 2 && fixture.written.last == BridgeFixture.stop)
    fixture.pass(.seconds(20))
    fixture.stand()
    #expect(fixture.summary == "countdown silence until 28.0")
    fixture.pass(.seconds(2))
    fixture.stand()
    #expect(fixture.written.count == 2)
    fixture.pass(.seconds(1))
    #expect(fixture.written.count == 3 && fixture.written.last != BridgeFixture.stop)
  }

  @Test(arguments: [true, false])
  func rule3After60SecondsOfSilenceItIsDisarmed(itStandsStill: Bool) {
    var fixture = BridgeFixture.live()
    fixture.stand()
    if itStandsStill { fixture.standStill(.seconds(60)) } else { fixture.pass(.seconds(60)) }
    #expect(fixture.snapshot.safety.state == .disarmed(.silence))
    fixture.stand()
    #expect(fixture.summary == "disarmed silence")
  }

  // MARK: 4

  @Test func rule4AShortLinkLossGoesOnAfterACountdown() {
    var fixture = BridgeFixture.live()
    fixture.stand()
    fixture.setLink(isReady: false)
    #expect(fixture.snapshot.safety.state == .paused(.linkLoss))
    // Nothing is queued, whatever comes.
    fixture.pass(.seconds(4), seeing: (4, 9))
    #expect(fixture.written.count == 1)
    fixture.setLink(isReady: true)
    #expect(fixture.summary == "countdown linkLoss until 7.0")
    #expect(fixture.written.count == 2 && fixture.written.last == BridgeFixture.stop)
  }

  @Test func rule4AfterALongLinkLossItIsDisarmed() {
    var fixture = BridgeFixture.live()
    fixture.setLink(isReady: false)
    for second in 1...30 {
      #expect(fixture.summary.hasPrefix("paused linkLoss"), "\(second)")
      fixture.stand()
      fixture.pass(.seconds(1))
    }
    #expect(fixture.summary == "disarmed linkLoss held stopOwed")
    fixture.setLink(isReady: true)
    #expect(fixture.summary == "disarmed linkLoss")
    #expect(fixture.written == [BridgeFixture.stop])
  }

  @Test func rule4WithoutALinkNothingIsArmed() {
    var fixture = BridgeFixture(isReady: false)
    #expect(fixture.perform(.arm())?.refusal == "linkNotReady")
  }

  // MARK: 5

  @Test func rule5ACommandByHandPausesTheAutomaticMode() throws {
    var fixture = BridgeFixture.live()
    let command = try MachineCommand(digits: BridgeFixture.ball)
    guard case .sent(let manual, _) = fixture.sendByHand(command) else {
      Issue.record("it was refused")
      return
    }
    #expect(manual.outcome == OutcomeRecord(.delivered) && manual.number == 1)
    #expect(fixture.summary == "paused manual")
    #expect(fixture.sendByHand(command) == .refused(.tooSoon(wait: .milliseconds(2_950))))
    fixture.pass(.seconds(3), seeing: (4, 9))
    #expect(fixture.written == [BridgeFixture.ball])
    #expect(fixture.perform(.resume())?.refusal == nil)
    #expect(fixture.summary.hasPrefix("countdown resuming"))
    let summary = fixture.end()
    #expect(summary.manual == 1 && summary.counts.dispatches == 0 && summary.stop == .confirmed)
    #expect(summary.counts.manualOutcomes.delivered == 1 && summary.counts.outcomes.delivered == 0)
  }

  @Test func rule5ACommandByHandIsRefusedWhileStopIsLatched() throws {
    var fixture = BridgeFixture.live()
    fixture.perform(.stop)
    let command = try MachineCommand(digits: BridgeFixture.ball)
    #expect(fixture.sendByHand(command) == .refused(.stopLatched))
    #expect(fixture.written == [BridgeFixture.stop])
  }

  @Test func rule5TheStopDigitsByHandAreAStop() {
    var fixture = BridgeFixture.live()
    #expect(fixture.sendByHand(.stop) == .stopped(.confirmed))
    #expect(fixture.summary == "stopped confirmed")
  }

  // MARK: 7

  @Test(arguments: [(0.49, "nearNet"), (-0.01, "behindNet"), (-2, "behindNet")])
  func rule7NobodyAtTheNetGetsABall(_ y: Double, _ code: String) {
    var fixture = BridgeFixture.live()
    fixture.stand(y: y)
    #expect(fixture.summary == "live held \(code)")
    fixture.pass(.seconds(7), seeing: (4, y))
    let summary = fixture.end()
    #expect(summary.held == 3 && summary.counts.dispatches == 0)
    #expect(fixture.written == [BridgeFixture.stop])
    let told = fixture.events.compactMap { event -> HeldRecord? in
      if case .record(.held(let held), _) = event { held } else { nil }
    }
    #expect(told.map { $0.holds.map(\.code) } == [[code]], "once a hold, not a tick")
  }

  @Test func rule7AnImpossibleJumpHoldsFireAsLongAsItIsInTheAverage() {
    var fixture = BridgeFixture.live()
    fixture.stand(x: 1)
    fixture.pass(.milliseconds(2_520), seeing: (1, 9), every: .milliseconds(280))
    fixture.pass(.milliseconds(280))
    fixture.stand(x: 8)
    #expect(fixture.summary == "live held impossibleJump")
    fixture.pass(.milliseconds(200))
    #expect(fixture.written.count == 1)
    fixture.stand(x: 8)
    fixture.pass(.milliseconds(2_400), seeing: (8, 9), every: .milliseconds(600))
    fixture.pass(.milliseconds(600))
    #expect(fixture.written.count == 2 && fixture.written.last == "120001080019009500")
    let summary = fixture.end()
    #expect(summary.held == 1 && summary.counts.dispatches == 2, "\(summary)")
  }

  // MARK: 8

  @Test func rule8ValuesAreCheckedAgainJustBeforeTheWrite() throws {
    var fixture = BridgeFixture.live()
    // A machine that takes none of the table's commands: the loading of a table would refuse it.
    var limits = MachineLimits.widest
    limits.fields[.upper] = 0...1
    fixture.reconfigure(BridgeSettings(.init(table: CommandTableFile.builtIn), limits: limits))
    fixture.stand()
    let outcome = try #require(fixture.balls.last?.outcome)
    #expect(outcome.outcome == "notSent")
    #expect(outcome.reason?.contains("upper motor 11800") == true)
    let command = try MachineCommand(digits: BridgeFixture.ball)
    guard case .refused(.outsideLimits) = fixture.sendByHand(command) else {
      Issue.record("it left")
      return
    }
    #expect(fixture.written.isEmpty)
  }

  // MARK: 9

  @Test(
    "rule 9: a change between SIM and REAL disarms",
    arguments: [true, false],
    ["live", "countdown", "paused", "lost"]
  )
  func rule9AChangeDisarms(fromSimulated: Bool, _ state: String) {
    var fixture = BridgeFixture(isReady: false)
    fixture.setLink(isReady: true, isSimulated: fromSimulated)
    fixture.stand()
    fixture.perform(.arm(countdown: .seconds(state == "countdown" ? 30 : 0)))
    if state == "paused" { fixture.perform(.pause) }
    if state == "lost" { fixture.setLink(isReady: false, isSimulated: fromSimulated) }
    #expect(!fixture.summary.hasPrefix("disarmed"))
    fixture.setLink(isReady: state != "lost", isSimulated: !fromSimulated)
    #expect(fixture.summary.hasPrefix("disarmed otherMachine"))
    fixture.setLink(isReady: true, isSimulated: !fromSimulated)
    let balls = fixture.balls.count
    fixture.pass(.seconds(8), seeing: (4, 9))
    #expect(fixture.balls.count == balls && fixture.summary == "disarmed otherMachine")
  }

  // MARK: 13

  @Test(arguments: [
    WriteOutcome.notSent(.rejected(code: 0x05)), .unknown(.unlikelyError),
  ])
  func rule13AMachineThatTakesNoCommandsPausesUntilAPersonResumes(outcome: WriteOutcome) {
    var fixture = BridgeFixture.live()
    fixture.outcomes = [outcome, outcome, .delivered, outcome, outcome, outcome]
    for number in 1...6 {
      #expect(fixture.summary == "live held notSeen")
      fixture.stand()
      #expect(fixture.balls.count == number)
      if number < 6 { fixture.pass(.seconds(3)) }
    }
    #expect(fixture.snapshot.safety.state == .paused(.refused))
    #expect(fixture.written.count == 7 && fixture.written.last == BridgeFixture.stop)
    fixture.pass(.seconds(100), seeing: (4, 9))
    #expect(fixture.summary == "paused refused")
    #expect(fixture.perform(.resume())?.refusal == nil)
    #expect(fixture.summary.hasPrefix("countdown resuming"))
    #expect(fixture.written.count == 7)
  }

  @Test(arguments: [MachineAnswer.refused, .none])
  func rule13SoDoesAFramedMachineByItsAnswers(answer: MachineAnswer) {
    var fixture = BridgeFixture {
      $0.logic = LogicManager(.init(table: ServiceFixture.framedTable))
      $0.encoding = .framed
      $0.stopCommand = .stop(in: .framed)
      $0.limits = MachineLimits(.framed)
    }
    // What a program before this one wrote is answered by then.
    fixture.pass(.seconds(2))
    fixture.perform(.arm(countdown: .zero))
    fixture.answer = answer
    for number in 1...3 {
      fixture.stand()
      #expect(fixture.balls.map(\.outcome).count == number)
      #expect(fixture.balls.last?.outcome == OutcomeRecord(.delivered))
      #expect(fixture.snapshot.lastDispatch?.answer == answer.rawValue)
      #expect(fixture.summary.hasPrefix("live") == (number < 3))
      fixture.pass(.seconds(3))
    }
    #expect(fixture.snapshot.safety.state == .paused(.refused))
    #expect(fixture.written.count == 4 && fixture.written.last == BridgeFixture.stop)
  }

  // MARK: 16

  @Test func rule16ADetectorThatRepeatsItselfHoldsBallsBack() {
    var fixture = BridgeFixture.live()
    let stuck = Repetition.stuck(since: fixture.now)
    for _ in 0..<300 {
      fixture.stand(stuck)
      fixture.pass(.seconds(1))
    }
    fixture.stand(stuck)
    #expect(fixture.summary == "live held detectorRepeats")
    #expect(fixture.snapshot.repeatsSince == .start)
    #expect(fixture.written.isEmpty)
    fixture.stand(y: 9.1)
    #expect(fixture.summary.hasPrefix("countdown silence until"))
    fixture.pass(.milliseconds(3_600), seeing: (4, 9.1), every: .milliseconds(900))
    #expect(fixture.summary == "live")
  }

  @Test func rule16ACoarseDetectorThatRepeatsItselfIsToldOnce() {
    var fixture = BridgeFixture.live()
    for _ in 0..<3 { fixture.stand(.long(since: .start)) }
    #expect(fixture.summary == "live")
    #expect(fixture.snapshot.repeatsSince == .start)
    fixture.stand()
    #expect(fixture.snapshot.repeatsSince == nil)
    #expect(fixture.fed == [FeedRecord(state: "repeats", connection: "test")])
  }
}
