import Clocks
import CourtLogic
import MachineLink
import MockMachine
import TestSupport

/// One link's scenario as planned: fault after fault while commands are given, then peace.
///
/// What the machine received is the judge of what the link claims.
actor LinkScenario {
  struct Given: Sendable {
    var number: Int
    var submitted: MonotonicInstant
    var outcome: WriteOutcome?
    /// When the outcome was known.
    var ended: MonotonicInstant?
  }

  let fixture: LinkFixture
  let plan: ScenarioPlan
  private(set) var balls: [Given] = []
  private(set) var stops: [WriteOutcome?] = []
  private(set) var trace: [String] = []
  /// What has injected: of what is planned, much can't be done at its time.
  private(set) var injected: [Injected] = []
  /// How often each outcome and each verb was seen.
  private(set) var counts: [String: Int] = [:]
  private var errands: [Task<Void, Never>] = []

  init(_ plan: ScenarioPlan, on fixture: LinkFixture) {
    self.plan = plan
    self.fixture = fixture
  }

  // MARK: Living

  func play() async throws {
    for step in plan.steps {
      switch step.deed {
      case .ball: submit()
      case .stop: stop()
      case .fault(let verb): await perform(verb)
      }
      try await fixture.pass(step.pause)
    }
  }

  /// Ends all faults; then the link must come back and deliver.
  func recover() async throws -> WriteOutcome? {
    await perform(.clearFaults(machine: nil))
    for case .timing(let name, _) in injected.map(\.verb) {
      guard let usual = MockTimings.fields.first(where: { $0.key == name })?.value else { continue }
      await perform(.timing(name, MockTimings()[keyPath: usual]))
    }
    await perform(.up)
    try await fixture.pass(.seconds(5))
    // Whoever is connected through it lets go.
    if plan.hasSpareAdapter {
      await perform(.removeAdapter(InjectedFault.spareAdapter.name, .success))
    }
    await perform(.addAdapter(InjectedFault.adapter))
    for name in InjectedFault.adapterNames { await perform(.power(adapter: name, .unblocked)) }
    await perform(.advertiseFlood(perSecond: 0))
    // Only where the link knows the machine by its name may it stay where it went.
    if plan.identity != .name {
      await perform(.newAddress(machine: plan.machine, ScenarioPlan.home))
    }
    await perform(.changeTable(machine: plan.machine, .ballMachine, silently: false))
    await perform(.appear(machine: plan.machine))
    // A minute more than the longest back-off, scan and Connect take.
    for _ in 0..<60 {
      try await fixture.pass(.seconds(4))
      if await fixture.link.status.phase == .ready {
        let number = submit()
        try await fixture.pass(.seconds(1))
        let outcome = balls[number - 1].outcome
        if outcome == .delivered || outcome == .queued { return outcome }
      }
    }
    return nil
  }

  /// Waits for every outcome.
  func settle() async throws {
    for errand in errands { try await limited("every outcome") { await errand.value } }
  }

  @discardableResult
  private func submit() -> Int {
    let number = balls.count + 1
    balls.append(Given(number: number, submitted: fixture.now))
    note("ball \(number)")
    errands.append(
      Task { [fixture] in
        let outcome = await fixture.link.send(fixture.ball(number), decidedAt: fixture.now)
        self.ball(number, outcome)
      }
    )
    return number
  }

  private func ball(_ number: Int, _ outcome: WriteOutcome) {
    precondition(balls[number - 1].outcome == nil, "two outcomes of one command")
    balls[number - 1].outcome = outcome
    balls[number - 1].ended = fixture.now
    note("ball \(number): \(outcome)")
    counts[outcome.word, default: 0] += 1
  }

  private func stop() {
    let index = stops.count
    stops.append(nil)
    note("stop \(index)")
    errands.append(
      Task { [fixture] in
        let outcome = await fixture.link.sendStop()
        self.stop(index, outcome)
      }
    )
  }

  private func stop(_ index: Int, _ outcome: WriteOutcome) {
    stops[index] = outcome
    note("stop \(index): \(outcome)")
    counts["stop \(outcome.word)", default: 0] += 1
  }

  // MARK: InjectedFaults

  private func perform(_ verb: MockVerb) async {
    do {
      try await fixture.setup.perform(verb)
    } catch {
      // It can't be done now: what is not connected can't be dropped.
      return
    }
    injected.append(Injected(fixture.now.sinceStart, verb))
    note(verb.line ?? "\(verb)")
    counts["verb \(verb.name)", default: 0] += 1
  }

  private func note(_ line: String) {
    trace.append("\(fixture.now.seconds) \(line)")
  }
}
