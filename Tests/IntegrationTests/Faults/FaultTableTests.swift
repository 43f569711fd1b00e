import Foundation
import Testing

extension FaultStories {
  /// The whole table, row by row, in injected time. `tools/bench/faults` measures it in real time.
  @Suite(.scriptedBlueZ) struct Faults {
    @Test(arguments: FaultTable.scenarios)
    func everyFaultIsSurvivedWithNothingRepeatedOrLost(scenario: FaultScenario) async throws {
      let trial = try await FaultTrial.run(scenario, inRealTime: false)
      #expect(trial.repeated == 0)
      #expect(trial.lost == 0)
      #expect(trial.duration <= scenario.limit)
      // Time stands still while the link works: what is left would be a wait of its own making.
      #expect(trial.ours <= .milliseconds(50), "our share: \(trial.ours)")
    }

    @Test func everyRowOfTheTableIsThere() {
      #expect(Set(FaultTable.scenarios.map(\.row)).isSuperset(of: 1...19))
    }

    /// The table names tests, and people look for them.
    @Test func everyStoryThatTheTableNamesIsTold() throws {
      let here = URL(filePath: #filePath).deletingLastPathComponent()
      let text = try [here, here.deletingLastPathComponent()].flatMap { folder in
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
          .filter { $0.pathExtension == "swift" }
          .map { try String(contentsOf: $0, encoding: .utf8) }
      }.joined()
      for story in Set(FaultTable.scenarios.map(\.story)) {
        #expect(text.contains("func \(story)("), "no test is called \(story)")
      }
    }
  }
}
