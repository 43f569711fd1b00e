import Bridge
import Clocks
import ControlProtocol
import CourtLogic
import Glibc
import MachineLink
import Safety
import TestSupport
import Testing

@testable import Host

/// The rules of safety in Design.md, each by its number, held by the service and its link. What the bridge
/// decides by itself is in ``SafetyRuleTests``, what takes processes of their own in the integration
/// tests' suite of this name.
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
    fixture.clock.advance(by: .seconds(6))
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
    fixture.clock.advance(by: .seconds(6))
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
    fixture.clock.advance(by: .seconds(6))
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

  @Test func rule2AStopOvertakesACommandByHand() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    await fixture.central.setHangsWrites(true)
    let command = try MachineCommand(digits: ServiceFixture.ball)
    let byHand = Task { await fixture.service.sendManually(command) }
    _ = try await fixture.written(atLeast: 1)
    let asked = Task { await fixture.service.perform(.stop) }
    guard case .sent(let manual, _) = await byHand.value else {
      Issue.record("the command by hand was refused")
      return
    }
    #expect(manual.outcome == OutcomeRecord(.unknown(.abandonedForStop)))
    await fixture.central.setHangsWrites(false)
    #expect(await asked.value.stop == .confirmed)
    #expect(await fixture.central.written == [ServiceFixture.ball, ServiceFixture.stop])
    _ = try await fixture.end()
  }

  // MARK: 4

  @Test func rule4AShortLinkLossGoesOnAfterACountdown() async throws {
    let fixture = try await live()
    try await fixture.stand()
    _ = try await fixture.written(atLeast: 1)
    await fixture.central.setLinked(false)
    #expect(await fixture.wait(for: "paused")?.state == .paused(.linkLoss))
    try await fixture.relink()
    #expect(await fixture.wait(for: "countdown")?.state.code == "linkLoss")
    // The way out of feeding could not be told then; it is told first.
    #expect(try await fixture.written(atLeast: 2).last == ServiceFixture.stop)
    _ = try await fixture.end()
  }

  // MARK: 5

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

  // MARK: 8

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
    [true, false]
  )
  func rule9AChangeDisarms(fromSimulated: Bool, isLost: Bool) async throws {
    let central = FakeCentral(isSimulated: fromSimulated)
    let fixture = try ServiceFixture(central: central)
    await fixture.wait(for: .ready)
    try await fixture.stand()
    _ = await fixture.service.perform(.arm(countdown: .zero))
    if isLost {
      await central.setLinked(false)
      await fixture.waitForNoLink()
    }
    await central.setSimulated(!fromSimulated)
    await fixture.wait(for: "disarmed")
    #expect(await fixture.summary.hasPrefix("disarmed otherMachine"))
    #expect(await fixture.service.snapshot.link.isSimulated == !fromSimulated)
    if isLost { await central.setLinked(true) }
    try await fixture.letTimePass { await fixture.link.status.phase != .ready }
    await fixture.wait(for: .ready)
    #expect(await fixture.link.status.linked?.isSimulated == !fromSimulated)
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

}
