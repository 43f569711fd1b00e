import CourtLogic
import TestSupport
import Testing

@testable import SessionSummary

/// Distances and speeds, against what is true of a made-up way.
struct PlayerPathTests {
  private static let rate = 10.0

  /// A normally distributed number.
  private static func noise(_ sigma: Double, _ random: inout SeededGenerator) -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + .random(in: 0..<1, using: &random) } * sigma
  }

  private func movement(
    of way: [(x: Double, y: Double)],
    noise: Double,
    rate: Double = rate,
    seed: UInt64 = 1
  ) throws -> Movement {
    var random = SeededGenerator(seed: seed)
    var path = PlayerPath()
    for (index, point) in way.enumerated() {
      path.receive(
        x: point.x + Self.noise(noise, &random),
        y: point.y + Self.noise(noise, &random),
        at: Double(index) / rate
      )
    }
    path.end()
    return try #require(path.movement(hasSteps: true))
  }

  @Test(arguments: seeds(), [2.0, 5, 10, 25, 120])
  func standingStillIsNoDistance(seed: UInt64, rate: Double) throws {
    let way = [(x: 4.0, y: 11.0)] + Array(repeating: (x: 4.0, y: 11.0), count: Int(600 * rate))
    let movement = try movement(of: way, noise: 0.1, rate: rate, seed: seed)
    print("ten minutes of standing still are \(movement.distance) m at \(rate) positions a second")
    #expect(movement.distance <= 5)
    #expect((movement.greatestSpeed ?? 9) < 0.3)
    #expect(abs(movement.seen - 600) < 1)
  }

  /// Runs of some metres with rests between them, as in a drill.
  private func drill(metres: Double, rate: Double, seed: UInt64) -> [(x: Double, y: Double)] {
    var random = SeededGenerator(seed: seed)
    var way = [(x: 4.0, y: 11.0)]
    var run = 0.0
    while run < metres {
      let from = way[way.count - 1]
      let to = (
        x: Double.random(in: 0.5...7.7, using: &random),
        y: Double.random(in: 8...13.5, using: &random)
      )
      let length = ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y))
        .squareRoot()
      run += length
      let steps = Int((length / .random(in: 2...4.5, using: &random) * rate).rounded(.up))
      for step in 1...max(1, steps) {
        let share = Double(step) / Double(max(1, steps))
        way.append((from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share))
      }
      way += Array(repeating: way[way.count - 1], count: Int(1.5 * rate))
    }
    return way
  }

  private func length(_ way: [(x: Double, y: Double)]) -> Double {
    zip(way, way.dropFirst()).reduce(0) { sum, pair in
      let (x, y) = (pair.1.x - pair.0.x, pair.1.y - pair.0.y)
      return sum + (x * x + y * y).squareRoot()
    }
  }

  @Test(arguments: seeds(), [2.0, 5, 10, 25, 120])
  func aRunOfAThousandMetresIsWithinSevenPercent(seed: UInt64, rate: Double) throws {
    let way = drill(metres: 1000, rate: rate, seed: seed)
    let truth = length(way)
    let found = try movement(of: way, noise: 0.1, rate: rate, seed: seed)
    print("\(truth) m are \(found.distance) m at \(rate) positions a second")
    #expect(abs(found.distance - truth) < 0.07 * truth)
    // 4.5 m/s, which few of the runs keep up for a second.
    #expect((3.5...4.9).contains(found.greatestSpeed ?? 0), "\(found.greatestSpeed ?? 0)")
  }

  @Test func aGlitchOfTheDetectorIsNoRun() throws {
    var way = Array(repeating: (x: 4.0, y: 11.0), count: 600)
    for index in [100, 101, 250, 400, 401, 402, 403] { way[index] = (9, 3) }
    let movement = try movement(of: way, noise: 0.05)
    #expect(movement.distance < 0.5 && movement.greatestSpeed ?? 9 < 0.5)
  }

  @Test func whatIsNotSeenIsNotMadeUp() throws {
    var path = PlayerPath()
    #expect(path.movement(hasSteps: true) == nil)
    path.receive(x: 1, y: 11, at: 0)
    path.receive(x: 1, y: 11, at: 0.5)
    path.receive(x: 7, y: 11, at: 20)
    path.receive(x: 7, y: 11, at: 20.5)
    path.end()
    let movement = try #require(path.movement(hasSteps: true))
    #expect(movement.distance == 0 && movement.seen == 1)
    #expect(movement.greatestSpeed == nil && movement.firstStep == nil)
    #expect(movement.firstSteps == 0)
    #expect(movement.stood.map(\.seconds) == [0.5, 0.5])
  }

  @Test func theFirstStepIsTheTimeToFortyCentimetres() throws {
    var path = PlayerPath()
    // Stands for a second after each ball, then runs 3 m at 3 m/s.
    var x = 1.0
    for step in 0..<3000 {
      let t = Double(step) / 10
      let phase = t.truncatingRemainder(dividingBy: 5)
      if phase < 0.05 || phase > 4.95 { path.ball(at: t) }
      let isBack = Int(t / 5).isMultiple(of: 2)
      if phase > 1, phase <= 2 { x += isBack ? 0.3 : -0.3 }
      path.receive(x: x, y: 12, at: t)
    }
    path.end()
    let movement = try #require(path.movement(hasSteps: true))
    #expect(movement.firstSteps == 60)
    #expect(abs((movement.firstStep ?? 0) - 1.2) < 0.15, "\(movement.firstStep ?? 0)")
  }

  @Test func whereThePlayerStoodAddsUp() throws {
    let way = drill(metres: 200, rate: Self.rate, seed: 1)
    let found = try movement(of: way, noise: 0.05)
    let stood = found.stood.reduce(0) { $0 + $1.seconds }
    #expect(abs(stood - found.seen) < 0.001)
    #expect(found.stood == found.stood.sorted { ($0.row, $0.column) < ($1.row, $1.column) })
  }
}
