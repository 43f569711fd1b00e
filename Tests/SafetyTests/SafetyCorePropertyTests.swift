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
    let count = UInt64(max(1, events / seeds().count / Self.life))
    let lives = await inSpareTime { Self.live(count, from: seed) }
    if let breach = lives.breach {
      Issue.record("\(breach)")
      return
    }
    let (pairs, balls, ballsByHand) = (lives.pairs, lives.balls, lives.ballsByHand)
    print("SafetyCore: \(balls) balls, \(ballsByHand) by hand, \(pairs.values.reduce(0, +)) events")
    guard events >= 100_000 else { return }
    #expect(balls > 0 && ballsByHand > 0)
    for state in ["disarmed", "countdown", "live", "paused", "stopped"] {
      for event in SafetyLife.Event.allCases {
        #expect(pairs[SafetyLife.Pair(state: state, event: event)] != nil, "\(event) in \(state)")
      }
    }
  }

  /// What came of many lives, or which law one of them broke.
  private struct Lives: Sendable {
    var pairs: [SafetyLife.Pair: Int] = [:]
    var balls = 0
    var ballsByHand = 0
    var breach: String?
  }

  /// Lives one life after another, up to one that breaks a law.
  private static func live(_ count: UInt64, from first: UInt64) -> Lives {
    var lives = Lives()
    for number in 0..<count {
      // The first life of a seed is the seed's own, so that it can be lived again.
      let seed = first &+ number &* 1_000_000
      var life = SafetyLife(seed: seed)
      life.live(events: Self.life)
      if let breach = life.breach {
        let story = life.story.joined(separator: "\n")
        lives.breach = "\(breach)\nagain: BALLMACHINE_SEED=\(seed)\n\(story)"
        return lives
      }
      lives.pairs.merge(life.pairs, uniquingKeysWith: +)
      lives.balls += life.balls
      lives.ballsByHand += life.ballsByHand
    }
    return lives
  }
}
