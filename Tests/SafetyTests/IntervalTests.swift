import Clocks
import CourtLogic
import Safety
import TestSupport
import Testing

/// Logic and safety together, asked as the bridge asks them, on a virtual clock.
struct IntervalTests {
  private struct Feeding {
    var logic: LogicManager
    var core: SafetyCore
    private(set) var now = MonotonicInstant.start
    private var nextPosition = MonotonicInstant.start

    init(interval: Duration, rules: SafetyRules) throws {
      let table = try CommandTable { _ in try MachineCommand(digits: "110001060014004500") }
      logic = LogicManager(.init(table: table, interval: interval))
      var rules = rules
      rules.countdown = .zero
      core = SafetyCore(rules: rules, encoding: .framed, at: now)
      core.linkChanged(isReady: true, at: now)
      try core.perform(.arm(), at: now)
    }

    /// Goes on to the next ball.
    ///
    /// - Parameters:
    ///   - latency: from the ball to its outcome.
    ///   - delay: how late the box is when it asks.
    mutating func ball(latency: Duration, delay: () -> Duration) throws -> Decision {
      while true {
        let question = logic.nextDecision.map { max($0, core.earliestBall).advanced(by: delay()) }
        while question.map({ nextPosition <= $0 }) ?? true {
          now = max(now, nextPosition)
          let position = try PlayerPosition(x: 4, y: 9)
          _ = logic.insert(position, from: SourceID(connection: "camera"), at: now)
          core.saw(position, at: now)
          nextPosition = now.advanced(by: .milliseconds(400))
          if question == nil { break }
        }
        guard let question else { continue }
        now = max(now, question)
        guard let decision = logic.decide(at: now),
          let ball = core.allow(for: decision.position, every: logic.interval, at: now)
        else { continue }
        now = now.advanced(by: latency)
        core.ended(ball, wasSent: true, wasTaken: true, at: now)
        return decision
      }
    }
  }

  private static func rules(_ least: Duration) -> SafetyRules {
    var rules = SafetyRules()
    rules.leastInterval = least
    return rules
  }

  @Test(
    arguments: [2_000, 2_500, 3_000, 4_700, 9_000],
    [0, 50]
  )
  func noneOf1200BallsIsOffTheGrid(milliseconds: Int, room: Int) throws {
    let interval = Duration.milliseconds(milliseconds)
    var feeding = try Feeding(interval: interval, rules: Self.rules(interval - .milliseconds(room)))
    let balls = try (0..<1_200).map { _ in
      try feeding.ball(latency: .milliseconds(200), delay: { .zero })
    }
    let start = balls[0].time
    #expect(balls.map(\.time) == (0..<1_200).map { start.advanced(by: interval * $0) })
  }

  /// A busy box, late answers, and settings that change at any time.
  @Test(arguments: seeds()) func noTwoBallsAreTooNear(seed: UInt64) throws {
    print("interval: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    func random(_ range: ClosedRange<Int>) -> Duration {
      .milliseconds(Int.random(in: range, using: &generator))
    }
    for _ in 0..<20 {
      var interval = random(1_950...9_000)
      var least = Duration.zero
      func rules() -> SafetyRules {
        least = [
          interval, interval - .milliseconds(50), .milliseconds(1_950), random(1_950...9_000),
        ]
        .randomElement(using: &generator)!
        return Self.rules(least)
      }
      var feeding = try Feeding(interval: interval, rules: rules())
      let latest = [0, 1, 60, 150].randomElement(using: &generator)!
      let slowest = [50, 250, 900].randomElement(using: &generator)!
      var last: Decision?
      for _ in 0..<100 {
        if Int.random(in: 0..<10, using: &generator) == 0 {
          if Bool.random(using: &generator) { interval = random(1_950...9_000) }
          let logic = feeding.logic
          feeding.logic.reconfigure(
            .init(court: logic.court, table: logic.table, interval: interval)
          )
          feeding.core.reconfigure(rules(), at: feeding.now)
        }
        let ball = try feeding.ball(latency: random(0...slowest), delay: { random(0...latest) })
        if let last {
          try #require(last.time.duration(to: ball.time) >= least, "seed \(seed)")
          try #require(last.due.duration(to: ball.due) >= interval, "seed \(seed)")
        }
        last = ball
      }
    }
  }
}
