import Foundation
import MachineLink
import Testing

/// The laws of the link, held over long random lives. A failing life prints its seed.
@Suite struct LinkLawTests {
  @Test func theLawsHoldInAHostileWorld() {
    let environment = ProcessInfo.processInfo.environment
    let lives = environment["BALLMACHINE_LIVES"].flatMap { Int($0) } ?? 200
    let first =
      environment["BALLMACHINE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1 << 32)
    print("link laws: \(lives) lives from BALLMACHINE_SEED=\(first)")
    var pairs: [ChaosRun.Pair: Int] = [:]
    for seed in first..<first + UInt64(lives) {
      var run = ChaosRun(seed: seed)
      run.run(events: 500)
      pairs.merge(run.pairs, uniquingKeysWith: +)
      if !run.violations.isEmpty {
        Issue.record(
          """
          BALLMACHINE_SEED=\(seed) BALLMACHINE_LIVES=1: \(run.violations.joined(separator: "; "))
          \(run.trace.joined(separator: "\n"))
          """
        )
        break
      }
    }
    let total = pairs.values.reduce(0, +)
    print("link laws: \(total) events; by state and event:")
    for (pair, count) in pairs.sorted(by: { $0.key < $1.key }) {
      print("  \(pair.phase) × \(pair.event): \(count)")
    }
    // Every state must have been lived in, and seen levels change.
    for phase in LinkStatus.Phase.allCases where phase != .idle && phase != .ended {
      #expect(pairs[.init(phase: phase.rawValue, event: "levels"), default: 0] > 0, "\(phase)")
    }
  }
}
