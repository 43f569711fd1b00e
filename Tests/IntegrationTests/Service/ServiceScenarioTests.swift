import TestSupport
import Testing

extension ServiceTests {
  /// `serve` among faults of all kinds: `BALLMACHINE_SERVICE_SCENARIOS` says how many scenarios, and
  /// `BALLMACHINE_SEED` which is the first.
  @Suite(.mockOnly("the box's processor is emulated"))
  struct ServiceScenarioTests {
    @Test(
      .onRequest(ServiceTests.scenarios > 0),
      .timeLimit(.minutes(5 + ServiceTests.scenarios * 2))
    )
    func nothingMovesThatMustNot() async throws {
      let first = ServiceTests.seed
      print("service scenarios: \(ServiceTests.scenarios) from BALLMACHINE_SEED=\(first)")
      var balls = 0
      for seed in first..<first + UInt64(ServiceTests.scenarios) {
        try await CommandLineSetup.with { setup in
          let scenario = try await ServiceScenario(seed: seed, on: setup)
          let writes = try await scenario.play(deeds: 25)
          let contradictions = ServiceScenarioJudge(scenario: scenario, writes: writes)
            .contradictions
          balls += writes.ballWrites().count
          #expect(
            contradictions.isEmpty,
            """
            BALLMACHINE_SEED=\(seed) BALLMACHINE_SERVICE_SCENARIOS=1: \(contradictions)
            \(scenario.trace.joined(separator: "\n"))
            --- the machine
            \(writes.map { "\($0.t ?? 0) \($0.value ?? "")" }.joined(separator: "\n"))
            --- told
            \(scenario.runs.flatMap(\.told).map(\.story).joined(separator: "\n"))
            """
          )
        }
      }
      print("  \(balls) balls")
      // One may be stopped or without its machine all the time.
      if ServiceTests.scenarios > 1 { #expect(balls > 0, "scenarios without balls show nothing") }
    }
  }
}

extension ProgramEvent {
  fileprivate var story: String {
    [t.map { "\($0)" } ?? "", event, state ?? "", outcome ?? "", command ?? "", reason ?? ""]
      .joined(separator: " ")
  }
}
