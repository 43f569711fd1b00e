import TestSupport
import Testing

extension ServiceTests {
  /// A service that is killed by SIGKILL, safe-stop behind it, and the next start.
  @Suite(.mockOnly("the box is too slow to be killed so often"), .serialized)
  struct KillTests {
    /// One kill in the middle of each thing that it does.
    @Test(
      .mustEnd,
      arguments: [
        (KillPlan.Cue.countdown, KilledService.Phase.countdown), (.ball, .midWrite),
        (.dispatch, .betweenBalls), (.end, .stopping),
      ]
    )
    func inTheMiddleOf(_ cue: KillPlan.Cue, is phase: KilledService.Phase) async throws {
      try await KillFixture.with { fixture in
        let service = try await fixture.kill(KillPlan(at: cue))
        #expect(service.contradictions.isEmpty, "\(service)")
        #expect(service.phase == phase, "\(service)")
      }
    }

    @Test(.onRequest(ServiceTests.kills > 0), .timeLimit(.minutes(5 + ServiceTests.kills / 4)))
    func atAnyMoment() async throws {
      let seed = ServiceTests.seed
      print("kills: \(ServiceTests.kills) from BALLMACHINE_SEED=\(seed)")
      var phases: [KilledService.Phase: Int] = [:]
      var balls = 0
      var logs = (all: 0, torn: 0, replayed: 0)
      try await KillFixture.with { fixture in
        for plan in KillPlan.plans(ServiceTests.kills, seed: seed) {
          let service = try await fixture.kill(plan)
          #expect(
            service.contradictions.isEmpty,
            "BALLMACHINE_SEED=\(seed): \(service.contradictions)\n\(service)"
          )
          phases[service.phase, default: 0] += 1
          balls += service.balls.count
          if let log = service.log {
            logs.all += 1
            logs.torn += log.tail.isEmpty ? 0 : 1
            logs.replayed += log.replays.isEmpty ? 0 : 1
          }
        }
      }
      for phase in KilledService.Phase.allCases {
        print("  \(phase.rawValue): \(phases[phase] ?? 0)")
      }
      print("  balls before them: \(balls)")
      print("  logs: \(logs.all), \(logs.torn) of them torn, \(logs.replayed) replayed")
      // Few of them are somebody's who looks for a reason.
      guard ServiceTests.kills >= 4 * KillPlan.Cue.allCases.count else { return }
      // Four of seven cues follow a ball.
      #expect(balls >= ServiceTests.kills / 2)
      #expect(logs.all >= balls / 2 && logs.replayed >= ServiceTests.kills / 7)
      for phase in [.starting, .countdown, .midWrite, .betweenBalls, .stopping]
        as [KilledService.Phase]
      {
        #expect(phases[phase] ?? 0 > 0, "nobody was killed \(phase.rawValue)")
      }
    }
  }
}
