import Bridge
import CourtLogic
import MachineLink
import Safety
import TestSupport
import Testing

@testable import Host

/// The sign of life for systemd's watchdog comes from the dispatch loop, in every state, and from
/// nowhere else.
@Suite(.mustEnd) struct HeartbeatTests {
  private static let period = Duration.seconds(5)

  /// A service with a heart, and when that beat.
  private struct Patient {
    let fixture: ServiceFixture
    private let beats = Locked(0)

    init(central: FakeCentral = FakeCentral()) throws {
      fixture = try ServiceFixture(central: central) { [beats] options in
        options.heartbeat = Heartbeat(period: HeartbeatTests.period) { beats.withLock { $0 += 1 } }
      }
    }

    /// Waits until it has beaten so often.
    func beaten(_ count: Int) async throws {
      while self.count < count { try await Task.yieldUnlessCancelled() }
    }

    var count: Int { beats.withLock(\.self) }
  }

  @Test(arguments: ["disarmed", "countdown", "live", "paused", "stopped"])
  func itBeatsInEveryStateWhileNothingElseHappens(_ state: String) async throws {
    let patient = try Patient()
    let fixture = patient.fixture
    await fixture.wait(for: .ready)
    switch state {
    case "countdown": _ = await fixture.service.perform(.arm(countdown: .seconds(60)))
    case "live": _ = await fixture.service.perform(.arm(countdown: .zero))
    case "paused":
      _ = await fixture.service.perform(.arm(countdown: .zero))
      _ = await fixture.service.perform(.pause)
    case "stopped": _ = await fixture.service.perform(.stop)
    default: break
    }
    #expect(await fixture.service.snapshot.safety.state.word == state)
    // The first came with the start.
    for count in 1...3 {
      try await patient.beaten(count)
      fixture.clock.advance(by: Self.period)
    }
    try await patient.beaten(4)
    #expect(patient.count == 4)
    _ = try await fixture.end()
  }

  @Test func itBeatsWithoutAMachine() async throws {
    let patient = try Patient(central: FakeCentral(isThere: false))
    for count in 1...3 {
      try await patient.beaten(count)
      patient.fixture.clock.advance(by: Self.period)
    }
    try await patient.beaten(4)
    _ = try await patient.fixture.end()
  }

  /// Whoever only answers requests could do so while the loop waits in vain.
  @Test func noRequestMakesItBeat() async throws {
    let patient = try Patient()
    let fixture = patient.fixture
    await fixture.wait(for: .ready)
    for _ in 1...20 {
      fixture.clock.advance(by: .milliseconds(200))
      try await fixture.stand()
      _ = await fixture.service.snapshot
    }
    // 4 s have passed.
    #expect(patient.count == 1)
    fixture.clock.advance(by: .seconds(1))
    try await patient.beaten(2)
    _ = try await fixture.end()
  }

  @Test func whatHasEndedBeatsNoMore() async throws {
    let patient = try Patient()
    let fixture = patient.fixture
    await fixture.wait(for: .ready)
    _ = try await fixture.end()
    let count = patient.count
    for _ in 1...3 {
      fixture.clock.advance(by: Self.period)
      for _ in 1...50 { _ = await fixture.service.snapshot }
    }
    #expect(patient.count == count)
  }

  @Test func aLateBeatIsNotMadeUpFor() async throws {
    let patient = try Patient()
    let fixture = patient.fixture
    await fixture.wait(for: .ready)
    fixture.clock.advance(by: Self.period * 7 / 2)
    try await patient.beaten(2)
    // A whole period later, not at once.
    fixture.clock.advance(by: .milliseconds(4_999))
    try await fixture.stand()
    #expect(patient.count == 2)
    fixture.clock.advance(by: .milliseconds(1))
    try await patient.beaten(3)
    _ = try await fixture.end()
  }
}
