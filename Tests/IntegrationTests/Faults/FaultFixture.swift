import Foundation
import Testing

/// Whether measuring was asked for: `BALLMACHINE_FAULTS` says how often each fault that takes seconds
/// is measured. `tools/bench/faults` sets it.
enum FaultMeasurement {
  static let runs = ProcessInfo.processInfo.environment["BALLMACHINE_FAULTS"].flatMap { Int($0) }
  static var isRequested: Bool { runs != nil }
}

/// Measures the fault table in real time, with BlueZ's real delays, and prints it.
@Suite(.enabled(if: FaultMeasurement.isRequested, "tools/bench/faults runs it"))
struct FaultFixture {
  /// How many links are at work at a time. They mostly wait.
  private static let jobs = Setups.isReal ? 1 : 4

  @Test func everyFaultIsMeasured() async throws {
    let runs = try #require(FaultMeasurement.runs)
    let trials = FaultTable.scenarios.enumerated().flatMap { index, scenario in
      Array(repeating: index, count: scenario.length == .short ? runs : 1)
    }
    var report = FaultReport(scenarios: FaultTable.scenarios)
    try await withThrowingTaskGroup(of: (Int, FaultReport.Result).self) { group in
      // What takes longest goes first.
      var waiting = trials.sorted { Self.rank($0) < Self.rank($1) }[...]
      var done = 0
      func add() {
        guard let index = waiting.popFirst() else { return }
        group.addTask { (index, await Self.result(of: FaultTable.scenarios[index])) }
      }
      for _ in 0..<Self.jobs { add() }
      while let (index, result) = try await group.next() {
        done += 1
        report.add(result, to: index)
        let scenario = FaultTable.scenarios[index].testDescription
        try Self.print("\(done)/\(trials.count)  \(scenario): \(result)")
        add()
      }
    }
    #expect(report.problems == [])
    for line in report.table.split(separator: "\n") { try Self.print("table \(line)") }
  }

  /// At once, whoever reads.
  private static func print(_ line: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  private static func rank(_ index: Int) -> Int {
    FaultTable.scenarios[index].length == .long ? 0 : 1
  }

  private static func result(of scenario: FaultScenario) async -> FaultReport.Result {
    do {
      let inRealTime = scenario.length != .injected
      return .measured(try await FaultTrial.run(scenario, inRealTime: inRealTime))
    } catch let error as CannotBePlayed {
      return .notPlayed(error.description)
    } catch {
      return .failed("\(error)")
    }
  }
}
