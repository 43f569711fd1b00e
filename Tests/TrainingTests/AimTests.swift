import CourtLogic
import Testing
import Training

/// How each strategy chooses zones.
struct AimTests {
  private let court = Court()

  private func targets(_ texts: String...) -> WeightedTargets {
    WeightedTargets(texts.map { .init(Target($0)!) })
  }

  private func shot(_ text: String, _ balls: ClosedRange<Int> = 1...1) -> AimingStrategy.PlannedShot
  {
    .init(targets(text), balls: balls)
  }

  /// The zones of so many balls; the player stands still, or where the function says.
  private func zones(
    _ strategy: AimingStrategy,
    _ count: Int,
    avoidsRepeats: Bool = false,
    seed: UInt64 = 1,
    player: (Int) -> PlayerPosition = { _ in Court().middle(of: Zone(row: 3, column: 1)!) }
  ) -> [String] {
    var aim = Aim(strategy, avoidsRepeats: avoidsRepeats, seed: seed)
    return (0..<count).map { number in
      let (target, next) = aim.next(playerAt: player(number), on: court)
      aim = next
      return target?.description ?? "follow"
    }
  }

  @Test func followLeavesTheZoneToThePlayer() {
    #expect(zones(.follow, 3) == ["follow", "follow", "follow"])
  }

  @Test func aPlanGoesRound() {
    let plan = AimingStrategy.plan([shot("3-0"), shot("3-3 topspin", 2...2), shot("1-1")])
    #expect(
      zones(plan, 9) == [
        "3-0", "3-3 topspin", "3-3 topspin", "1-1", "3-0", "3-3 topspin", "3-3 topspin", "1-1",
        "3-0",
      ]
    )
  }

  @Test func aPlansRepeatsStayInTheirRange() {
    let zones = zones(.plan([shot("3-0", 2...5), shot("1-1")]), 10_000)
    let runs = zones.split(separator: "1-1").map(\.count)
    #expect(Set(runs.dropLast()) == [2, 3, 4, 5])
  }

  @Test func aPlanBeginsAgainWithTheSet() {
    func next(_ aim: inout Aim) -> String? {
      let (target, after) = aim.next(playerAt: court.middle(of: .fallback), on: court)
      aim = after
      return target?.description
    }
    // In the middle of a shot's repeats, and of the plan.
    for balls in 1...4 {
      var aim = Aim(
        .plan([shot("3-0", 2...2), shot("3-3", 2...2)]),
        avoidsRepeats: false,
        seed: 1
      )
      for _ in 0..<balls { _ = next(&aim) }
      aim = aim.atBegin
      #expect((0..<4).map { _ in next(&aim) } == ["3-0", "3-0", "3-3", "3-3"])
    }
    var sides = Aim(
      .sides(left: targets("3-0"), right: targets("3-3")),
      avoidsRepeats: false,
      seed: 1
    )
    _ = next(&sides)
    sides = sides.atBegin
    #expect(next(&sides) == "3-0")
  }

  @Test func sidesTakeTurnsAndBeginOnTheLeft() {
    let strategy = AimingStrategy.sides(left: targets("3-0", "2-1"), right: targets("3-3", "2-2"))
    let zones = zones(strategy, 1_000).map { Zone(rowColumn: $0)! }
    for (number, zone) in zones.enumerated() {
      #expect((zone.column < 2) == number.isMultiple(of: 2))
    }
    #expect(Set(zones).count == 4)
  }

  @Test func awayIsBetweenTheTwoDistances() throws {
    let all = WeightedTargets(Zone.allCases.map { .init(Target($0)) })
    var generator = SeededGenerator(seed: 4)
    for number in 0..<2_000 {
      let player = try PlayerPosition(
        x: .random(in: -2...10, using: &generator),
        y: .random(in: 3...14, using: &generator)
      )
      let fit = Zone.allCases.filter { (2...5).contains(court.middle(of: $0).distance(to: player)) }
      let zone = zones(.away(all, 2...5), 1, seed: UInt64(number)) { _ in player }[0]
      #expect(fit.isEmpty || fit.map(\.description).contains(zone), "\(player): \(zone)")
    }
  }

  @Test func awayFromNowhereIsAsNearToTheRangeAsCanBe() throws {
    let player = try PlayerPosition(x: 0, y: 0)
    // 10.1 m and 12.3 m away, none within 5.
    #expect(zones(.away(targets("3-0", "3-3"), 2...5), 1) { _ in player } == ["3-0"])
    // All are too near.
    #expect(zones(.away(targets("0-0", "0-1"), 9...15), 1) { _ in player } == ["0-1"])
  }

  /// The mean and three standard deviations of a binomial distribution.
  @Test func weightsHoldWithinThreeSigma() {
    let count = 1_000_000
    let strategy = AimingStrategy.random(
      WeightedTargets([
        .init(Target("3-0")!, weight: 3), .init(Target("2-0")!, weight: 3),
        .init(Target("3-3")!, weight: 2),
      ])
    )
    let zones = Dictionary(grouping: zones(strategy, count, seed: 9), by: \.self).mapValues(\.count)
    #expect(Set(zones.keys) == ["3-0", "2-0", "3-3"])
    for (zone, share) in [("3-0", 3.0 / 8), ("2-0", 3.0 / 8), ("3-3", 2.0 / 8)] {
      let sigma = (Double(count) * share * (1 - share)).squareRoot()
      let miss = abs(Double(zones[zone] ?? 0) - Double(count) * share)
      #expect(miss <= 3 * sigma, "\(zone): \(zones[zone] ?? 0)")
    }
  }

  /// A million balls of each strategy: the same seed gives the same shots, another seed others, and
  /// only zones that are named.
  @Test(arguments: AimingStrategy.Word.allCases)
  func aMillionBalls(_ word: AimingStrategy.Word) {
    let some = targets("2-0", "2-3", "3-1", "3-2")
    let strategy: AimingStrategy =
      switch word {
      case .follow: .follow
      case .away: .away(some, 1...4)
      case .sides: .sides(left: targets("2-0", "3-1"), right: targets("2-3", "3-2"))
      case .random: .random(some)
      case .plan: .plan([.init(some, balls: 1...3), shot("1-1")])
      }
    let allowed = Set(strategy.targets)
    var generator = SeededGenerator(seed: 5)
    var (one, same, other) = (
      Aim(strategy, avoidsRepeats: false, seed: 1), Aim(strategy, avoidsRepeats: false, seed: 1),
      Aim(strategy, avoidsRepeats: false, seed: 2)
    )
    var (strangers, differences, others) = (0, 0, 0)
    var player = court.middle(of: .fallback)
    for number in 0..<1_000_000 {
      if number.isMultiple(of: 7) {
        player = court.middle(of: Zone.allCases.randomElement(using: &generator)!)
      }
      let (target, next) = one.next(playerAt: player, on: court)
      one = next
      let (again, nextSame) = same.next(playerAt: player, on: court)
      same = nextSame
      let (foreign, nextOther) = other.next(playerAt: player, on: court)
      other = nextOther
      if target != again { differences += 1 }
      if target != foreign { others += 1 }
      if let target, !allowed.contains(target) { strangers += 1 }
    }
    #expect((strangers, differences) == (0, 0))
    #expect((others > 0) == strategy.drawsLots)
  }

  @Test(arguments: [AimingStrategy.Word.away, .random, .plan])
  func noZoneComesTwiceRunning(_ word: AimingStrategy.Word) {
    let some = targets("2-0", "2-3", "3-1")
    let strategy: AimingStrategy =
      switch word {
      case .away: .away(some, 0...9)
      case .plan: .plan([.init(some, balls: 1...3), .init(targets("2-0", "1-1"), balls: 2...2)])
      default: .random(some)
      }
    let zones = zones(strategy, 100_000, avoidsRepeats: true)
    #expect(zip(zones, zones.dropFirst()).count { $0 == $1 } == 0)
    #expect(Set(zones) == Set(strategy.targets.map(\.description)))
  }

  @Test func mirroredIsLeftForRight() {
    let plan = AimingStrategy.plan([shot("3-0"), shot("1-2 backspin")])
    #expect(zones(plan.mirrored, 2) == ["3-3", "1-1 backspin"])
    #expect(plan.mirrored.mirrored == plan)
    // A left-hander's sides begin on the right.
    let sides = AimingStrategy.sides(left: targets("3-0"), right: targets("3-2"))
    #expect(zones(sides.mirrored, 2) == ["3-3", "3-1"])
  }

  @Test(arguments: ["", "3", "3-4", "3-0 ", "3-0  topspin", "3-0 spin", "3-0 topspin flat", "03-0"])
  func noTarget(_ text: String) { #expect(Target(text) == nil) }
}
