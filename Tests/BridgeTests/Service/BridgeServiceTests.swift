import Bridge
import Clocks
import ControlProtocol
import CourtLogic
import CourtMapping
import Host
import MachineLink
import Positions
import Safety
import TestSupport
import Testing
import Training

/// What the service adds to its machine's decisions.
@Suite(.mustEnd) struct BridgeServiceTests {
  @Test func whatTheFeedCountsIsKnownWhileItRuns() async throws {
    let fixture = try ServiceFixture()
    let service = fixture.service
    #expect(await service.feed.feeders.isEmpty)
    let events = PositionEventQueue()
    await service.count(from: events)
    #expect(await service.snapshot.summary.counts.droppedPositions == 0)
    let lane = events.open("client 1")
    events.drop(7, of: lane)
    for _ in 0..<2 { events.refuse(limit: 64) }
    let feed = await service.feed
    #expect(feed.feeders.map(\.connection) == ["client 1"] && feed.feeders[0].dropped == 7)
    #expect(feed.bridge.summary.counts.droppedPositions == 7)
    #expect(await service.snapshot.summary.counts.droppedPositions == 7)
    #expect(await service.snapshot.summary.counts.refusedFeeders == 2)
    let end = try await fixture.end()
    #expect(end.counts.droppedPositions == 7 && end.counts.refusedFeeders == 2)
  }

  @Test func eachBeginOfACountdownAndOfFeedingIsReported() async throws {
    let fixture = try ServiceFixture()
    let begins = Locked(0)
    await fixture.service.onBallsMayFly { begins.withLock { $0 += 1 } }
    await fixture.wait(for: .ready)
    #expect(begins.withLock(\.self) == 0)
    _ = await fixture.service.perform(.arm(countdown: .seconds(3)))
    #expect(begins.withLock(\.self) == 1)
    _ = await fixture.service.perform(.disarm)
    _ = await fixture.service.perform(.arm(countdown: .zero))
    #expect(begins.withLock(\.self) == 2)
    _ = try await fixture.end()
  }

  @Test func followersGetThePlayersPositionsAlone() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let player = await fixture.service.followPlayer()
    try await fixture.stand(x: 1)
    let other = SourceID(connection: "other")
    let elsewhere = try PlayerPosition(x: 7, y: 9)
    fixture.feed(.position(elsewhere, from: other, at: fixture.clock.now))
    try await fixture.stand(x: 2)
    _ = try await fixture.end()
    // It was behind, so that only the newest is left.
    var seen: [BridgeEvent] = []
    for await event in player { seen.append(event) }
    let source = SourceID(connection: "test")
    let newest = BridgeEvent.positions(
      .position(try PlayerPosition(x: 2, y: 9), from: source, at: .start)
    )
    #expect(seen == [.dropped(1), newest], "\(seen)")
  }

  /// With another calibration the player would seem to jump.
  @Test func aCalibrationChangesOnlyWhileNoBallMayFly() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    _ = await fixture.service.perform(.arm(countdown: .zero))
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

  @Test func aDrillIsOverWhenTheStopCommandAfterItIsThrough() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let drill = Drill(
      name: "one",
      strategy: .follow,
      interval: .seconds(4),
      balls: 1,
      sets: 1,
      rest: .zero
    )
    try await fixture.service.load(.drill(drill, seed: nil))
    let writtenWhenOver = Task {
      await fixture.service.waitUntilDrillIsOver()
      return await fixture.central.written.count
    }
    try await fixture.stand()
    _ = await fixture.service.perform(.arm(countdown: .zero))
    #expect(await fixture.wait(for: "disarmed")?.state == .disarmed(.drillOver))
    #expect(await fixture.central.written.count == 1)
    try await fixture.letTimePass { await fixture.central.written.count < 2 }
    #expect(await writtenWhenOver.value == 2)
    _ = try await fixture.end()
  }
}
