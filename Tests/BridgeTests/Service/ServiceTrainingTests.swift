import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import MachineLink
import Safety
import TestSupport
import Testing
import Training

/// Drills and levels in a running service: sets, rests, and what a session's place in a drill
/// survives.
@Suite(.mustEnd) struct ServiceTrainingTests {
  private static func shot(_ zone: String) -> AimingStrategy.PlannedShot {
    .init(WeightedTargets([.init(Target(zone)!)]))
  }

  /// Three balls a set, for 3-0, 3-3 and 1-1.
  private static func drill(
    balls: Int = 3,
    sets: Int = 2,
    // Not a multiple of the interval.
    rest: Duration = .seconds(21),
    interval: Duration = .seconds(4)
  ) -> Drill {
    Drill(
      name: "three",
      strategy: .plan([shot("3-0"), shot("3-3"), shot("1-1")]),
      interval: interval,
      balls: balls,
      sets: sets,
      rest: rest
    )
  }

  private func load(
    _ drill: Drill = Self.drill(),
    slew: MachineSlew = MachineSlew()
  ) async throws -> ServiceFixture {
    let fixture = try ServiceFixture { $0.slew = slew }
    await fixture.wait(for: .ready)
    try await fixture.service.load(.drill(drill, seed: nil))
    return fixture
  }

  private func arm(_ fixture: ServiceFixture) async throws {
    try await fixture.stand()
    _ = await fixture.service.perform(.arm(countdown: .zero, label: "Anna"))
  }

  /// Lets time pass, in steps in which the player is seen, until so many balls have left.
  ///
  /// - Returns: the last one.
  @discardableResult
  private func balls(_ count: Int, _ fixture: ServiceFixture) async throws -> DispatchRecord {
    while await fixture.service.snapshot.summary.counts.dispatches < count {
      try await fixture.pass(.milliseconds(250))
      try await fixture.stand()
      try await fixture.landed()
    }
    try await fixture.landed()
    return try #require(await fixture.service.snapshot.lastDispatch)
  }

  private func place(_ fixture: ServiceFixture) async -> String {
    let progress = await fixture.service.snapshot.training.progress
    return progress.map { "\($0.set).\($0.ball)" } ?? "none"
  }

  private func zones(_ fixture: ServiceFixture) async -> [String] {
    await fixture.central.written.compactMap { text in
      let command = try? MachineCommand(text: text)
      return command.flatMap { CommandTableFile.builtIn.zones(of: $0).first }?.description
    }
  }

  @Test func setsWithARestAndTheEnd() async throws {
    let fixture = try await load()
    #expect(await fixture.service.snapshot.training.interval == .seconds(4))
    try await arm(fixture)
    try await balls(3, fixture)
    await fixture.wait(for: "resting")
    #expect(await place(fixture) == "1.3")
    // The machine may still be throwing the last ball.
    #expect(await fixture.central.written.count == 3)
    let rest = await fixture.service.snapshot.time
    try await balls(4, fixture)
    // The rest, its countdown included, and not the grid's next point.
    let fourth = try #require(await fixture.service.snapshot.lastDispatch)
    let pause = fourth.decision.t - rest.seconds
    #expect(pause >= 21 && pause <= 21.5, "\(pause)")
    let writtenWhenOver = Task {
      await fixture.service.waitUntilDrillIsOver()
      return await fixture.central.written.count
    }
    try await balls(6, fixture)
    let end = await fixture.wait(for: "disarmed")
    #expect(end?.state == .disarmed(.drillOver))
    #expect(await zones(fixture) == ["3-0", "3-3", "1-1", "3-0", "3-3", "1-1"])
    #expect(await place(fixture) == "none")
    #expect(await fixture.central.written.count == 7)
    try await fixture.pass(.seconds(4))
    // A stop command for the rest and one for the end.
    _ = try await fixture.written(atLeast: 8)
    #expect(await writtenWhenOver.value == 8)
    let summary = try await fixture.end()
    #expect(
      summary.counts.byZone == ["3-0": 2, "3-3": 2, "1-1": 2]
    )
  }

  @Test func aRestThatIsShorterThanTheIntervalBringsNoBallTooSoon() async throws {
    let drill = Self.drill(balls: 2, rest: .seconds(3), interval: .seconds(8))
    let fixture = try await load(drill)
    try await arm(fixture)
    let first = try await balls(1, fixture)
    let second = try await balls(2, fixture)
    let third = try await balls(3, fixture)
    #expect(third.decision.t - second.decision.t >= 8)
    let fourth = try await balls(4, fixture)
    let length = Duration.seconds(fourth.decision.t - first.decision.t)
    #expect(length >= drill.length && length <= drill.length + .seconds(0.5), "\(length)")
    _ = try await fixture.end()
  }

  @Test func withoutARestTheSetsFollowOneAnother() async throws {
    let fixture = try await load(Self.drill(rest: .zero))
    try await arm(fixture)
    try await balls(4, fixture)
    #expect(await place(fixture) == "2.1")
    #expect(await fixture.summary == "live")
    let fourth = try #require(await fixture.service.snapshot.lastDispatch)
    #expect(fourth.decision.t == 12)
    _ = try await fixture.end()
  }

  @Test func aPauseKeepsThePlaceAndAStopLosesIt() async throws {
    let fixture = try await load()
    try await arm(fixture)
    try await balls(1, fixture)
    _ = await fixture.service.perform(.pause)
    #expect(await place(fixture) == "1.1")
    _ = try await fixture.written(atLeast: 2)
    _ = await fixture.service.perform(.resume())
    try await balls(2, fixture)
    #expect(await zones(fixture) == ["3-0", "3-3"])
    #expect(await place(fixture) == "1.2")
    #expect(await fixture.service.perform(.stop).stop == .confirmed)
    #expect(await place(fixture) == "none")
    _ = await fixture.service.perform(.reset)
    try await arm(fixture)
    #expect(await place(fixture) == "1.0")
    try await balls(3, fixture)
    #expect(await zones(fixture) == ["3-0", "3-3", "3-0"])
    _ = try await fixture.end()
  }

  @Test func aLinkThatWasAwayGoesOnAtTheNextBall() async throws {
    let fixture = try await load()
    try await arm(fixture)
    try await balls(1, fixture)
    await fixture.central.setLinked(false)
    await fixture.waitForNoLink()
    #expect(await fixture.service.snapshot.safety.state == .paused(.linkLoss))
    try await fixture.pass(.seconds(2))
    try await fixture.relink()
    try await balls(2, fixture)
    #expect(await zones(fixture) == ["3-0", "3-3"])
    #expect(await place(fixture) == "1.2")
    _ = try await fixture.end()
  }

  @Test func aBallThatWasNotSentIsTheNextOneAgain() async throws {
    let fixture = try await load()
    try await arm(fixture)
    try await balls(1, fixture)
    // The machine takes 3-0, but not 3-3.
    var narrow = FieldLimits()
    narrow[.upper] = 0...11_700
    let table = CommandTableFile.builtIn
    await fixture.service.reconfigure(
      BridgeSettings(.init(table: table), limits: MachineLimits(.digits, narrow))
    )
    try await balls(3, fixture)
    #expect(await fixture.service.snapshot.summary.counts.outcomes.notSent == 2)
    #expect(await place(fixture) == "1.1")
    await fixture.service.reconfigure(BridgeSettings(.init(table: table)))
    try await balls(4, fixture)
    #expect(await zones(fixture) == ["3-0", "3-3"])
    #expect(await place(fixture) == "1.2")
    _ = try await fixture.end()
  }

  /// Without a fresh position there is no ball in any drill, and the place stays.
  @Test func heldBallsAreNotLost() async throws {
    let fixture = try await load()
    try await arm(fixture)
    try await balls(1, fixture)
    // Too near to the net.
    for _ in 0..<40 {
      try await fixture.pass(.milliseconds(250))
      try await fixture.stand(y: 0.2)
    }
    #expect(await fixture.service.snapshot.summary.counts.dispatches == 1)
    #expect(await place(fixture) == "1.1")
    for _ in 0..<8 {
      try await fixture.pass(.milliseconds(250))
      try await fixture.stand()
    }
    try await balls(2, fixture)
    #expect(await zones(fixture) == ["3-0", "3-3"])
    _ = try await fixture.end()
  }

  @Test func nothingIsLoadedWhileArmed() async throws {
    let fixture = try await load()
    try await arm(fixture)
    for state in ["live", "paused operator", "countdown resuming until"] {
      #expect(await fixture.summary.hasPrefix(state))
      await #expect(throws: TrainingRefusal.safety(.armed(for: "Anna"))) {
        try await fixture.service.load(.follow(nil))
      }
      if state == "live" { _ = await fixture.service.perform(.pause) }
      if state.hasPrefix("paused") { _ = await fixture.service.perform(.resume()) }
    }
    #expect(await fixture.service.perform(.stop).stop == .confirmed)
    // A stop is no session.
    try await fixture.service.load(.follow(nil))
    #expect(await fixture.service.snapshot.training.interval == .seconds(3))
    _ = try await fixture.end()
  }

  @Test func anArmingForAnotherPlayerSaysForWhomItIsArmed() async throws {
    let fixture = try await load()
    try await arm(fixture)
    let reply = await fixture.service.perform(.arm(countdown: .seconds(30), label: "Ben"))
    #expect("\(reply)" == "refused(it is armed, for Anna: disarm first)")
    #expect(await fixture.service.snapshot.training.label == "Anna")
    _ = try await fixture.end()
  }

  @Test func aPendingArmingThatIsDisarmedLosesItsLabel() async throws {
    let central = FakeCentral()
    await central.setLinked(false)
    let fixture = try ServiceFixture(central: central) { $0.armsAtStart = true }
    await fixture.waitForNoLink()
    let service = fixture.service
    _ = await service.perform(.arm(label: "Anna"))
    _ = await service.perform(.arm())
    #expect(await service.snapshot.safety.state == .pending)
    #expect(await service.snapshot.training.label == "Anna")
    _ = await service.perform(.disarm)
    #expect(await service.snapshot.training.label == nil)
    _ = try await fixture.end()
  }

  @Test func aPlanThatWouldReplaceAnotherOneThanTheLoadedIsNotLoaded() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let (service, drill) = (fixture.service, TrainingPlan.drill(Self.drill(), seed: nil))
    #expect(try await service.load(drill, replacing: .follow(nil))?.plan == drill)
    #expect(try await service.load(.follow(nil), replacing: .follow(nil)) == nil)
    #expect(await service.snapshot.training.plan == drill)
    _ = try await fixture.end()
  }

  @Test func whatTheMachineCannotDoIsRefused() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    await #expect(
      throws: TrainingRefusal.tooShort(.seconds(2.5), least: .milliseconds(2_950))
    ) { try await fixture.service.load(.drill(Self.drill(interval: .seconds(2.5)), seed: nil)) }
    var spin = Self.drill()
    spin.strategy = .random(WeightedTargets([.init(Target("3-0 topspin")!)]))
    await #expect(throws: TrainingRefusal.noCommand(["3-0 topspin"])) {
      try await fixture.service.load(.drill(spin, seed: nil))
    }
    // Nor do settings that take its commands away.
    let table = try CommandTable(
      csv: "zone,spin,command\n3-0,topspin,120001060014004500\n"
        + Zone.allCases.map { "\($0),,110001060014004500\n" }.joined()
    )
    await fixture.service.reconfigure(BridgeSettings(.init(table: table)))
    try await fixture.service.load(.drill(spin, seed: nil))
    await #expect(throws: TrainingRefusal.noCommand(["3-0 topspin"])) {
      try await fixture.service.check(BridgeSettings(.init(table: CommandTableFile.builtIn)))
    }
    try await fixture.service.check(BridgeSettings(.init(table: table)))
    _ = try await fixture.end()
  }

  @Test func aLevelHasItsIntervalAndCommands() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let table = try CommandTable(
      csv: "zone,level,command\n"
        + Zone.allCases.map { "\($0),,110001060014004500\n\($0),beginner,070000660014004500\n" }
        .joined()
    )
    await fixture.service.reconfigure(BridgeSettings(.init(table: table)))
    try await fixture.service.load(.follow(.init(.beginner, interval: .seconds(6))))
    try await arm(fixture)
    let second = try await balls(2, fixture)
    #expect(second.decision.t == 6)
    #expect(second.decision.command == "070000660014004500" && second.decision.target == nil)
    #expect(await fixture.service.snapshot.training.label == "Anna")
    // New settings have another interval of the level, or keep it.
    var settings = BridgeSettings(.init(table: table, interval: .seconds(9)))
    await fixture.service.reconfigure(settings)
    #expect(await fixture.service.snapshot.interval == .seconds(6))
    settings.levels = [.beginner: .seconds(7), .advanced: .seconds(3)]
    settings.rules.leastInterval = .seconds(8)
    try await fixture.service.check(settings)
    await fixture.service.reconfigure(settings)
    #expect(await fixture.service.snapshot.interval == .seconds(8))
    settings.rules.leastInterval = .seconds(3)
    await fixture.service.reconfigure(settings)
    #expect(await fixture.service.snapshot.training.interval == .seconds(7))
    _ = await fixture.service.perform(.disarm)
    // It was that session's.
    #expect(await fixture.service.snapshot.training.label == nil)
    try await fixture.service.load(.follow(nil))
    #expect(await fixture.service.snapshot.interval == .seconds(9))
    _ = try await fixture.end()
  }

  /// 3-0 and 3-3 are 1,500 units of yaw apart.
  @Test func theMachinesTurnLengthensTheInterval() async throws {
    let fixture = try await load(Self.drill(sets: 1), slew: MachineSlew(yaw: 0.005))
    try await arm(fixture)
    let second = try await balls(2, fixture)
    #expect(second.slew == 7.5)
    #expect(second.decision.t == 4)
    let third = try await balls(3, fixture)
    #expect(third.decision.t == 11.5)
    _ = try await fixture.end()
  }

  /// The turn for the second set's first ball, 45 s, is longer than the rest.
  @Test func aSetsEndDoesntShortenTheMachinesTurn() async throws {
    let fixture = try await load(Self.drill(balls: 2), slew: MachineSlew(yaw: 0.03))
    try await arm(fixture)
    let second = try await balls(2, fixture)
    #expect(second.slew == 45)
    let third = try await balls(3, fixture)
    let pause = third.decision.t - second.decision.t
    #expect(pause >= 45 && pause <= 45.5, "\(pause)")
    _ = try await fixture.end()
  }

  /// The ball by hand is the first of all: there is no grid yet.
  @Test func theMachineTurnsAfterABallByHandToo() async throws {
    let fixture = try ServiceFixture { $0.slew = MachineSlew(yaw: 0.005) }
    await fixture.wait(for: .ready)
    for zone in ["3-0", "3-3"] {
      let command = CommandTableFile.builtIn[Zone(zone)!]
      guard case .sent = await fixture.service.sendManually(command) else {
        Issue.record("not sent")
        return
      }
      try await fixture.pass(.seconds(3))
    }
    try await arm(fixture)
    let first = try await balls(1, fixture)
    #expect(first.decision.t == 10.5)
    _ = try await fixture.end()
  }

  @Test func eachChangeIsAnEvent() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    var events = await fixture.service.subscribe().makeAsyncIterator()
    try await fixture.service.load(.drill(Self.drill(sets: 1), seed: 5))
    try await arm(fixture)
    try await balls(3, fixture)
    await fixture.wait(for: "disarmed")
    _ = try await fixture.end()
    var seen: [String] = []
    while let event = await events.next() {
      switch event {
      case .training(let status):
        let place = status.progress.map { " \($0.set).\($0.ball) seed \($0.seed)" } ?? ""
        seen.append("\(status.drill?.name ?? "follow")\(place)")
      case .safety(let status): seen.append(status.state.word)
      default: break
      }
    }
    #expect(
      seen == [
        "disarmed", "follow", "three", "live", "three 1.0 seed 5", "three 1.1 seed 5",
        "three 1.2 seed 5", "three 1.3 seed 5",
        // Its last ball is still to come, and then isn't.
        "disarmed", "three", "disarmed",
      ],
      "\(seen)"
    )
  }
}
