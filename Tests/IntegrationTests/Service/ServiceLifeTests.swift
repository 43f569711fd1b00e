import TestSupport
import Testing

extension ServiceTests {
  /// `serve` among misfortunes of all kinds: `BALLMACHINE_SERVICE_LIVES` says how many lives, and
  /// `BALLMACHINE_SEED` which is the first.
  @Suite(.mockOnly("the box's processor is emulated"))
  struct ServiceLifeTests {
    @Test(.onRequest(ServiceTests.lives > 0), .timeLimit(.minutes(5 + ServiceTests.lives * 2)))
    func nothingMovesThatMustNot() async throws {
      let first = ServiceTests.seed
      print("service lives: \(ServiceTests.lives) from BALLMACHINE_SEED=\(first)")
      var balls = 0
      for seed in first..<first + UInt64(ServiceTests.lives) {
        try await CommandLineStage.with { stage in
          let life = try await ServiceLife(seed: seed, on: stage)
          let writes = try await life.live(deeds: 25)
          let contradictions = ServiceLifeJudge(life: life, writes: writes).contradictions
          balls += writes.ballWrites().count
          #expect(
            contradictions.isEmpty,
            """
            BALLMACHINE_SEED=\(seed) BALLMACHINE_SERVICE_LIVES=1: \(contradictions)
            \(life.trace.joined(separator: "\n"))
            --- the machine
            \(writes.map { "\($0.t ?? 0) \($0.value ?? "")" }.joined(separator: "\n"))
            --- told
            \(life.runs.flatMap(\.told).map(\.story).joined(separator: "\n"))
            """
          )
        }
      }
      print("  \(balls) balls")
      // One may be stopped or without its machine all the time.
      if ServiceTests.lives > 1 { #expect(balls > 0, "lives without balls show nothing") }
    }
  }
}

extension ProgramEvent {
  fileprivate var story: String {
    [t.map { "\($0)" } ?? "", event, state ?? "", outcome ?? "", digits ?? "", reason ?? ""]
      .joined(separator: " ")
  }
}
