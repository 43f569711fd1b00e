import CourtLogic
import MachineLink
import Testing

/// What reports a failing scenario must itself be right.
@Suite struct ShrinkingTests {
  @Test func aListIsCutToTheElementsThatMatter() {
    let list = Array(0..<500)
    #expect(shrunk(list) { $0.contains(17) && $0.contains(318) } == [17, 318])
    #expect(shrunk(list) { $0.count >= 3 }.count == 3)
    #expect(shrunk(list) { _ in true }.isEmpty)
  }

  /// Under a law that a link has to break to be of any use, a long scenario shrinks to the shortest way
  /// from nothing to a write.
  @Test(arguments: [2, 4] as [UInt64])
  func aScenarioIsCutToTheStepsThatBreakALaw(seed: UInt64) throws {
    let plantedLaw: @Sendable (LinkAction) -> String? = { action in
      guard case .begin(_, .write(let command, _, _, _)) = action, !command.isStop else {
        return nil
      }
      return "a ball left"
    }
    func breaks(_ scenario: Scenario) -> Bool {
      ScenarioRun.play(scenario, plantedLaw: plantedLaw).breach?.law == .planted
    }
    var scenario = ScenarioPlanner.play(seed: seed, steps: 200).scenario
    scenario.recovers = false
    try #require(breaks(scenario), "seed \(seed) never gets to a write")
    let shorter = scenario.shrunk(while: breaks)
    #expect(breaks(shorter))
    // Start, bus, objects, discovery on and off, trust, Connect, two snapshots with services
    // resolved between them, and the command; some of it a deadline does as well as an answer.
    #expect(shorter.steps.count <= 12, "\(shorter.told)")
    #expect(shorter.steps.last?.what == .submit(age: .zero))
    for index in shorter.steps.indices {
      var without = shorter
      without.steps.remove(at: index)
      #expect(!breaks(without), "step \(index + 1) is of no use:\n\(shorter.told)")
    }
  }

  @Test func aSeedAlwaysGivesTheSameScenario() {
    let scenario = ScenarioPlanner.play(seed: 5, steps: 200)
    #expect(ScenarioPlanner.play(seed: 5, steps: 200).scenario == scenario.scenario)
    #expect(ScenarioRun.play(scenario.scenario).pairs == scenario.run.pairs)
  }
}
