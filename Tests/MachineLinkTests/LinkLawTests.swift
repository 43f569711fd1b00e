import Foundation
import MachineLink
import TestSupport
import Testing

/// The laws of the link, held over a million random events.
///
/// `BALLMACHINE_EVENTS` says how many, `BALLMACHINE_SEED` which scenario is the first one. A scenario that
/// breaks a law is cut down to the steps that matter, and told.
@Suite struct LinkLawTests {
  private static let steps = 300

  @Test func theLawsHoldWhateverHappens() async {
    let events = eventCount()
    let first = firstSeed()
    print("link laws: scenarios from BALLMACHINE_SEED=\(first)")
    let (pairs, failed) = await Self.play(from: first, events: events)
    if let failed {
      Issue.record("\(Self.report(seed: failed))")
      return
    }
    print("link laws: \(pairs.total) events; how many in which state:\n\(pairs.table)")
    #expect(pairs.surprising == [])
    // A few scenarios need not have seen everything.
    if pairs.total >= 1_000_000 { #expect(pairs.missing == []) }
  }

  /// Plays one scenario after another until there were so many events, or one fails on each core.
  private static func play(
    from first: UInt64,
    events: Int
  ) async -> (pairs: EventPairs, failed: UInt64?) {
    let cores = max(1, min(ProcessInfo.processInfo.activeProcessorCount, events))
    return await withTaskGroup(of: (EventPairs, UInt64?).self) { group in
      for core in 0..<cores {
        group.addTask {
          await inSpareTime {
            play(from: first + UInt64(core), by: UInt64(cores), events: events / cores)
          }
        }
      }
      return await group.reduce(into: (EventPairs(), nil)) { all, share in
        all.0.add(share.0)
        all.1 = all.1 ?? share.1
      }
    }
  }

  private static func play(
    from first: UInt64,
    by step: UInt64,
    events: Int
  ) -> (EventPairs, UInt64?) {
    var pairs = EventPairs()
    var seed = first
    while pairs.total < events {
      let run = ScenarioPlanner.play(seed: seed, steps: steps).run
      pairs.add(run.pairs)
      if run.breach != nil { return (pairs, seed) }
      seed += step
    }
    return (pairs, nil)
  }

  /// What is to be known of a scenario that broke a law.
  private static func report(seed: UInt64) -> String {
    let (scenario, run) = ScenarioPlanner.play(seed: seed, steps: steps)
    guard let breach = run.breach else { return "seed \(seed) breaks a law only now and then" }
    let shorter = scenario.shrunk { ScenarioRun.play($0).breach?.law == breach.law }
    let told = ScenarioRun.play(shorter, isTold: true)
    return """
      \(told.breach ?? breach)
      again: BALLMACHINE_SEED=\(seed) BALLMACHINE_EVENTS=1 tools/test --filter LinkLawTests
      of \(scenario.steps.count) steps, \(shorter.steps.count) are enough:
      \(shorter.told)
      --- what came of them
      \(told.story.joined(separator: "\n"))
      """
  }
}
