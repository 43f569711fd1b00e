import CourtLogic
import Foundation
import MachineLink
import MockMachine
import TestSupport
import Testing

extension LinkStories {
  /// The whole link in random trouble. `BALLMACHINE_LINK_LIVES` says how many lives, and
  /// `BALLMACHINE_SEED` which is the first.
  @Suite struct RandomLives {
    @Test func nothingIsClaimedThatIsNotSo() async throws {
      let environment = ProcessInfo.processInfo.environment
      let lives = environment["BALLMACHINE_LINK_LIVES"].flatMap { Int($0) } ?? 5
      let first =
        environment["BALLMACHINE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1 << 32)
      print("link lives: \(lives) lives from BALLMACHINE_SEED=\(first)")
      var counts: [String: Int] = [:]
      for seed in first..<first + UInt64(lives) {
        let life = try await live(seed)
        counts.merge(life, uniquingKeysWith: +)
      }
      for (what, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(what): \(count)") }
    }

    private func live(_ seed: UInt64) async throws -> [String: Int] {
      var generator = SeededGenerator(seed: seed)
      let profile = RandomLife.profiles.randomElement(using: &generator)!
      let world = MockWorld(peripherals: [MockPeripheral(profile: profile)] + RandomLife.strangers)
      var counts: [String: Int] = [:]
      try await withLinkBench(world, leavesTraces: true) { bench in
        let life = RandomLife(on: bench, seed: seed)
        var problems: [String] = []
        do {
          try await life.live(steps: 40)
          if try await life.recover() == nil {
            problems.append("no delivery though all is well: \(await bench.link.status)")
          }
          let start = bench.now
          try await bench.end()
          if start.duration(to: bench.now) > .seconds(6) { problems.append("a late end") }
          try await life.settle()
          try await bench.pass(.seconds(1))
          problems += await bench.traces(of: LinkBench.machine)
        } catch {
          problems.append("\(error)")
        }
        problems += await life.contradictions()
        counts = await life.counts
        guard !problems.isEmpty else { return }
        let trace = await life.trace.joined(separator: "\n")
        let events = await bench.events.entries.map { "\($0.time) \($0.kind)" }
        let phases = await bench.statuses.entries.map {
          "\($0.since.seconds) \($0.phase) \($0.fault?.reason ?? "")"
        }
        Issue.record(
          """
          BALLMACHINE_SEED=\(seed) BALLMACHINE_LINK_LIVES=1: \(problems.joined(separator: "; "))
          \(trace)
          --- the mock
          \(events.joined(separator: "\n"))
          --- the link
          \(phases.joined(separator: "\n"))
          """
        )
      }
      return counts
    }
  }
}
