import BlueZ
import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import DBus
import Glibc
import MachineLink
import Positions
import Safety
import TestSupport
import Testing

@testable import Host

/// The rules of safety in Design.md, each by its number, held by the service. What takes processes
/// of their own is in the integration tests' suite of this name.
/// One after the other, so that a clock that a test moves doesn't outrun what waits on it.
@Suite(.serialized, .mustEnd) struct ServiceSafetyTests {
  /// A service that is live, with a player who has just been seen.
  private func live(
    central: FakeCentral = FakeCentral(),
    _ adapt: (inout BridgeService.Options) -> Void = { _ in }
  ) async throws -> ServiceFixture {
    let fixture = try ServiceFixture(central: central, adapt)
    await fixture.wait(for: .ready)
    _ = await fixture.service.perform(.arm(countdown: .zero))
    #expect(await fixture.summary == "live held notSeen")
    return fixture
  }

  // MARK: 1

  @Test func rule1EveryStartIsDisarmed() async throws {
    let fixture = try ServiceFixture()
    #expect(await fixture.summary == "disarmed atStart")
    await fixture.wait(for: .ready)
    try await fixture.stand()
    try await fixture.pass(.seconds(10))
    try await fixture.stand()
    #expect(await fixture.summary == "disarmed atStart")
    #expect(try await fixture.end().counts.dispatches == 0)
    #expect(await fixture.central.written.isEmpty)
  }

  @Test func rule1FromArmingToABallIsAVisibleCountdown() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let events = await fixture.service.subscribe()
    _ = await fixture.service.perform(.arm())
    let countdown = try #require(await fixture.wait(for: "countdown"))
    #expect(countdown.state.remaining(at: fixture.clock.now) == .seconds(3))
    try await fixture.stand()
    try await fixture.pass(.milliseconds(2_999))
    try await fixture.stand()
    #expect(await fixture.summary == "countdown arming until 3.0")
    #expect(await fixture.central.written.isEmpty)
    fixture.clock.advance(by: .milliseconds(1))
    let dispatch = try #require(await fixture.dispatch(events))
    #expect(dispatch.decision.t == 3)
    #expect(await fixture.summary == "live")
    _ = try await fixture.end()
  }

  @Test func rule1ArmingAtTheStartWaitsForTheMachineAndCountsDownToo() async throws {
    let fixture = try ServiceFixture { $0.armsAtStart = true }
    let countdown = try #require(await fixture.wait(for: "countdown"))
    #expect(countdown.state.code == "arming")
    // Once: a machine that is back does not arm what somebody has disarmed.
    _ = await fixture.service.perform(.disarm)
    await fixture.central.setLinked(false)
    await fixture.waitForNoLink()
    try await fixture.relink()
    #expect(await fixture.summary == "disarmed operator")
    _ = try await fixture.end()
  }

  @Test func rule1ADisarmingBeforeTheMachineIsThereCounts() async throws {
    let central = FakeCentral()
    await central.setLinked(false)
    let fixture = try ServiceFixture(central: central) { $0.armsAtStart = true }
    await fixture.waitForNoLink()
    _ = await fixture.service.perform(.disarm)
    try await fixture.relink()
    #expect(await fixture.summary == "disarmed operator")
    _ = try await fixture.end()
  }

  @Test func rule1AnEndIsReportedAsThatWhereArmingIsPending() async throws {
    let central = FakeCentral()
    await central.setLinked(false)
    let fixture = try ServiceFixture(central: central) { $0.armsAtStart = true }
    await fixture.waitForNoLink()
    let events = await fixture.service.subscribe()
    _ = try await fixture.end()
    var reported: [SafetyState] = []
    for await case .safety(let status) in events { reported.append(status.state) }
    #expect(reported == [.pending, .disarmed(.ending)])
    #expect(await fixture.central.written.isEmpty)
  }

  @Test func rule1AnArmingThatIsPendingShowsAndCanBePaused() async throws {
    let central = FakeCentral()
    await central.setLinked(false)
    let fixture = try ServiceFixture(central: central) { $0.armsAtStart = true }
    await fixture.waitForNoLink()
    #expect(await fixture.summary == "pending")
    #expect(await fixture.service.perform(.pause).refusal == nil)
    try await fixture.relink()
    #expect(await fixture.summary == "paused operator")
    _ = await fixture.service.perform(.resume())
    #expect(await fixture.summary.hasPrefix("countdown resuming"))
    _ = try await fixture.end()
    #expect(await fixture.central.written == [ServiceFixture.stop])
  }

  // MARK: 2

  /// Where a way out sends no stop command.
  @Test func rule2AStopBeforeTheLastBallConfirmsNoneAfterIt() async throws {
    let fixture = try ServiceFixture { $0.rules.stopsOnTheWayOut = false }
    await fixture.wait(for: LinkStatus.Phase.ready)
    #expect(await fixture.service.perform(.stop).stop == .confirmed)
    _ = await fixture.service.perform(.reset)
    await fixture.central.setHangsWrites(true)
    _ = await fixture.service.perform(.arm(countdown: .zero))
    try await fixture.stand()
    _ = try await fixture.written(atLeast: 2)
    await fixture.service.end()
    await fixture.wait(for: LinkStatus.Phase.shuttingDown)
    let stop = await fixture.service.perform(.stop).stop
    guard case .notDelivered = stop else {
      Issue.record("\(String(describing: stop))")
      return
    }
    await fixture.central.setHangsWrites(false)
    _ = try await fixture.end()
  }

  @Test func rule2AStopIsConfirmedLatchesAndIsResetToDisarmedOnly() async throws {
    let fixture = try await live()
    let service = fixture.service
    #expect(await service.perform(.stop).stop == .confirmed)
    #expect(await fixture.summary == "stopped confirmed")
    #expect(await fixture.central.written == [ServiceFixture.stop])
    for request in [SafetyRequest.arm(), .pause, .resume()] {
      #expect(await service.perform(request).refusal == "stopLatched")
    }
    #expect(await service.perform(.stop).stop == .alreadyStopped)
    // Whoever stops twice means it.
    _ = try await fixture.written(atLeast: 2)
    try await fixture.stand()
    try await fixture.pass(.seconds(10))
    try await fixture.stand()
    #expect(await fixture.summary == "stopped confirmed")
    _ = await service.perform(.reset)
    #expect(await fixture.summary == "disarmed reset")
    #expect(try await fixture.end().counts.dispatches == 0)
  }

  @Test func rule2AStopThatNobodyAcknowledgesIsUnconfirmed() async throws {
    let fixture = try await live(central: FakeCentral(flags: ["write-without-response"]))
    let asked = Task { await fixture.service.perform(.stop) }
    try await fixture.letTimePass { await fixture.central.written.count < 3 }
    #expect(await asked.value.stop == .unconfirmed)
    #expect(await fixture.summary == "stopped unconfirmed")
    _ = try await fixture.end()
  }

  @Test func rule2AStopThatReachesNobodySaysSoAndIsTheFirstWriteWhenTheMachineIsBack()
    async throws
  {
    let fixture = try await live()
    await fixture.central.setLinked(false)
    await fixture.waitForNoLink()
    let events = await fixture.service.subscribe()
    let asked = Task { await fixture.service.perform(.stop) }
    await fixture.wait(for: "stopped")
    try await fixture.pass(.seconds(6))
    guard case .notDelivered(let reason) = await asked.value.stop else {
      Issue.record("nobody was told that the stop did not arrive")
      return
    }
    #expect(reason.contains("away"))
    // All others learn it, too.
    while await fixture.summary != "stopped notDelivered" { try await Task.yieldUnlessCancelled() }
    #expect(await fixture.central.written.isEmpty)
    try await fixture.relink()
    for await case .record(.stop(let stop), _) in events {
      #expect(stop.outcome == "confirmed")
      break
    }
    #expect(await fixture.summary == "stopped confirmed")
    #expect(await fixture.central.written == [ServiceFixture.stop])
    _ = try await fixture.end()
  }

  @Test func rule2AStopWhoseCallerHasGoneSaysSoToAllOthers() async throws {
    let fixture = try await live()
    await fixture.central.setLinked(false)
    await fixture.waitForNoLink()
    await fixture.service.beginStop()
    #expect(await fixture.summary == "stopped pending")
    try await fixture.pass(.seconds(6))
    for await case .safety(let safety) in await fixture.service.subscribe()
    where safety.state != .stopped(nil) {
      #expect(safety.state.reason?.contains("the machine is away") == true)
      break
    }
    #expect(await fixture.summary == "stopped notDelivered")
    // The stop is on its way still: no ball comes before it, whatever a person does.
    _ = await fixture.service.perform(.reset)
    try await fixture.relink()
    #expect(try await fixture.written(atLeast: 1).first == ServiceFixture.stop)
    _ = try await fixture.end()
  }

  /// A ball by hand that waits elsewhere ends with it.
  @Test func aDisarmingOrAPauseThatChangesNothingIsAnEventAllTheSame() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: LinkStatus.Phase.ready)
    var states: [String] = []
    let events = await fixture.service.subscribe()
    for request in [SafetyRequest.disarm, .arm(), .pause, .pause, .stop] {
      _ = await fixture.service.perform(request)
    }
    for await case .safety(let safety) in events {
      states.append(safety.summary)
      if safety.state.word == "stopped" { break }
    }
    #expect(
      states == [
        "disarmed atStart", "disarmed atStart", "countdown arming until 3.0 held notSeen",
        "paused operator", "paused operator", "stopped pending",
      ]
    )
    _ = try await fixture.end()
  }

  /// It waited behind a ball's write until the link fell: it was never written.
  @Test func rule2AStopBehindAWriteThatHangsIsNotDelivered() async throws {
    let fixture = try await live()
    await fixture.central.setHangsWrites(true)
    try await fixture.stand()
    _ = try await fixture.written(atLeast: 1)
    let asked = Task { await fixture.service.perform(.stop) }
    await fixture.wait(for: "stopped")
    await fixture.central.setLinked(false)
    await fixture.waitForNoLink()
    try await fixture.pass(.seconds(6))
    let outcome = await asked.value.stop
    guard case .notDelivered = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    await fixture.central.setHangsWrites(false)
    _ = try await fixture.end()
  }

  @Test func rule2AStopOvertakesAWriteThatHangs() async throws {
    let fixture = try await live(central: FakeCentral(flags: ["write", "write-without-response"]))
    await fixture.central.setHangsWrites(true)
    let events = await fixture.service.subscribe()
    try await fixture.stand()
    _ = try await fixture.written(atLeast: 1)
    let asked = Task { await fixture.service.perform(.stop) }
    #expect(try await fixture.written(atLeast: 2).last == ServiceFixture.stop)
    #expect(await fixture.dispatch(events)?.outcome == OutcomeRecord(.unknown(.abandonedForStop)))
    await fixture.central.setHangsWrites(false)
    #expect(await asked.value.stop == .confirmed)
    #expect(try await fixture.end().counts.dispatches == 1)
  }

  @Test func rule2AStopOvertakesACountdownAndACommandByHand() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    _ = await fixture.service.perform(.arm())
    #expect(await fixture.service.perform(.stop).stop == .confirmed)
    try await fixture.pass(.seconds(4))
    #expect(await fixture.summary == "stopped confirmed")
    _ = await fixture.service.perform(.reset)

    await fixture.central.setHangsWrites(true)
    let command = try MachineCommand(digits: ServiceFixture.ball)
    let byHand = Task { await fixture.service.sendManually(command) }
    _ = try await fixture.written(atLeast: 2)
    let asked = Task { await fixture.service.perform(.stop) }
    guard case .sent(let manual, _) = await byHand.value else {
      Issue.record("the command by hand was refused")
      return
    }
    #expect(manual.outcome == OutcomeRecord(.unknown(.abandonedForStop)))
    await fixture.central.setHangsWrites(false)
    #expect(await asked.value.stop == .confirmed)
    #expect(
      await fixture.central.written == [
        ServiceFixture.stop, ServiceFixture.ball, ServiceFixture.stop,
      ]
    )
    _ = try await fixture.end()
  }

  // MARK: 3

  @Test func rule3WithoutAFreshPositionNoBall() async throws {
    let fixture = try await live()
    try await fixture.stand()
    _ = try await fixture.written(atLeast: 1)
    try await fixture.pass(.milliseconds(1_001))
    #expect(await fixture.summary == "live held notSeen")
    try await fixture.pass(.seconds(3))
    #expect(await fixture.central.written.count == 1)
    _ = try await fixture.end()
  }

  @Test func rule3After5SecondsOfSilenceACountdownComesFirst() async throws {
    let fixture = try await live()
    try await fixture.stand()
    _ = try await fixture.written(atLeast: 1)
    try await fixture.pass(.seconds(3))
    try await fixture.pass(.seconds(2))
    #expect(await fixture.summary == "paused silence")
    // The player is gone: the machine rests.
    #expect(try await fixture.written(atLeast: 2).last == ServiceFixture.stop)
    try await fixture.stopLanded()
    try await fixture.pass(.seconds(20))
    try await fixture.stand()
    #expect(await fixture.summary == "countdown silence until 28.0")
    #expect(await fixture.central.written.count == 2)
    try await fixture.pass(.seconds(2))
    try await fixture.stand()
    fixture.clock.advance(by: .seconds(1))
    #expect(try await fixture.written(atLeast: 3).last != ServiceFixture.stop)
    _ = try await fixture.end()
  }

  @Test func rule3After60SecondsOfSilenceItIsDisarmed() async throws {
    let fixture = try await live()
    try await fixture.stand()
    fixture.clock.advance(by: .seconds(60))
    #expect(await fixture.wait(for: "disarmed")?.state == .disarmed(.silence))
    try await fixture.stand()
    #expect(await fixture.summary == "disarmed silence")
    _ = try await fixture.end()
  }

  // MARK: 4

  @Test func rule4AShortLinkLossGoesOnAfterACountdown() async throws {
    let fixture = try await live()
    try await fixture.stand()
    _ = try await fixture.written(atLeast: 1)
    await fixture.central.setLinked(false)
    #expect(await fixture.wait(for: "paused")?.state == .paused(.linkLoss))
    // Nothing is queued, whatever comes.
    for _ in 0..<4 {
      try await fixture.pass(.seconds(1))
      try await fixture.stand()
    }
    #expect(await fixture.central.written.count == 1)
    try await fixture.relink()
    #expect(await fixture.wait(for: "countdown")?.state.code == "linkLoss")
    // The way out of feeding could not be told then; it is told first.
    #expect(try await fixture.written(atLeast: 2).last == ServiceFixture.stop)
    _ = try await fixture.end()
  }

  @Test func rule4AfterALongLinkLossItIsDisarmed() async throws {
    let fixture = try await live()
    await fixture.central.setLinked(false)
    await fixture.wait(for: "paused")
    for second in 1...30 {
      #expect(await fixture.summary == "paused linkLoss", "\(second)")
      try await fixture.stand()
      try await fixture.pass(.seconds(1))
    }
    #expect(await fixture.summary == "disarmed linkLoss held stopOwed")
    try await fixture.relink()
    #expect(await fixture.summary == "disarmed linkLoss")
    #expect(try await fixture.written(atLeast: 1) == [ServiceFixture.stop])
    _ = try await fixture.end()
  }

  @Test func rule4WithoutALinkNobodyArms() async throws {
    let fixture = try ServiceFixture(central: FakeCentral(isThere: false))
    #expect(await fixture.service.perform(.arm()).refusal == "linkNotReady")
    _ = try await fixture.end()
  }

  // MARK: 5

  @Test func rule5ACommandByHandPausesTheAutomaticMode() async throws {
    let fixture = try await live()
    let command = try MachineCommand(digits: ServiceFixture.ball)
    guard case .sent(let manual, _) = await fixture.service.sendManually(command) else {
      Issue.record("it was refused")
      return
    }
    #expect(manual.outcome == OutcomeRecord(.delivered) && manual.number == 1)
    #expect(await fixture.summary == "paused manual")
    guard case .refused(.tooSoon(let wait)) = await fixture.service.sendManually(command) else {
      Issue.record("it was not refused")
      return
    }
    #expect(wait == .milliseconds(2950))
    try await fixture.stand()
    try await fixture.pass(.seconds(3))
    try await fixture.stand()
    #expect(await fixture.central.written == [ServiceFixture.ball])
    #expect(await fixture.service.perform(.resume()).refusal == nil)
    #expect(await fixture.summary.hasPrefix("countdown resuming"))
    let summary = try await fixture.end()
    #expect(summary.manual == 1 && summary.counts.dispatches == 0 && summary.stop == .confirmed)
    #expect(summary.counts.manualOutcomes.delivered == 1 && summary.counts.outcomes.delivered == 0)
  }

  @Test func rule5ACommandByHandIsRefusedWhileStopIsLatched() async throws {
    let fixture = try await live()
    _ = await fixture.service.perform(.stop)
    let command = try MachineCommand(digits: ServiceFixture.ball)
    #expect(await fixture.service.sendManually(command) == .refused(.stopLatched))
    #expect(await fixture.central.written == [ServiceFixture.stop])
    _ = try await fixture.end()
  }

  @Test func rule5TheStopDigitsByHandAreAStop() async throws {
    let fixture = try await live()
    #expect(await fixture.service.sendManually(.stop) == .stopped(.confirmed))
    #expect(await fixture.summary == "stopped confirmed")
    _ = try await fixture.end()
  }

  @Test func rule5WhateverStopsTheMachineIsAStopByHandToo() async throws {
    let stop = try MachineCommand(digits: "000010000200030004")
    let fixture = try ServiceFixture(stop: stop)
    await fixture.wait(for: .ready)
    for command in [stop, .stop] {
      #expect(await fixture.service.sendManually(command) == .stopped(.confirmed))
      #expect(await fixture.summary == "stopped confirmed")
      #expect(await fixture.central.written == [stop.text])
      _ = await fixture.service.perform(.reset)
      await fixture.central.forgetWrites()
    }
    _ = try await fixture.end()
  }

  // MARK: 6

  @Test func rule6OneWriterAMachine() throws {
    let base = try TemporaryDirectory()
    let directory = try RuntimeDirectory(at: base("run"))
    let lock = try MachineLock(in: directory)
    #expect(throws: MachineLockError.held(by: getpid())) { try MachineLock(in: directory) }
    lock.release()
    _ = try MachineLock(in: directory)
  }

  // MARK: 7

  @Test(arguments: [(0.49, "nearNet"), (-0.01, "behindNet"), (-2, "behindNet")])
  func rule7NobodyAtTheNetGetsABall(_ y: Double, _ code: String) async throws {
    let fixture = try await live()
    let events = await fixture.service.subscribe()
    try await fixture.stand(y: y)
    #expect(await fixture.summary == "live held \(code)")
    for _ in 0..<7 {
      try await fixture.pass(.seconds(1))
      try await fixture.stand(y: y)
    }
    #expect(await fixture.central.written.isEmpty)
    let summary = try await fixture.end()
    #expect(summary.held == 3 && summary.counts.dispatches == 0)
    var told: [HeldRecord] = []
    for await case .record(.held(let held), _) in events { told.append(held) }
    #expect(told.map { $0.holds.map(\.code) } == [[code]], "once a hold, not a tick")
  }

  @Test func rule7AnImpossibleJumpHoldsFireAsLongAsItIsInTheAverage() async throws {
    let fixture = try await live()
    try await fixture.stand(x: 1)
    _ = try await fixture.written(atLeast: 1)
    for _ in 0..<9 {
      try await fixture.pass(.milliseconds(280))
      try await fixture.stand(x: 1)
    }
    try await fixture.pass(.milliseconds(280))
    try await fixture.stand(x: 8)
    #expect(await fixture.summary == "live held impossibleJump")
    try await fixture.pass(.milliseconds(200))
    #expect(await fixture.central.written.count == 1)
    for _ in 0..<5 {
      try await fixture.stand(x: 8)
      try await fixture.pass(.milliseconds(600))
    }
    #expect(try await fixture.written(atLeast: 2).last == "120001080019009500")
    let summary = try await fixture.end()
    #expect(summary.held == 1 && summary.counts.dispatches == 2, "\(summary)")
  }

  // MARK: 8

  @Test func rule8ValuesAreCheckedAgainJustBeforeTheWrite() async throws {
    let fixture = try await live()
    let events = await fixture.service.subscribe()
    // A machine that takes none of the table's commands: whoever loads a table refuses it.
    var limits = MachineLimits.widest
    limits.fields[.upper] = 0...1
    await fixture.service.reconfigure(
      BridgeSettings(.init(table: CommandTableFile.builtIn), limits: limits)
    )
    try await fixture.stand()
    let outcome = try #require(await fixture.dispatch(events)?.outcome)
    #expect(outcome.outcome == "notSent")
    #expect(outcome.reason?.contains("upper motor 11800") == true)
    let command = try MachineCommand(digits: ServiceFixture.ball)
    guard case .refused(.outsideLimits) = await fixture.service.sendManually(command) else {
      Issue.record("it left")
      return
    }
    #expect(await fixture.central.written.isEmpty)
    _ = try await fixture.end()
  }

  @Test(arguments: seeds()) func rule8BytesDecodeToWhatWasMeant(seed: UInt64) throws {
    print("rule 8: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<10_000 {
      for encoding in [CommandEncoding.digits, .framed(.modbus), .framed(.xor)] {
        let values = encoding.kind.fields.map {
          Int.random(in: encoding.kind.range(of: $0), using: &generator)
        }
        let command = try MachineCommand(encoding.kind, values)
        let bytes = try #require(encoding.bytes(of: command))
        #expect(encoding.command(from: bytes) == command)
        #expect(bytes.count == (encoding == .digits ? 18 : 10))
      }
    }
  }

  // MARK: 9

  @Test(arguments: [true, false]) func rule9TheModeIsTheMachinesOwnWord(_ isSimulated: Bool)
    async throws
  {
    let fixture = try ServiceFixture(central: FakeCentral(isSimulated: isSimulated))
    await fixture.wait(for: .ready)
    #expect(await fixture.service.snapshot.link.isSimulated == isSimulated)
    #expect(try await fixture.end().isSimulated == isSimulated)
  }

  @Test(
    "rule 9: a change between SIM and REAL disarms",
    arguments: [true, false],
    ["live", "countdown", "paused", "lost"]
  )
  func rule9AChangeDisarms(fromSimulated: Bool, _ state: String) async throws {
    let central = FakeCentral(isSimulated: fromSimulated)
    let fixture = try ServiceFixture(central: central)
    await fixture.wait(for: .ready)
    try await fixture.stand()
    let seconds = state == "countdown" ? 30 : 0
    _ = await fixture.service.perform(.arm(countdown: .seconds(seconds)))
    switch state {
    case "paused": _ = await fixture.service.perform(.pause)
    case "lost":
      await central.setLinked(false)
      await fixture.waitForNoLink()
    default: break
    }
    await central.setSimulated(!fromSimulated)
    await fixture.wait(for: "disarmed")
    #expect(await fixture.summary.hasPrefix("disarmed otherMachine"))
    #expect(await fixture.service.snapshot.link.isSimulated == !fromSimulated)
    if state == "lost" { await central.setLinked(true) }
    try await fixture.letTimePass { await fixture.link.status.phase != .ready }
    await fixture.wait(for: .ready)
    #expect(await fixture.link.status.linked?.isSimulated == !fromSimulated)
    let balls = await central.written.count { $0 != ServiceFixture.stop }
    for _ in 0..<8 {
      try await fixture.stand()
      try await fixture.pass(.seconds(1))
    }
    #expect(await central.written.count { $0 != ServiceFixture.stop } == balls)
    _ = try await fixture.end()
  }

  @Test(arguments: [true, false])
  func rule9AnArmingAtTheStartIsForTheKindThatWasSeen(_ isSimulated: Bool) async throws {
    let central = FakeCentral(isSimulated: isSimulated)
    await central.setLinked(false)
    let fixture = try ServiceFixture(central: central) { $0.armsAtStart = true }
    try await fixture.letTimePass { await fixture.service.snapshot.link.isSimulated == nil }
    #expect(await fixture.summary == "pending")
    await central.setSimulated(!isSimulated)
    await fixture.wait(for: "disarmed")
    #expect(await fixture.summary == "disarmed otherMachine")
    try await fixture.relink()
    #expect(await fixture.summary == "disarmed otherMachine")
    _ = try await fixture.end()
  }

  @Test(arguments: [true, false])
  func rule9AStopIsConfirmedForOneKindAlone(_ isSimulated: Bool) async throws {
    let central = FakeCentral(isSimulated: isSimulated)
    let fixture = try ServiceFixture(central: central)
    await fixture.wait(for: .ready)
    #expect(await fixture.service.perform(.stop).stop == .confirmed)
    await central.setLinked(false)
    await fixture.waitForNoLink()
    await central.setSimulated(!isSimulated)
    try await fixture.letTimePass { await fixture.summary == "stopped confirmed" }
    #expect(await fixture.summary == "stopped pending")
    try await fixture.relink()
    _ = try await fixture.written(atLeast: 2)
    try await fixture.letTimePass { await fixture.summary != "stopped confirmed" }
    #expect(await central.written == [ServiceFixture.stop, ServiceFixture.stop])
    _ = try await fixture.end()
  }

  // MARK: 10

  @Test func rule16ADetectorThatRepeatsItselfHoldsBallsBack() async throws {
    let fixture = try await live()
    let stuck = Repetition.stuck(since: fixture.clock.now)
    for _ in 0..<300 {
      try await fixture.stand(stuck)
      try await fixture.pass(.seconds(1))
    }
    try await fixture.stand(stuck)
    #expect(await fixture.summary == "live held detectorRepeats")
    #expect(await fixture.service.snapshot.repeatsSince == .start)
    #expect(await fixture.central.written.isEmpty)
    try await fixture.stand(y: 9.1)
    #expect(await fixture.summary.hasPrefix("countdown silence until"))
    for _ in 0..<4 {
      try await fixture.pass(.milliseconds(900))
      try await fixture.stand(y: 9.1)
    }
    #expect(await fixture.summary == "live")
    _ = try await fixture.end()
  }

  @Test func rule16ACoarseDetectorThatRepeatsItselfIsToldOnce() async throws {
    let fixture = try await live()
    let events = await fixture.service.subscribe(backlog: 1000)
    let since = fixture.clock.now
    for _ in 0..<3 { try await fixture.stand(.long(since: since)) }
    #expect(await fixture.summary == "live")
    #expect(await fixture.service.snapshot.repeatsSince == since)
    try await fixture.stand()
    #expect(await fixture.service.snapshot.repeatsSince == nil)
    _ = try await fixture.end()
    var told: [FeedRecord] = []
    for await event in events {
      if case .record(.feed(let feed), _) = event { told.append(feed) }
    }
    #expect(told == [FeedRecord(state: "repeats", connection: "test")])
  }

  @Test func rule10TheWayOutIsAStopCommand() async throws {
    let fixture = try await live()
    try await fixture.stand()
    _ = try await fixture.written(atLeast: 1)
    let summary = try await fixture.end()
    #expect(summary.stop == .confirmed)
    #expect(await fixture.central.written.last == ServiceFixture.stop)
    #expect(await fixture.summary == "disarmed ending")
    // Whoever stops it later learns what became of that.
    #expect(await fixture.service.perform(.stop).stop == .confirmed)
    #expect(await fixture.service.perform(.arm()).refusal == "ending")
  }

  /// How soon, the link's first law says: its tests hold it to that.
  @Test func rule10TheWayOutEndsWhateverHangs() async throws {
    let fixture = try await live()
    try await fixture.stand()
    _ = try await fixture.written(atLeast: 1)
    await fixture.central.setHangsWrites(true)
    let ending = Task { try await fixture.end() }
    _ = try await fixture.written(atLeast: 2)
    #expect(try await ending.value.stop == .unconfirmed)
  }

  // MARK: 13

  @Test(arguments: [
    BlueZError("org.bluez.Error.NotPermitted", "Not paired"),
    BlueZError("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e"),
  ])
  func rule13AMachineThatTakesNoCommandsPausesUntilAPersonResumes(error: BlueZError) async throws {
    let central = FakeCentral()
    await central.answerWrites(with: [error, error, nil, error, error, error])
    let fixture = try await live(central: central)
    for number in 1...6 {
      #expect(await fixture.summary == "live held notSeen")
      try await fixture.stand()
      _ = try await fixture.written(atLeast: number)
      try await fixture.landed()
      if number < 6 { try await fixture.pass(.seconds(3)) }
    }
    #expect(await fixture.wait(for: "paused")?.state == .paused(.refused))
    #expect(try await fixture.written(atLeast: 7).last == ServiceFixture.stop)
    try await fixture.stand()
    try await fixture.pass(.seconds(100))
    try await fixture.stand()
    #expect(await fixture.summary == "paused refused")
    #expect(await fixture.service.perform(.resume()).refusal == nil)
    #expect(await fixture.summary.hasPrefix("countdown resuming"))
    #expect(await fixture.central.written.count == 7)
    _ = try await fixture.end()
  }
}
