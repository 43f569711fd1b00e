import Bridge
import Clocks
import Configuration
import CourtLogic
import MachineLink
import Safety
import TestSupport
import Testing

/// Other settings while the bridge runs: from the next ball on, on the old grid, over the same link.
@Suite(.mustEnd) struct ReconfigurationTests {
  /// A live service whose first ball has flown, and when that was.
  private func feeding() async throws -> (ServiceBench, BridgeEvents) {
    let bench = try ServiceBench()
    await bench.wait(for: .ready)
    let events = await bench.service.subscribe()
    _ = await bench.service.perform(.arm(countdown: .zero))
    try await bench.stand(x: 4, y: 13)
    let first = try #require(await bench.dispatch(events))
    #expect(first.decision.time == .start && first.decision.zone == nil)
    return (bench, events)
  }

  /// Lets the time pass in steps in which the player is seen.
  private func pass(_ duration: Duration, on bench: ServiceBench) async throws {
    let step = Duration.milliseconds(250)
    var rest = duration
    while rest > .zero {
      await bench.pass(min(step, rest))
      rest -= step
      try await bench.stand(x: 4, y: 13)
    }
  }

  @Test func theNextBallIsOnTheOldGridWithTheNewSettings() async throws {
    let (bench, events) = try await feeding()
    try await pass(.milliseconds(1_300), on: bench)
    let table = try CommandTable { _ in try MachineCommand(digits: ServiceBench.ball) }
    await bench.service.reconfigure(BridgeSettings(court: try Court(apron: 3), table: table))
    #expect(await bench.service.snapshot.nextDecision == .start.advanced(by: .seconds(3)))
    try await pass(.milliseconds(1_700), on: bench)
    let second = try #require(await bench.dispatch(events))
    #expect(second.decision.time == .start.advanced(by: .seconds(3)))
    #expect(second.decision.zone == Zone(row: 3, column: 1))
    #expect(second.decision.command.digits == ServiceBench.ball)
    // The link has not even noticed.
    let link = await bench.service.snapshot.link
    #expect(link.phase == .ready && link.since == .start)
    _ = try await bench.end()
  }

  @Test func aLongerIntervalLeavesPointsOfTheGridOutAndAShorterOneTakesThemAgain() async throws {
    let (bench, events) = try await feeding()
    func reconfigure(_ interval: Duration) async {
      var rules = SafetyRules()
      rules.leastInterval = interval
      await bench.service.reconfigure(
        BridgeSettings(table: CommandTableFile.builtIn, rules: rules)
      )
    }
    func next() async throws -> Duration {
      let decision = try #require(await bench.dispatch(events)).decision
      return MonotonicInstant.start.duration(to: decision.time)
    }
    try await pass(.seconds(1), on: bench)
    await reconfigure(.seconds(4))
    try await pass(.seconds(5), on: bench)
    #expect(try await next() == .seconds(6))
    try await pass(.milliseconds(700), on: bench)
    await reconfigure(SafetyRules().leastInterval)
    try await pass(.milliseconds(2_300), on: bench)
    #expect(try await next() == .seconds(9))
    _ = try await bench.end()
  }
}
