import Clocks
import CourtLogic
import Testing
import Training

/// Sets and balls of a session's drill.
struct DrillProgressTests {
  private let court = Court()
  private let player = Court().middle(of: .fallback)

  private func drill(_ balls: Int, _ sets: Int, _ strategy: AimingStrategy? = nil) -> Drill {
    let targets = WeightedTargets(["3-0", "3-3", "2-1"].map { .init(Target($0)!) })
    return Drill(
      name: "test",
      strategy: strategy ?? .random(targets),
      interval: .seconds(4),
      balls: balls,
      sets: sets,
      rest: .seconds(30)
    )
  }

  @Test func aSetAfterTheOther() {
    func shot(_ zone: String) -> AimingStrategy.PlannedShot {
      .init(WeightedTargets([.init(Target(zone)!)]))
    }
    let plan = AimingStrategy.plan([shot("3-0"), shot("3-3"), shot("2-1")])
    var progress = DrillProgress(drill(2, 3, plan), seed: 1)
    var places: [String] = []
    var zones: [String?] = []
    while !progress.isOver {
      let (target, next) = progress.next(playerAt: player, on: court)
      zones.append(target?.description)
      progress = next
      places.append("\(progress.set).\(progress.ball)\(progress.isSetOver ? "!" : "")")
    }
    #expect(places == ["1.1", "1.2!", "2.1", "2.2!", "3.1", "3.2!"])
    // Each set begins the plan.
    #expect(zones == ["3-0", "3-3", "3-0", "3-3", "3-0", "3-3"])
  }

  /// Held back, or lost on its way: the same shot is next again.
  @Test func aBallThatDidNotLeaveChangesNothing() {
    let progress = DrillProgress(drill(12, 2), seed: 3)
    let (first, after) = progress.next(playerAt: player, on: court)
    #expect(progress.next(playerAt: player, on: court).0 == first)
    #expect(progress.ball == 0 && after.ball == 1)
    #expect(progress.nextTarget == first)
  }

  @Test func theNextTargetIsKnownUnlessItDependsOnThePlayer() {
    let targets = WeightedTargets([.init(Target("3-0")!), .init(Target("3-3")!)])
    #expect(DrillProgress(drill(1, 1, .follow), seed: 1).nextTarget == nil)
    #expect(DrillProgress(drill(1, 1, .away(targets, 0...9)), seed: 1).nextTarget == nil)
    let last = DrillProgress(drill(1, 1), seed: 1).next(playerAt: player, on: court).1
    #expect(last.isOver && last.nextTarget == nil)
  }

  @Test func itsLengthIsFromTheFirstBallToTheLast() {
    // 3 intervals a set, and a rest between them.
    #expect(drill(4, 2).length == .seconds(4 * 3 + 30 + 4 * 3))
    var short = drill(4, 2)
    short.rest = .zero
    #expect(short.length == .seconds(4 * 7))
  }

  @Test func aPlanNeedsItsCommandsAtItsLevel() throws {
    let level =
      "zone,level,command\n" + Zone.allCases.map { "\($0),,110001060014004500\n" }.joined()
    let table = try CommandTable(
      csv: level + "3-0,beginner,120001060014004500\n3-3,beginner,130001060014004500\n"
    )
    var beginner = drill(1, 1)
    beginner.level = .beginner
    #expect(table.missing(for: TrainingPlan.drill(beginner, seed: nil).strokes) == ["2-1 beginner"])
    #expect(table.missing(for: TrainingPlan.drill(drill(1, 1), seed: nil).strokes) == [])
    #expect(table.command(for: Target("3-0")!, at: .beginner)?.text == "120001060014004500")
    #expect(table.command(for: Target("2-1")!, at: .beginner) == nil)
    // A table without levels has the same commands for all.
    let plain = try CommandTable { _ in try MachineCommand(digits: "110001060014004500") }
    #expect(plain.missing(for: TrainingPlan.drill(beginner, seed: nil).strokes) == [])
    #expect(plain.command(for: Target("3-0 topspin")!, at: nil) == nil)
  }

  /// Behind the baseline a beginner gets no faster ball than on the court.
  @Test func outOfCourtTheFallbackZoneHasTheLevelsCommand() throws {
    let lines = Zone.allCases.map {
      "\($0),,11000106001400450\($0.row)\n\($0),beginner,12000106001400450\($0.row)\n"
    }
    let table = try CommandTable(csv: "zone,level,command\n" + lines.joined())
    let own = try MachineCommand(digits: "990001060014004500")
    let beginner = TrainingPlan.follow(.init(.beginner, interval: .seconds(5)))
    for (plan, fallback, expected) in [
      (beginner, Fallback.zone(.fallback), "120001060014004501"),
      (beginner, .zone(Zone("3-0")!), "120001060014004503"),
      (beginner, .command(own), own.text),
      (.follow(nil), .zone(.fallback), "110001060014004501"),
    ] {
      var logic = LogicManager(.init(table: table, fallback: fallback))
      let position = try PlayerPosition(x: 4, y: 13)
      _ = logic.insert(position, from: SourceID(connection: "test"), at: .start)
      let answer = logic.decide(at: .start)
      let decision = try #require(answer)
      let aimed = plan.aim(decision, nil, by: logic)?.0
      #expect(aimed?.command.text == expected && aimed?.destination == nil)
    }
  }

  /// Without a drill and a level, a decision stays what it was, byte for byte.
  @Test func followChangesNoDecision() throws {
    let table = try CommandTable { zone in
      try MachineCommand(digits: "1100010600140045\(10 + zone.id)")
    }
    let fallback = try MachineCommand(digits: "990001060014004500")
    var logic = LogicManager(
      .init(
        court: try Court(apron: 3),
        table: table,
        fallback: .command(fallback)
      )
    )
    var generator = SeededGenerator(seed: 2)
    let source = SourceID(connection: "test")
    var decisions = 0
    for second in 0..<3_000 {
      let now = MonotonicInstant.start.advanced(by: .seconds(second))
      let position = try PlayerPosition(
        x: .random(in: -9...17, using: &generator),
        y: .random(in: -5...20, using: &generator)
      )
      _ = logic.insert(position, from: source, at: now)
      guard let decision = logic.decide(at: now) else { continue }
      decisions += 1
      let aimed = TrainingPlan.follow(nil).aim(decision, nil, by: logic)
      #expect(aimed?.0 == decision && aimed?.1 == nil)
    }
    #expect(decisions == 1_000)
  }
}
