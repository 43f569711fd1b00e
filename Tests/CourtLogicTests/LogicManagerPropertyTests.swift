import Clocks
import CourtLogic
import TestSupport
import Testing

/// Random scripts, each with a temper of its own: ``LogicManager`` and the naive one must agree on
/// everything.
struct LogicManagerPropertyTests {
  @Test(arguments: seeds(1...8)) func itAgreesWithTheNaiveOne(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var seen: [String: Int] = [:]
    for _ in 0..<30 {
      let court = try Court(apron: [0, 0, 3].randomElement(using: &generator)!)
      var logic = LogicManager(.init(court: court, table: plainTable))
      var naive = NaiveLogicManager()
      // Milliseconds from one step to the next, and how many sources there are.
      let pace = [1...1, 0...2, 20...50, 200...900, 500...1_500, 900...1_100, 1...7_000]
        .randomElement(using: &generator)!
      let sources = Int.random(in: 1...3, using: &generator)
      var now = Int.random(in: 0...100_000, using: &generator)

      for _ in 0..<Int.random(in: 50...900, using: &generator) {
        now += Int.random(in: pace, using: &generator)
        // Often at the very instant that matters, and a hair beside it.
        if let next = naive.next, next >= now, Int.random(in: 0..<6, using: &generator) == 0 {
          now = next + [0, 0, 0, 1, 99, 100, 101, 3_000, 3_101].randomElement(using: &generator)!
        }
        let instant = MonotonicInstant(sinceStart: .milliseconds(now))
        let context: Comment = "seed \(seed), at \(now)"
        if Int.random(in: 0..<3, using: &generator) > 0 {
          let source = String(Int.random(in: 0..<sources, using: &generator))
          let x = Double.random(in: -4...12, using: &generator)
          let y = Double.random(in: -1...16, using: &generator)
          let accepted = logic.insert(
            try PlayerPosition(x: x, y: y),
            from: SourceID(connection: source),
            at: instant
          )
          let expected = naive.insert(x: x, y: y, from: source, at: now)
          try #require((accepted == .accepted) == expected, context)
          seen[expected ? "accepted" : "other source", default: 0] += 1
        } else {
          let decision = logic.decide(at: instant)
          let expected = naive.decide(at: now)
          try #require((decision == nil) == (expected == nil), context)
          if let decision, let expected {
            try #require(decision.time == instant, context)
            try #require(decision.due.sinceStart == .milliseconds(expected.due), context)
            try #require(decision.sampleCount == expected.count, context)
            try #require(abs(decision.position.x - expected.x) < 1e-9, context)
            try #require(abs(decision.position.y - expected.y) < 1e-9, context)
            let zone = court.zone(at: decision.position)
            try #require(decision.zone == zone, context)
            try #require(decision.command == plainTable[zone ?? Zone("1-1")!], context)
          }
          seen[decision == nil ? "nothing" : "decision", default: 0] += 1
        }
        try #require(
          logic.nextDecision?.sinceStart == naive.next.map { .milliseconds($0) },
          context
        )
      }
    }
    print("LogicManager: seed \(seed), \(seen.sorted { $0.key < $1.key })")
    #expect(seen.count == 4, "the scripts met every answer")
  }

  /// No two decisions are nearer than 2.9 s (3 s of grid, the first of them up to 100 ms late),
  /// whatever comes in and however it is asked.
  @Test(arguments: seeds()) func decisionsAreNeverTooNear(seed: UInt64) throws {
    print("LogicManager: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var logic = LogicManager(.init(table: plainTable))
    var now = Duration.zero
    var last: Decision?
    for _ in 0..<20_000 {
      now += .milliseconds(Int.random(in: 0...80, using: &generator))
      let instant = MonotonicInstant(sinceStart: now)
      if Int.random(in: 0..<40, using: &generator) == 0 { now += .milliseconds(2_500) }
      let position = try PlayerPosition(x: 1, y: 1)
      _ = logic.insert(position, from: SourceID(connection: "camera"), at: instant)
      guard let decision = logic.decide(at: instant) else { continue }
      if let last {
        #expect(last.time.duration(to: decision.time) >= .milliseconds(2_900), "seed \(seed)")
        #expect(last.due.duration(to: decision.due) >= .seconds(3), "seed \(seed)")
      }
      last = decision
    }
    #expect(last != nil)
  }
}
