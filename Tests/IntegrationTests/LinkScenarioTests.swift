import Clocks
import CourtLogic
import Foundation
import MachineLink
import MockMachine
import TestSupport
import Testing

extension LinkStories {
  /// The whole link in random trouble. `BALLMACHINE_LINK_SCENARIOS` says how many scenarios, and
  /// `BALLMACHINE_SEED` which is the first.
  @Suite struct LinkScenarioTests {
    @Test(.scriptedBlueZ) func nothingIsClaimedThatIsNotSo() async throws {
      let environment = ProcessInfo.processInfo.environment
      let scenarios = environment["BALLMACHINE_LINK_SCENARIOS"].flatMap { Int($0) } ?? 5
      let first = firstSeed()
      print("link scenarios: \(scenarios) scenarios from BALLMACHINE_SEED=\(first)")
      var counts: [String: Int] = [:]
      for seed in first..<first + UInt64(scenarios) {
        let scenario = try await play(seed)
        counts.merge(scenario, uniquingKeysWith: +)
      }
      for (what, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(what): \(count)") }
    }

    private func play(_ seed: UInt64) async throws -> [String: Int] {
      // Every other machine takes frames, and answers them.
      let plan = ScenarioPlan(seed: seed, isFramed: seed.isMultiple(of: 2))
      var counts: [String: Int] = [:]
      try await withLinkFixture(plan.model, plan.configuration, leavesTraces: true) { fixture in
        let scenario = LinkScenario(plan, on: fixture)
        var problems: [String] = []
        do {
          try await scenario.play()
          if try await scenario.recover() == nil {
            problems.append("no delivery though all is well: \(await fixture.link.status)")
          }
          let start = fixture.now
          try await fixture.end()
          if start.duration(to: fixture.now) > .seconds(6) { problems.append("a late end") }
          try await scenario.settle()
          try await fixture.pass(.seconds(1))
          for address in plan.ours {
            // Others' links are left up.
            problems += await fixture.traces(of: address).filter {
              !$0.hasPrefix(MockSetup.othersLink)
            }
          }
        } catch {
          problems.append("\(error)")
        }
        problems += await scenario.contradictions()
        counts = await scenario.counts
        guard !problems.isEmpty else { return }
        let trace = await scenario.trace.joined(separator: "\n")
        let events = await fixture.events.entries.map { "\($0.time) \($0.kind)" }
        let phases = await fixture.statuses.entries.map {
          "\($0.since.seconds) \($0.phase) \($0.fault?.reason ?? "")"
        }
        let script = await FaultScript(model: plan.model, faults: scenario.injected)
        Issue.record(
          """
          BALLMACHINE_SEED=\(seed) BALLMACHINE_LINK_SCENARIOS=1: \(problems.joined(separator: "; "))
          the machine is known by its \(plan.identity); \(plan.adapters)
          \(trace)
          --- the faults, for `ballmachine mock --script`
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

    @Test func everyVerbIsInjectedOrSaysWhyNot() {
      let scene = InjectedFault.Scene(
        machine: "M",
        mayMove: true,
        hasSpareAdapter: true,
        isFramed: true
      )
      var generator = SeededGenerator(seed: 1)
      let names = Set(InjectedFault.all(in: scene).map { $0.verb(&generator).name })
      let leftOut = Set(InjectedFault.leftOut.keys)
      #expect(names.isDisjoint(with: leftOut))
      #expect(names.union(leftOut) == Set(MockVerb.names))
    }

    @Test(arguments: seeds()) func aSeedGivesTheSameScenarioAgain(_ seed: UInt64) throws {
      let plan = ScenarioPlan(seed: seed)
      #expect(plan == ScenarioPlan(seed: seed))
      #expect(plan.steps != ScenarioPlan(seed: seed + 1).steps)
    }

    @Test(arguments: seeds(), [false, true])
    func aScriptTellsWhatBefell(_ seed: UInt64, isFramed: Bool) throws {
      let plan = ScenarioPlan(seed: seed, steps: 400, isFramed: isFramed)
      let script = FaultScript(model: plan.model, faults: plan.faults)
      var time = Duration.zero
      var model = MockModel()
      var faults: [Injected] = []
      for verb in try MockScript.parse(script.description) {
        switch verb {
        case .wait(let pause): time += pause
        case .machine(let machine): model.peripherals.append(machine)
        case .addAdapter(let adapter) where model.peripherals.isEmpty:
          model.adapters.append(adapter)
        default: faults.append(Injected(time, verb))
        }
      }
      #expect(model == plan.model)
      #expect(faults == plan.faults)
      #expect(faults.count > 100)
    }
  }
}
