import TestSupport
import Testing

/// The laws of safety, held over a million random events.
///
/// `BALLMACHINE_EVENTS` says how many, `BALLMACHINE_SEED` which scenario alone is played.
struct SafetyCorePropertyTests {
  /// The events of one scenario.
  private static let length = 250

  @Test(arguments: seeds()) func noBallUnlessItIsAllowed(seed: UInt64) async {
    print("SafetyCore: seed \(seed)")
    let events = eventCount()
    let count = UInt64(max(1, events / seeds().count / Self.length))
    let scenarios = await inSpareTime { Self.play(count, from: seed) }
    if let breach = scenarios.breach {
      Issue.record("\(breach)")
      return
    }
    let (pairs, balls, ballsByHand) = (scenarios.pairs, scenarios.balls, scenarios.ballsByHand)
    print("SafetyCore: \(balls) balls, \(ballsByHand) by hand, \(pairs.values.reduce(0, +)) events")
    guard events >= 100_000 else { return }
    #expect(balls > 0 && ballsByHand > 0)
    for state in ["disarmed", "countdown", "live", "resting", "paused", "stopped"] {
      for event in SafetyScenario.Event.allCases {
        #expect(
          pairs[SafetyScenario.Pair(state: state, event: event)] != nil,
          "\(event) in \(state)"
        )
      }
    }
  }

  /// What came of many scenarios, or which law one of them broke.
  private struct Scenarios: Sendable {
    var pairs: [SafetyScenario.Pair: Int] = [:]
    var balls = 0
    var ballsByHand = 0
    var breach: String?
  }

  /// Plays one scenario after another, up to one that breaks a law.
  private static func play(_ count: UInt64, from first: UInt64) -> Scenarios {
    var scenarios = Scenarios()
    for number in 0..<count {
      // The first scenario of a seed is the seed's own, so that it can be played again.
      let seed = first &+ number &* 1_000_000
      var scenario = SafetyScenario(seed: seed)
      scenario.play(events: Self.length)
      if let breach = scenario.breach {
        let story = scenario.story.joined(separator: "\n")
        scenarios.breach = "\(breach)\nagain: BALLMACHINE_SEED=\(seed)\n\(story)"
        return scenarios
      }
      scenarios.pairs.merge(scenario.pairs, uniquingKeysWith: +)
      scenarios.balls += scenario.balls
      scenarios.ballsByHand += scenario.ballsByHand
    }
    return scenarios
  }
}
