import Foundation
import TestSupport
import Testing

/// The laws of safety, held over a million random events.
///
/// `BALLMACHINE_EVENTS` says how many, `BALLMACHINE_SEED` which life alone is lived.
struct SafetyCorePropertyTests {
  /// Events of one life.
  private static let life = 2_000

  @Test(arguments: seeds()) func noBallUnlessItIsAllowed(seed: UInt64) async {
    print("SafetyCore: seed \(seed)")
    let environment = ProcessInfo.processInfo.environment
    let events = environment["BALLMACHINE_EVENTS"].flatMap { Int($0) } ?? 1_000_000
    var pairs: [SafetyLife.Pair: Int] = [:]
    var balls = 0
    var ballsByHand = 0
    for number in 0..<UInt64(max(1, events / seeds().count / Self.life)) {
      // The tasks of other tests go on.
      await Task.yield()
      // The first life of a seed is the seed's own, so that it can be lived again.
      var life = SafetyLife(seed: seed &+ number &* 1_000_000)
      life.live(events: Self.life)
      if let breach = life.breach {
        Issue.record(
          """
          \(breach)
          again: BALLMACHINE_SEED=\(seed &+ number &* 1_000_000)
          \(life.story.joined(separator: "\n"))
          """
        )
        return
      }
      pairs.merge(life.pairs, uniquingKeysWith: +)
      balls += life.balls
      ballsByHand += life.ballsByHand
    }
    print("SafetyCore: \(balls) balls, \(ballsByHand) by hand, \(pairs.values.reduce(0, +)) events")
    guard events >= 100_000 else { return }
    #expect(balls > 0 && ballsByHand > 0)
    for state in ["disarmed", "countdown", "live", "paused", "stopped"] {
      for event in SafetyLife.Event.allCases {
        #expect(pairs[SafetyLife.Pair(state: state, event: event)] != nil, "\(event) in \(state)")
      }
    }
  }
}
