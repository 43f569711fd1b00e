import BlueZ
import Clocks
import CourtLogic
import MachineLink
import MockMachine
import TestSupport
import Testing

/// One run of a scenario, measured.
struct FaultTrial: Sendable {
  /// To the scenario's goal.
  var duration: Duration
  /// The part of it in which nobody but the link could act, chosen delays apart.
  var ours: Duration
  /// Balls that the machine received more often than once, or though they were told not to be sent.
  var repeated: Int
  /// Balls told delivered that the machine has not received, and balls without an outcome.
  var lost: Int
  /// Connect calls until the goal.
  var connects: Int
}

extension FaultTrial {
  static func run(_ scenario: FaultScenario, inRealTime: Bool) async throws -> FaultTrial {
    // Set once, by the body.
    var trial: FaultTrial?
    try await withLinkFixture(
      scenario.model,
      scenario.configuration,
      speed: inRealTime ? 1 : nil,
      before: scenario.before
    ) { fixture in
      let feeder = Feeder(fixture)
      let feeding = Task { await feeder.feed() }
      defer { feeding.cancel() }
      let start = try await scenario.strike(fixture)
      let end: MonotonicInstant
      switch scenario.goal {
      case .recovery:
        end = try await fixture.reachesNext(.ready, after: start).since
        try await feeder.delivers(after: end)
      case .delivery:
        end = try await feeder.delivers(after: start)
        let phase = await fixture.link.status.phase
        #expect(phase == .ready)
      case .end:
        try await fixture.end()
        end = fixture.now
      }
      feeding.cancel()
      try await limited("the last ball's outcome") { await feeding.value }
      // A write without response is on its way for a moment.
      try await fixture.pass(.milliseconds(100))
      let (repeated, lost) = await feeder.judged()
      let connects = await fixture.times(of: "Connect").count {
        $0 >= start.seconds && $0 <= end.seconds
      }
      trial = FaultTrial(
        duration: start.duration(to: end),
        ours: max(.zero, await fixture.ourShare(from: start, to: end) - scenario.patience),
        repeated: repeated,
        lost: lost,
        connects: connects
      )
    }
    return try #require(trial)
  }
}

/// Gives a ball every 3 s, or a second after one that could not be sent.
private actor Feeder {
  private let fixture: LinkFixture
  private var outcomes: [WriteOutcome?] = []
  /// When balls were delivered, or queued where the machine doesn't acknowledge.
  private let deliveries = Journal<MonotonicInstant>()

  init(_ fixture: LinkFixture) { self.fixture = fixture }

  func feed() async {
    let clock = fixture.setup.clock
    while !Task.isCancelled {
      outcomes.append(nil)
      let ball = LinkFixture.ball(outcomes.count)
      let decision = clock.now
      let outcome = await fixture.link.send(ball, decidedAt: decision)
      outcomes[outcomes.count - 1] = outcome
      var pause = Duration.seconds(3)
      switch outcome {
      case .delivered, .queued: await deliveries.append(decision)
      case .notSent: pause = .seconds(1)
      case .unknown: break
      }
      try? await clock.sleep(for: pause)
    }
  }

  /// Waits for the delivery of a ball that was decided after a moment.
  @discardableResult
  nonisolated func delivers(after moment: MonotonicInstant) async throws -> MonotonicInstant {
    try await deliveries.next("a delivery") { $0 >= moment }
  }

  func judged() async -> (repeated: Int, lost: Int) {
    var received = await fixture.received()
    // It may have come back under another address.
    if let address = await fixture.link.status.machine, address.description != FaultTable.name,
      let machine = MockAddress(address.description)
    {
      received += await fixture.received(by: machine)
    }
    var repeated = 0
    var lost = 0
    for (index, outcome) in outcomes.enumerated() {
      let count = received.count { $0 == LinkFixture.ball(index + 1).text }
      switch outcome {
      case nil: lost += 1
      case .delivered where count == 0: lost += 1
      case .notSent: repeated += count
      default: repeated += max(0, count - 1)
      }
    }
    return (repeated, lost)
  }
}
