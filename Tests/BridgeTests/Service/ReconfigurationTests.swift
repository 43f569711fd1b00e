import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import CourtMapping
import Host
import MachineLink
import Safety
import TestSupport
import Testing

/// Other settings while the bridge runs: from the next ball on, on the old grid, over the same link.
@Suite(.mustEnd) struct ReconfigurationTests {
  /// A live service whose first ball has flown, and when that was.
  private func feeding() async throws -> (ServiceFixture, BridgeEvents) {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let events = await fixture.service.subscribe()
    _ = await fixture.service.perform(.arm(countdown: .zero))
    try await fixture.stand(x: 4, y: 13)
    let first = try #require(await fixture.dispatch(events))
    #expect(first.decision.t == 0 && first.decision.zone == nil)
    return (fixture, events)
  }

  /// Lets the time pass in steps in which the player is seen.
  private func pass(_ duration: Duration, on fixture: ServiceFixture) async throws {
    let step = Duration.milliseconds(250)
    var rest = duration
    while rest > .zero {
      try await fixture.pass(min(step, rest))
      rest -= step
      try await fixture.stand(x: 4, y: 13)
    }
  }

  @Test func theNextBallIsOnTheOldGridWithTheNewSettings() async throws {
    let (fixture, events) = try await feeding()
    try await pass(.milliseconds(1_300), on: fixture)
    let table = try CommandTable { _ in try MachineCommand(digits: ServiceFixture.ball) }
    await fixture.service.reconfigure(
      BridgeSettings(.init(court: try Court(apron: 3), table: table))
    )
    #expect(await fixture.service.snapshot.nextDecision == .start.advanced(by: .seconds(3)))
    try await pass(.milliseconds(1_700), on: fixture)
    let second = try #require(await fixture.dispatch(events))
    #expect(second.decision.t == 3)
    #expect(second.decision.zone == "3-1")
    #expect(second.decision.command == ServiceFixture.ball)
    // The link has not even noticed.
    let link = await fixture.service.snapshot.link
    #expect(link.phase == .ready && link.since == .start)
    _ = try await fixture.end()
  }

  @Test func aLongerIntervalLeavesPointsOfTheGridOutAndAShorterOneTakesThemAgain() async throws {
    let (fixture, events) = try await feeding()
    func reconfigure(_ interval: Duration) async {
      var rules = SafetyRules()
      rules.leastInterval = interval
      await fixture.service.reconfigure(
        BridgeSettings(.init(table: CommandTableFile.builtIn), rules: rules)
      )
    }
    func next() async throws -> Double { try #require(await fixture.dispatch(events)).decision.t }
    try await pass(.seconds(1), on: fixture)
    await reconfigure(.seconds(4))
    try await pass(.seconds(5), on: fixture)
    #expect(try await next() == 6)
    try await pass(.milliseconds(700), on: fixture)
    await reconfigure(SafetyRules().leastInterval)
    try await pass(.milliseconds(2_300), on: fixture)
    #expect(try await next() == 9)
    _ = try await fixture.end()
  }

  @Test func anotherIntervalCountsFromTheLastBall() async throws {
    let (fixture, events) = try await feeding()
    func reconfigure(_ milliseconds: Int, due: Duration) async {
      await fixture.service.reconfigure(
        BridgeSettings(
          .init(table: CommandTableFile.builtIn, interval: .milliseconds(milliseconds))
        )
      )
      #expect(await fixture.service.snapshot.interval == .milliseconds(milliseconds))
      #expect(await fixture.service.snapshot.nextDecision == .start.advanced(by: due))
    }
    func next() async throws -> Double { try #require(await fixture.dispatch(events)).decision.t }
    try await pass(.seconds(1), on: fixture)
    await reconfigure(4_500, due: .milliseconds(4_500))
    try await pass(.milliseconds(3_500), on: fixture)
    #expect(try await next() == 4.5)
    try await pass(.milliseconds(500), on: fixture)
    // The same again changes nothing.
    await reconfigure(4_500, due: .seconds(9))
    try await pass(.milliseconds(4_000), on: fixture)
    #expect(try await next() == 9)
    try await pass(.seconds(1), on: fixture)
    await reconfigure(3_000, due: .seconds(12))
    try await pass(.seconds(2), on: fixture)
    #expect(try await next() == 12)
    // Safety has the last word: the least interval is longer than this one.
    await reconfigure(1_000, due: .milliseconds(14_950))
    try await pass(.seconds(3), on: fixture)
    #expect(try await next() == 15)
    _ = try await fixture.end()
  }

  /// With another calibration the player would seem to jump.
  @Test func aCalibrationChangesOnlyWhileNoBallMayFly() async throws {
    let (fixture, _) = try await feeding()
    let calibration = try Calibration(
      marks: [
        .netLeft: PicturePoint(452.7, 302.4), .netRight: PicturePoint(827.3, 302.4),
        .baselineLeft: PicturePoint(195.8, 494), .baselineRight: PicturePoint(1084.2, 494),
      ],
      size: try #require(PictureSize(width: 1280, height: 720))
    )
    let box = Locked<Calibration?>(nil)
    #expect(await fixture.service.recalibrate(box, to: calibration) == false)
    #expect(box.withLock(\.self) == nil)
    _ = await fixture.service.perform(.pause)
    #expect(await fixture.service.recalibrate(box, to: calibration))
    #expect(box.withLock(\.self) == calibration)
    _ = await fixture.service.perform(.resume())
    #expect(await fixture.service.recalibrate(box, to: nil) == false)
    #expect(box.withLock(\.self) == calibration)
    _ = try await fixture.end()
  }
}
