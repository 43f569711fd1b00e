import BlueZ
import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import DBus
import Glibc
import Host
import MachineLink
import Safety
import TestSupport
import Testing

/// The rules of safety in Design.md, each by its number, held by the service. What takes processes
/// of their own is in the integration tests' suite of this name.
/// One after the other, so that a clock that a test moves doesn't outrun what waits on it.
@Suite(.serialized, .mustEnd) struct ServiceSafetyTests {
  /// A service that is live, with a player who has just been seen.
  private func live(
    central: FakeCentral = FakeCentral(),
    _ adapt: (inout BridgeService.Options) -> Void = { _ in }
  ) async throws -> ServiceBench {
    let bench = try ServiceBench(central: central, adapt)
    await bench.wait(for: .ready)
    _ = await bench.service.perform(.arm(countdown: .zero))
    #expect(await bench.summary == "live held notSeen")
    return bench
  }

  // MARK: 1

  @Test func rule1EveryStartIsDisarmed() async throws {
    let bench = try ServiceBench()
    #expect(await bench.summary == "disarmed atStart")
    await bench.wait(for: .ready)
    try await bench.stand()
    await bench.pass(.seconds(10))
    try await bench.stand()
    #expect(await bench.summary == "disarmed atStart")
    #expect(try await bench.end().dispatches == 0)
    #expect(await bench.central.written.isEmpty)
  }

  @Test func rule1FromArmingToABallIsAVisibleCountdown() async throws {
    let bench = try ServiceBench()
    await bench.wait(for: .ready)
    let events = await bench.service.subscribe()
    _ = await bench.service.perform(.arm())
    let countdown = try #require(await bench.wait(for: "countdown"))
    #expect(countdown.state.remaining(at: bench.clock.now) == .seconds(3))
    try await bench.stand()
    await bench.pass(.milliseconds(2_999))
    try await bench.stand()
    #expect(await bench.summary == "countdown arming until 3.0")
    #expect(await bench.central.written.isEmpty)
    bench.clock.advance(by: .milliseconds(1))
    let dispatch = try #require(await bench.dispatch(events))
    #expect(dispatch.decision.time == .start.advanced(by: .seconds(3)))
    #expect(await bench.summary == "live")
    _ = try await bench.end()
  }

  @Test func rule1ArmingAtTheStartWaitsForTheMachineAndCountsDownToo() async throws {
    let bench = try ServiceBench { $0.armsAtStart = true }
    let countdown = try #require(await bench.wait(for: "countdown"))
    #expect(countdown.state.code == "arming")
    // Once: a machine that is back does not arm what somebody has disarmed.
    _ = await bench.service.perform(.disarm)
    await bench.central.setLinked(false)
    await bench.waitForNoLink()
    try await bench.relink()
    #expect(await bench.summary == "disarmed operator")
    _ = try await bench.end()
  }

  @Test func rule1ADisarmingBeforeTheMachineIsThereCounts() async throws {
    let central = FakeCentral()
    await central.setLinked(false)
    let bench = try ServiceBench(central: central) { $0.armsAtStart = true }
    await bench.waitForNoLink()
    _ = await bench.service.perform(.disarm)
    try await bench.relink()
    #expect(await bench.summary == "disarmed operator")
    _ = try await bench.end()
  }

  @Test func rule1AnArmingThatIsPendingShowsAndCanBePaused() async throws {
    let central = FakeCentral()
    await central.setLinked(false)
    let bench = try ServiceBench(central: central) { $0.armsAtStart = true }
    await bench.waitForNoLink()
    #expect(await bench.summary == "pending")
    #expect(await bench.service.perform(.pause).refusal == nil)
    try await bench.relink()
    #expect(await bench.summary == "paused operator")
    _ = await bench.service.perform(.resume)
    #expect(await bench.summary.hasPrefix("countdown resuming"))
    _ = try await bench.end()
    #expect(await bench.central.written == [ServiceBench.stop])
  }

  // MARK: 2

  @Test func rule2AStopIsConfirmedLatchesAndIsResetToDisarmedOnly() async throws {
    let bench = try await live()
    let service = bench.service
    #expect(await service.perform(.stop).stop == .confirmed)
    #expect(await bench.summary == "stopped confirmed")
    #expect(await bench.central.written == [ServiceBench.stop])
    for request in [SafetyRequest.arm(), .pause, .resume] {
      #expect(await service.perform(request).refusal == "stopLatched")
    }
    #expect(await service.perform(.stop).stop == .alreadyStopped)
    // Whoever stops twice means it.
    _ = try await bench.written(atLeast: 2)
    try await bench.stand()
    await bench.pass(.seconds(10))
    try await bench.stand()
    #expect(await bench.summary == "stopped confirmed")
    _ = await service.perform(.reset)
    #expect(await bench.summary == "disarmed reset")
    #expect(try await bench.end().dispatches == 0)
  }

  @Test func rule2AStopThatNobodyAcknowledgesIsUnconfirmed() async throws {
    let bench = try await live(central: FakeCentral(flags: ["write-without-response"]))
    let asked = Task { await bench.service.perform(.stop) }
    try await bench.letTimePass { await bench.central.written.count < 3 }
    #expect(await asked.value.stop == .unconfirmed)
    #expect(await bench.summary == "stopped unconfirmed")
    _ = try await bench.end()
  }

  @Test func rule2AStopThatReachesNobodySaysSoAndIsTheFirstWriteWhenTheMachineIsBack()
    async throws
  {
    let bench = try await live()
    await bench.central.setLinked(false)
    await bench.waitForNoLink()
    let events = await bench.service.subscribe()
    let asked = Task { await bench.service.perform(.stop) }
    await bench.wait(for: "stopped")
    await bench.pass(.seconds(6))
    guard case .notDelivered(let reason) = await asked.value.stop else {
      Issue.record("nobody was told that the stop did not arrive")
      return
    }
    #expect(reason.contains("away"))
    #expect(await bench.summary == "stopped pending")
    #expect(await bench.central.written.isEmpty)
    try await bench.relink()
    for await case .stopped(let outcome) in events {
      #expect(outcome == .delivered)
      break
    }
    #expect(await bench.summary == "stopped confirmed")
    #expect(await bench.central.written == [ServiceBench.stop])
    _ = try await bench.end()
  }

  @Test func rule2AStopOvertakesAWriteThatHangs() async throws {
    let bench = try await live(central: FakeCentral(flags: ["write", "write-without-response"]))
    await bench.central.setHangsWrites(true)
    let events = await bench.service.subscribe()
    try await bench.stand()
    _ = try await bench.written(atLeast: 1)
    let asked = Task { await bench.service.perform(.stop) }
    #expect(try await bench.written(atLeast: 2).last == ServiceBench.stop)
    #expect(await bench.dispatch(events)?.outcome == .unknown(.abandonedForStop))
    await bench.central.setHangsWrites(false)
    #expect(await asked.value.stop == .confirmed)
    #expect(try await bench.end().dispatches == 1)
  }

  @Test func rule2AStopOvertakesACountdownAndACommandByHand() async throws {
    let bench = try ServiceBench()
    await bench.wait(for: .ready)
    _ = await bench.service.perform(.arm())
    #expect(await bench.service.perform(.stop).stop == .confirmed)
    await bench.pass(.seconds(4))
    #expect(await bench.summary == "stopped confirmed")
    _ = await bench.service.perform(.reset)

    await bench.central.setHangsWrites(true)
    let command = try MachineCommand(digits: ServiceBench.ball)
    let byHand = Task { await bench.service.sendManually(command) }
    _ = try await bench.written(atLeast: 2)
    let asked = Task { await bench.service.perform(.stop) }
    guard case .sent(let dispatch) = await byHand.value else {
      Issue.record("the command by hand was refused")
      return
    }
    #expect(dispatch.outcome == .unknown(.abandonedForStop))
    await bench.central.setHangsWrites(false)
    #expect(await asked.value.stop == .confirmed)
    #expect(
      await bench.central.written == [ServiceBench.stop, ServiceBench.ball, ServiceBench.stop]
    )
    _ = try await bench.end()
  }

  // MARK: 3

  @Test func rule3WithoutAFreshPositionNoBall() async throws {
    let bench = try await live()
    try await bench.stand()
    _ = try await bench.written(atLeast: 1)
    try await bench.landed()
    await bench.pass(.milliseconds(1_001))
    #expect(await bench.summary == "live held notSeen")
    await bench.pass(.seconds(3))
    #expect(await bench.central.written.count == 1)
    _ = try await bench.end()
  }

  @Test func rule3After5SecondsOfSilenceACountdownComesFirst() async throws {
    let bench = try await live()
    try await bench.stand()
    _ = try await bench.written(atLeast: 1)
    try await bench.landed()
    await bench.pass(.seconds(3))
    await bench.pass(.seconds(2))
    #expect(await bench.summary == "paused silence")
    // The player is gone: the machine rests.
    #expect(try await bench.written(atLeast: 2).last == ServiceBench.stop)
    await bench.pass(.seconds(20))
    try await bench.stand()
    #expect(await bench.summary == "countdown silence until 28.0")
    #expect(await bench.central.written.count == 2)
    await bench.pass(.seconds(2))
    try await bench.stand()
    bench.clock.advance(by: .seconds(1))
    #expect(try await bench.written(atLeast: 3).last != ServiceBench.stop)
    _ = try await bench.end()
  }

  @Test func rule3After60SecondsOfSilenceItIsDisarmed() async throws {
    let bench = try await live()
    try await bench.stand()
    bench.clock.advance(by: .seconds(60))
    #expect(await bench.wait(for: "disarmed")?.state == .disarmed(.silence))
    try await bench.stand()
    #expect(await bench.summary == "disarmed silence")
    _ = try await bench.end()
  }

  // MARK: 4

  @Test func rule4AShortLinkLossGoesOnAfterACountdown() async throws {
    let bench = try await live()
    try await bench.stand()
    _ = try await bench.written(atLeast: 1)
    await bench.central.setLinked(false)
    #expect(await bench.wait(for: "paused")?.state == .paused(.linkLoss))
    // Nothing is queued, whatever comes.
    for _ in 0..<4 {
      await bench.pass(.seconds(1))
      try await bench.stand()
    }
    #expect(await bench.central.written.count == 1)
    try await bench.relink()
    #expect(await bench.wait(for: "countdown")?.state.code == "linkLoss")
    // The way out of feeding could not be told then; it is told first.
    #expect(try await bench.written(atLeast: 2).last == ServiceBench.stop)
    _ = try await bench.end()
  }

  @Test func rule4AfterALongLinkLossItIsDisarmed() async throws {
    let bench = try await live()
    await bench.central.setLinked(false)
    await bench.wait(for: "paused")
    for second in 1...30 {
      #expect(await bench.summary == "paused linkLoss", "\(second)")
      try await bench.stand()
      await bench.pass(.seconds(1))
    }
    #expect(await bench.summary == "disarmed linkLoss")
    try await bench.relink()
    #expect(await bench.summary == "disarmed linkLoss")
    #expect(try await bench.written(atLeast: 1) == [ServiceBench.stop])
    _ = try await bench.end()
  }

  @Test func rule4WithoutALinkNobodyArms() async throws {
    let bench = try ServiceBench(central: FakeCentral(isThere: false))
    #expect(await bench.service.perform(.arm()).refusal == "linkNotReady")
    _ = try await bench.end()
  }

  // MARK: 5

  @Test func rule5ACommandByHandPausesTheAutomaticMode() async throws {
    let bench = try await live()
    let command = try MachineCommand(digits: ServiceBench.ball)
    guard case .sent(let dispatch) = await bench.service.sendManually(command) else {
      Issue.record("it was refused")
      return
    }
    #expect(dispatch.outcome == .delivered && dispatch.number == 1)
    #expect(await bench.summary == "paused manual")
    guard case .refused(.tooSoon(let wait)) = await bench.service.sendManually(command) else {
      Issue.record("it was not refused")
      return
    }
    #expect(wait == .milliseconds(2950))
    try await bench.stand()
    await bench.pass(.seconds(3))
    try await bench.stand()
    #expect(await bench.central.written == [ServiceBench.ball])
    #expect(await bench.service.perform(.resume).refusal == nil)
    #expect(await bench.summary.hasPrefix("countdown resuming"))
    let summary = try await bench.end()
    #expect(summary.manual == 1 && summary.dispatches == 0 && summary.stop == .delivered)
  }

  @Test func rule5ACommandByHandIsRefusedWhileStopIsLatched() async throws {
    let bench = try await live()
    _ = await bench.service.perform(.stop)
    let command = try MachineCommand(digits: ServiceBench.ball)
    #expect(await bench.service.sendManually(command) == .refused(.stopLatched))
    #expect(await bench.central.written == [ServiceBench.stop])
    _ = try await bench.end()
  }

  @Test func rule5TheStopDigitsByHandAreAStop() async throws {
    let bench = try await live()
    #expect(await bench.service.sendManually(.stop) == .stopped(.confirmed))
    #expect(await bench.summary == "stopped confirmed")
    _ = try await bench.end()
  }

  @Test func rule5WhateverStopsTheMachineIsAStopByHandToo() async throws {
    let stop = try MachineCommand(digits: "000010000200030004")
    let bench = try ServiceBench(stop: stop)
    await bench.wait(for: .ready)
    for command in [stop, .stop] {
      #expect(await bench.service.sendManually(command) == .stopped(.confirmed))
      #expect(await bench.summary == "stopped confirmed")
      #expect(await bench.central.written == [stop.digits])
      _ = await bench.service.perform(.reset)
      await bench.central.forgetWrites()
    }
    _ = try await bench.end()
  }

  // MARK: 6

  @Test func rule6OneWriterAMachine() throws {
    let base = try TemporaryDirectory()
    let directory = try RuntimeDirectory(
      variable: { $0 == "BALLMACHINE_RUNTIME_DIR" ? base("run") : nil }
    )
    let lock = try MachineLock(in: directory)
    #expect(throws: MachineLockError.held(by: getpid())) { try MachineLock(in: directory) }
    lock.release()
    _ = try MachineLock(in: directory)
  }

  // MARK: 7

  @Test(arguments: [(0.49, "nearNet"), (-0.01, "behindNet"), (-2, "behindNet")])
  func rule7NobodyAtTheNetGetsABall(_ y: Double, _ code: String) async throws {
    let bench = try await live()
    let events = await bench.service.subscribe()
    try await bench.stand(y: y)
    #expect(await bench.summary == "live held \(code)")
    for _ in 0..<7 {
      await bench.pass(.seconds(1))
      try await bench.stand(y: y)
    }
    #expect(await bench.central.written.isEmpty)
    let summary = try await bench.end()
    #expect(summary.held == 3 && summary.dispatches == 0)
    var told: [HeldDecision] = []
    for await case .held(let held) in events { told.append(held) }
    #expect(told.map { $0.holds.map(\.code) } == [[code]], "once a hold, not a tick")
  }

  @Test func rule7AnImpossibleJumpHoldsFireAsLongAsItIsInTheAverage() async throws {
    let bench = try await live()
    try await bench.stand(x: 1)
    _ = try await bench.written(atLeast: 1)
    for _ in 0..<9 {
      await bench.pass(.milliseconds(280))
      try await bench.stand(x: 1)
    }
    await bench.pass(.milliseconds(280))
    try await bench.stand(x: 8)
    #expect(await bench.summary == "live held impossibleJump")
    await bench.pass(.milliseconds(200))
    #expect(await bench.central.written.count == 1)
    for _ in 0..<5 {
      try await bench.stand(x: 8)
      await bench.pass(.milliseconds(600))
    }
    #expect(try await bench.written(atLeast: 2).last == "120001080019009500")
    let summary = try await bench.end()
    #expect(summary.held == 1 && summary.dispatches == 2, "\(summary)")
  }

  // MARK: 8

  @Test func rule8ValuesAreCheckedAgainJustBeforeTheWrite() async throws {
    let bench = try await live()
    let events = await bench.service.subscribe()
    // A machine that takes none of the table's commands: whoever loads a table refuses it.
    await bench.service.reconfigure(
      BridgeSettings(table: CommandTableFile.builtIn, limits: MachineLimits(upperMotor: 0...1))
    )
    try await bench.stand()
    guard case .notSent(.notAllowed(let reason)) = await bench.dispatch(events)?.outcome else {
      Issue.record("it left")
      return
    }
    #expect(reason.contains("upper motor 11800"))
    let command = try MachineCommand(digits: ServiceBench.ball)
    guard case .refused(.outsideLimits) = await bench.service.sendManually(command) else {
      Issue.record("it left")
      return
    }
    #expect(await bench.central.written.isEmpty)
    _ = try await bench.end()
  }

  @Test(arguments: seeds()) func rule8BytesDecodeToWhatWasMeant(seed: UInt64) throws {
    print("rule 8: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<10_000 {
      let command = try MachineCommand(
        upperMotor: .random(in: 0...99_999, using: &generator),
        lowerMotor: .random(in: 0...99_999, using: &generator),
        pitch: .random(in: 0...9_999, using: &generator),
        yaw: .random(in: 0...9_999, using: &generator)
      )
      let decoded = try MachineCommand(digits: String(decoding: command.bytes, as: UTF8.self))
      #expect(decoded == command && command.bytes.count == 18)
    }
  }

  // MARK: 9

  @Test(arguments: [true, false]) func rule9TheModeIsTheMachinesOwnWord(_ isSimulated: Bool)
    async throws
  {
    let bench = try ServiceBench(central: FakeCentral(isSimulated: isSimulated))
    await bench.wait(for: .ready)
    #expect(await bench.service.snapshot.link.isSimulated == isSimulated)
    #expect(try await bench.end().isSimulated == isSimulated)
  }

  // MARK: 10

  @Test func rule10TheWayOutIsAStopCommand() async throws {
    let bench = try await live()
    try await bench.stand()
    _ = try await bench.written(atLeast: 1)
    let summary = try await bench.end()
    #expect(summary.stop == .delivered)
    #expect(await bench.central.written.last == ServiceBench.stop)
    #expect(await bench.summary == "disarmed ending")
    // Whoever stops it later learns what became of that.
    #expect(await bench.service.perform(.stop).stop == .confirmed)
    #expect(await bench.service.perform(.arm()).refusal == "ending")
  }

  /// How soon, the link's first law says: its tests hold it to that.
  @Test func rule10TheWayOutEndsWhateverHangs() async throws {
    let bench = try await live()
    try await bench.stand()
    _ = try await bench.written(atLeast: 1)
    await bench.central.setHangsWrites(true)
    let ending = Task { try await bench.end() }
    _ = try await bench.written(atLeast: 2)
    #expect(try await ending.value.stop == .unknown(.ended))
  }
}
