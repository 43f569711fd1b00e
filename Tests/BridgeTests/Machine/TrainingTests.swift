import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import Safety
import Testing
import Training

/// Drills and levels: sets, rests, and what a session's place in a drill survives.
struct TrainingTests {
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

  /// A session with that drill, in which no ball has left.
  private func session(
    _ drill: Drill = Self.drill(),
    slew: MachineSlew = MachineSlew()
  ) throws -> BridgeFixture {
    var fixture = BridgeFixture { $0.slew = slew }
    try fixture.load(.drill(drill, seed: nil))
    arm(&fixture)
    return fixture
  }

  /// The first ball leaves at once, if it may.
  private func arm(_ fixture: inout BridgeFixture) {
    fixture.stand()
    fixture.perform(.arm(countdown: .zero, label: "Anna"))
  }

  /// Lets time pass, in steps after which the player is seen, until so many balls have left.
  ///
  /// - Returns: the last one.
  @discardableResult
  private func balls(_ count: Int, _ fixture: inout BridgeFixture) throws -> DispatchRecord {
    while fixture.balls.count < count { fixture.pass(.milliseconds(250), seeing: (4, 9)) }
    return try #require(fixture.balls.last)
  }

  private func place(_ fixture: BridgeFixture) -> String {
    fixture.snapshot.training.progress.map { "\($0.set).\($0.ball)" } ?? "none"
  }

  private func zones(_ fixture: BridgeFixture) -> [String] {
    fixture.written.compactMap { text in
      let command = try? MachineCommand(text: text)
      return command.flatMap { CommandTableFile.builtIn.zones(of: $0).first }?.description
    }
  }

  @Test func setsWithARestAndTheEnd() throws {
    var fixture = try session()
    #expect(fixture.snapshot.training.interval == .seconds(4))
    try balls(3, &fixture)
    #expect(fixture.snapshot.safety.state.word == "resting")
    #expect(place(fixture) == "1.3")
    // The machine may still be throwing the last ball.
    #expect(fixture.written.count == 3)
    let rest = fixture.now
    // The rest, its countdown included, and not the grid's next point.
    let pause = try balls(4, &fixture).decision.t - rest.seconds
    #expect(pause >= 21 && pause <= 21.5, "\(pause)")
    try balls(6, &fixture)
    #expect(fixture.snapshot.safety.state == .disarmed(.drillOver))
    #expect(zones(fixture) == ["3-0", "3-3", "1-1", "3-0", "3-3", "1-1"])
    #expect(place(fixture) == "none")
    #expect(fixture.written.count == 7)
    fixture.pass(.seconds(4))
    // A stop command for the rest and one for the end.
    #expect(fixture.written.count == 8)
    #expect(fixture.end().counts.byZone == ["3-0": 2, "3-3": 2, "1-1": 2])
  }

  @Test func aRestThatIsShorterThanTheIntervalBringsNoBallTooSoon() throws {
    let drill = Self.drill(balls: 2, rest: .seconds(3), interval: .seconds(8))
    var fixture = try session(drill)
    let times = try (1...4).map { try balls($0, &fixture).decision.t }
    #expect(times[2] - times[1] >= 8)
    let length = Duration.seconds(times[3] - times[0])
    #expect(length >= drill.length && length <= drill.length + .seconds(0.5), "\(length)")
  }

  @Test func withoutARestTheSetsFollowOneAnother() throws {
    var fixture = try session(Self.drill(rest: .zero))
    #expect(try balls(4, &fixture).decision.t == 12)
    #expect(place(fixture) == "2.1")
    #expect(fixture.summary == "live")
  }

  @Test func aPauseKeepsThePlaceAndAStopLosesIt() throws {
    var fixture = try session()
    fixture.perform(.pause)
    #expect(place(fixture) == "1.1")
    fixture.perform(.resume())
    try balls(2, &fixture)
    #expect(zones(fixture) == ["3-0", "3-3"])
    #expect(place(fixture) == "1.2")
    #expect(fixture.perform(.stop)?.stop == .confirmed)
    #expect(place(fixture) == "none")
    fixture.perform(.reset)
    arm(&fixture)
    #expect(place(fixture) == "1.0")
    try balls(3, &fixture)
    #expect(zones(fixture) == ["3-0", "3-3", "3-0"])
  }

  @Test func aLinkThatWasAwayGoesOnAtTheNextBall() throws {
    var fixture = try session()
    fixture.setLink(isReady: false)
    #expect(fixture.snapshot.safety.state == .paused(.linkLoss))
    fixture.pass(.seconds(2))
    fixture.setLink(isReady: true)
    try balls(2, &fixture)
    #expect(zones(fixture) == ["3-0", "3-3"])
    #expect(place(fixture) == "1.2")
  }

  @Test func aBallThatWasNotSentIsTheNextOneAgain() throws {
    var fixture = try session()
    // The machine takes 3-0, but not 3-3.
    var narrow = FieldLimits()
    narrow[.upper] = 0...11_700
    let table = CommandTableFile.builtIn
    fixture.reconfigure(BridgeSettings(.init(table: table), limits: MachineLimits(.digits, narrow)))
    try balls(3, &fixture)
    #expect(fixture.snapshot.summary.counts.outcomes.notSent == 2)
    #expect(place(fixture) == "1.1")
    fixture.reconfigure(BridgeSettings(.init(table: table)))
    try balls(4, &fixture)
    #expect(zones(fixture) == ["3-0", "3-3"])
    #expect(place(fixture) == "1.2")
  }

  /// Without a fresh position there is no ball in any drill, and the place stays.
  @Test func heldBallsAreNotLost() throws {
    var fixture = try session()
    // Too near to the net.
    fixture.pass(.seconds(10), seeing: (4, 0.2))
    #expect(fixture.balls.count == 1)
    #expect(place(fixture) == "1.1")
    try balls(2, &fixture)
    #expect(zones(fixture) == ["3-0", "3-3"])
  }

  @Test func nothingIsLoadedWhileArmed() throws {
    var fixture = try session()
    for state in ["live", "paused operator", "countdown resuming until"] {
      #expect(fixture.summary.hasPrefix(state))
      #expect(throws: TrainingRefusal.safety(.armed(for: "Anna"))) {
        try fixture.load(.follow(nil))
      }
      if state == "live" { fixture.perform(.pause) }
      if state.hasPrefix("paused") { fixture.perform(.resume()) }
    }
    #expect(fixture.perform(.stop)?.stop == .confirmed)
    // A stop is no session.
    try fixture.load(.follow(nil))
    #expect(fixture.snapshot.training.interval == .seconds(3))
  }

  @Test func anArmingForAnotherPlayerSaysForWhomItIsArmed() throws {
    var fixture = try session()
    let reply = fixture.perform(.arm(countdown: .seconds(30), label: "Ben"))
    #expect(reply.map { "\($0)" } == "refused(it is armed, for Anna: disarm first)")
    #expect(fixture.snapshot.training.label == "Anna")
  }

  @Test func aPendingArmingThatIsDisarmedLosesItsLabel() {
    var fixture = BridgeFixture(isReady: false) { $0.armsAtStart = true }
    fixture.perform(.arm(label: "Anna"))
    fixture.perform(.arm())
    #expect(fixture.snapshot.safety.state == .pending)
    #expect(fixture.snapshot.training.label == "Anna")
    fixture.perform(.disarm)
    #expect(fixture.snapshot.training.label == nil)
  }

  @Test func aPlanThatWouldReplaceAnotherOneThanTheLoadedIsNotLoaded() throws {
    var fixture = BridgeFixture()
    let drill = TrainingPlan.drill(Self.drill(), seed: nil)
    #expect(try fixture.load(drill, replacing: .follow(nil))?.plan == drill)
    #expect(try fixture.load(.follow(nil), replacing: .follow(nil)) == nil)
    #expect(fixture.snapshot.training.plan == drill)
  }

  @Test func whatTheMachineCannotDoIsRefused() throws {
    var fixture = BridgeFixture()
    #expect(throws: TrainingRefusal.tooShort(.seconds(2.5), least: .milliseconds(2_950))) {
      try fixture.load(.drill(Self.drill(interval: .seconds(2.5)), seed: nil))
    }
    var spin = Self.drill()
    spin.strategy = .random(WeightedTargets([.init(Target("3-0 topspin")!)]))
    #expect(throws: TrainingRefusal.noCommand(["3-0 topspin"])) {
      try fixture.load(.drill(spin, seed: nil))
    }
    // Nor do settings that take its commands away.
    let table = try CommandTable(
      csv: "zone,spin,command\n3-0,topspin,120001060014004500\n"
        + Zone.allCases.map { "\($0),,110001060014004500\n" }.joined()
    )
    fixture.reconfigure(BridgeSettings(.init(table: table)))
    try fixture.load(.drill(spin, seed: nil))
    #expect(throws: TrainingRefusal.noCommand(["3-0 topspin"])) {
      try fixture.machine.check(BridgeSettings(.init(table: CommandTableFile.builtIn)))
    }
    try fixture.machine.check(BridgeSettings(.init(table: table)))
  }

  @Test func aLevelHasItsIntervalAndCommands() throws {
    var fixture = BridgeFixture()
    let table = try CommandTable(
      csv: "zone,level,command\n"
        + Zone.allCases.map { "\($0),,110001060014004500\n\($0),beginner,070000660014004500\n" }
        .joined()
    )
    fixture.reconfigure(BridgeSettings(.init(table: table)))
    try fixture.load(.follow(.init(.beginner, interval: .seconds(6))))
    arm(&fixture)
    let second = try balls(2, &fixture)
    #expect(second.decision.t == 6)
    #expect(second.decision.command == "070000660014004500" && second.decision.target == nil)
    #expect(fixture.snapshot.training.label == "Anna")
    // New settings have another interval of the level, or keep it.
    var settings = BridgeSettings(.init(table: table, interval: .seconds(9)))
    fixture.reconfigure(settings)
    #expect(fixture.snapshot.interval == .seconds(6))
    settings.levels = [.beginner: .seconds(7), .advanced: .seconds(3)]
    settings.rules.leastInterval = .seconds(8)
    try fixture.machine.check(settings)
    fixture.reconfigure(settings)
    #expect(fixture.snapshot.interval == .seconds(8))
    settings.rules.leastInterval = .seconds(3)
    fixture.reconfigure(settings)
    #expect(fixture.snapshot.training.interval == .seconds(7))
    fixture.perform(.disarm)
    // It was that session's.
    #expect(fixture.snapshot.training.label == nil)
    try fixture.load(.follow(nil))
    #expect(fixture.snapshot.interval == .seconds(9))
  }

  /// 3-0 and 3-3 are 1,500 units of yaw apart.
  @Test func theMachinesTurnLengthensTheInterval() throws {
    var fixture = try session(Self.drill(sets: 1), slew: MachineSlew(yaw: 0.005))
    let second = try balls(2, &fixture)
    #expect(second.slew == 7.5)
    #expect(second.decision.t == 4)
    #expect(try balls(3, &fixture).decision.t == 11.5)
  }

  /// The turn for the second set's first ball, 45 s, is longer than the rest.
  @Test func aSetsEndDoesntShortenTheMachinesTurn() throws {
    var fixture = try session(Self.drill(balls: 2), slew: MachineSlew(yaw: 0.03))
    let second = try balls(2, &fixture)
    #expect(second.slew == 45)
    let pause = try balls(3, &fixture).decision.t - second.decision.t
    #expect(pause >= 45 && pause <= 45.5, "\(pause)")
  }

  /// The ball by hand is the first of all: there is no grid yet.
  @Test func theMachineTurnsAfterABallByHandToo() throws {
    var fixture = BridgeFixture { $0.slew = MachineSlew(yaw: 0.005) }
    for zone in ["3-0", "3-3"] {
      guard case .sent = fixture.sendByHand(CommandTableFile.builtIn[Zone(zone)!]) else {
        Issue.record("not sent")
        return
      }
      fixture.pass(.seconds(3))
    }
    arm(&fixture)
    #expect(try balls(1, &fixture).decision.t == 10.5)
  }

  @Test func eachChangeIsAnEvent() throws {
    var fixture = BridgeFixture()
    try fixture.load(.drill(Self.drill(sets: 1), seed: 5))
    arm(&fixture)
    try balls(3, &fixture)
    fixture.pass(.seconds(4))
    let seen = fixture.events.compactMap { event -> String? in
      switch event {
      case .training(let status):
        let place = status.progress.map { " \($0.set).\($0.ball) seed \($0.seed)" } ?? ""
        return "\(status.drill?.name ?? "follow")\(place)"
      case .safety(let status): return status.state.word
      default: return nil
      }
    }
    #expect(
      seen == [
        "three", "live", "three 1.0 seed 5", "three 1.1 seed 5", "three 1.2 seed 5",
        "three 1.3 seed 5",
        // Its last ball is still to come, and then isn't.
        "disarmed", "three", "disarmed",
      ],
      "\(seen)"
    )
  }
}
