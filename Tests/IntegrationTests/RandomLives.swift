import Clocks
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
    @Test(.scriptedBlueZ) func nothingIsClaimedThatIsNotSo() async throws {
      let environment = ProcessInfo.processInfo.environment
      let lives = environment["BALLMACHINE_LINK_LIVES"].flatMap { Int($0) } ?? 5
      let first = firstSeed()
      print("link lives: \(lives) lives from BALLMACHINE_SEED=\(first)")
      var counts: [String: Int] = [:]
      for seed in first..<first + UInt64(lives) {
        let life = try await live(seed)
        counts.merge(life, uniquingKeysWith: +)
      }
      for (what, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(what): \(count)") }
    }

    private func live(_ seed: UInt64) async throws -> [String: Int] {
      let plan = LifePlan(seed: seed)
      var counts: [String: Int] = [:]
      try await withLinkBench(plan.world, plan.configuration, leavesTraces: true) { bench in
        let life = RandomLife(plan, on: bench)
        var problems: [String] = []
        do {
          try await life.live()
          if try await life.recover() == nil {
            problems.append("no delivery though all is well: \(await bench.link.status)")
          }
          let start = bench.now
          try await bench.end()
          if start.duration(to: bench.now) > .seconds(6) { problems.append("a late end") }
          try await life.settle()
          try await bench.pass(.seconds(1))
          for address in plan.ours { problems += await bench.traces(of: address) }
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
        let script = await MisfortuneScript(world: plan.world, misfortunes: life.befallen)
        Issue.record(
          """
          BALLMACHINE_SEED=\(seed) BALLMACHINE_LINK_LIVES=1: \(problems.joined(separator: "; "))
          the machine is known by its \(plan.identity); \(plan.adapters)
          \(trace)
          --- the misfortunes, for `ballmachine mock --script`
          \(script)
          --- the mock
          \(events.joined(separator: "\n"))
          --- the link
          \(phases.joined(separator: "\n"))
          """
        )
      }
      return counts
    }

    // MARK: What is planned

    @Test func everyVerbBefallsSomebodyOrSaysWhyNot() {
      let scene = Misfortune.Scene(machine: "M", mayMove: true, hasSpareAdapter: true)
      var generator = SeededGenerator(seed: 1)
      let names = Set(Misfortune.all(in: scene).map { $0.verb(&generator).name })
      let leftOut = Set(Misfortune.leftOut.keys)
      #expect(names.isDisjoint(with: leftOut))
      #expect(names.union(leftOut) == Set(MockVerb.names))
    }

    @Test(arguments: seeds()) func aSeedTellsTheSameLifeAgain(_ seed: UInt64) throws {
      let plan = LifePlan(seed: seed)
      #expect(plan == LifePlan(seed: seed))
      #expect(plan.steps != LifePlan(seed: seed + 1).steps)
    }

    @Test(arguments: seeds()) func aScriptTellsWhatBefell(_ seed: UInt64) throws {
      let plan = LifePlan(seed: seed, steps: 400)
      let script = MisfortuneScript(world: plan.world, misfortunes: plan.misfortunes)
      var time = Duration.zero
      var world = MockWorld()
      var misfortunes: [Befallen] = []
      for verb in try MockScript.parse(script.description) {
        switch verb {
        case .wait(let pause): time += pause
        case .machine(let machine): world.peripherals.append(machine)
        case .addAdapter(let adapter) where world.peripherals.isEmpty:
          world.adapters.append(adapter)
        default: misfortunes.append(Befallen(time, verb))
        }
      }
      #expect(world == plan.world)
      #expect(misfortunes == plan.misfortunes)
      #expect(misfortunes.count > 100)
    }
  }
}
