import BlueZ
import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import DBus
import Host
import MachineLink
import Positions
import Safety
import TestSupport
import Testing

@Suite(.mustEnd) struct BridgeServiceTests {
  private let clock = ManualClock()
  private let central: FakeCentral
  private let positions: AsyncStream<PositionEvent>
  private let feeder: AsyncStream<PositionEvent>.Continuation
  private let source = SourceID(connection: "test")

  init() {
    central = FakeCentral()
    (positions, feeder) = AsyncStream.makeStream()
  }

  private func service(armed: Bool = true, central: FakeCentral? = nil) throws -> BridgeService {
    var configuration = LinkConfiguration()
    let isAddress = configuration.setAddress(FakeCentral.address)
    try #require(isAddress)
    var rules = SafetyRules()
    rules.countdown = .zero
    return BridgeService(
      options: BridgeService.Options(
        logic: LogicManager(.init(table: CommandTableFile.builtIn)),
        rules: rules,
        armsAtStart: armed
      ),
      link: BallMachineLink(
        configuration: configuration,
        central: central ?? self.central,
        clock: clock,
        seed: 1
      ),
      clock: clock
    )
  }

  private func stand(x: Double, y: Double) throws {
    feeder.yield(.position(try PlayerPosition(x: x, y: y), from: source, at: clock.now))
  }

  /// Waits for the link to be ready.
  private func ready(_ service: BridgeService) async {
    for await case .link(let status) in service.events where status.phase == .ready { return }
  }

  /// Waits for the next command's outcome.
  private func dispatch(_ service: BridgeService) async -> DispatchRecord? {
    for await case .record(.dispatch(let dispatch), _) in service.events { return dispatch }
    return nil
  }

  /// Only without an apron, and once however many come.
  @Test(arguments: [0.0, 3])
  func aPositionBehindTheBaselineIsReportedOnce(_ apron: Double) async throws {
    let service = try service()
    await service.reconfigure(
      BridgeSettings(.init(court: try Court(apron: apron), table: CommandTableFile.builtIn))
    )
    let events = await service.subscribe()
    async let summary = service.run(positions: positions)
    for y in [11.885, 11.886, 13] { try stand(x: 4, y: y) }
    feeder.yield(.ended)
    _ = await summary
    let reports = await events.reduce(into: [BridgeEvent]()) { reports, event in
      if case .record(.feed(let feed), _) = event, feed.state == "behindBaseline" {
        reports.append(event)
      }
    }
    let report = FeedRecord(state: "behindBaseline", connection: "test")
    #expect(reports == (apron == 0 ? [.record(.feed(report), at: nil)] : []))
  }

  @Test func theFirstPositionDecidesAtOnceAndThenEveryThreeSeconds() async throws {
    let service = try service()
    async let summary = service.run(positions: positions)
    await ready(service)
    let start = clock.now
    for (index, place) in [(1.0, 1.0), (3.0, 4.0), (8.0, 11.0)].enumerated() {
      if index > 0 {
        // The player moves in time for the next decision.
        clock.advance(by: .milliseconds(2_500))
        try stand(x: place.0, y: place.1)
        await taken(index + 1, by: service)
        clock.advance(by: .milliseconds(500))
      } else {
        try stand(x: place.0, y: place.1)
      }
      let dispatch = try #require(await dispatch(service))
      #expect(dispatch.decision.t == start.seconds + 3 * Double(index))
      #expect(dispatch.outcome == OutcomeRecord(.delivered))
    }
    await service.end()
    let result = await summary
    #expect(result.counts.dispatches == 3 && result.counts.outcomes.delivered == 3)
    #expect(result.counts.byZone.count == 3)
    #expect(result.stop == .confirmed)
    let written = await central.written
    #expect(
      written == [
        "105001050012002000", "110001060014004500", "120001080019009500", "000000000000000000",
      ]
    )
  }

  @Test func whatTheFeedCountsIsKnownWhileItRuns() async throws {
    let service = try service()
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
    async let summary = service.run(positions: positions)
    feeder.yield(.ended)
    let end = await summary
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

  /// Waits until the service has taken so many positions.
  private func taken(_ count: Int, by service: BridgeService) async {
    while await service.snapshot.summary.counts.positions < count { await Task.yield() }
  }

  /// A write that was answered after 2.9 s may have left after 2.9 s.
  @Test func afterALateAnswerTheNextBallSkipsToTheGrid() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    _ = await fixture.service.perform(.arm(countdown: .zero))
    let events = await fixture.service.subscribe()
    await fixture.central.setHangsWrites(true)
    try await fixture.stand()
    _ = try await fixture.written(atLeast: 1)
    try await fixture.pass(.milliseconds(2_900))
    try await fixture.stand()
    await fixture.central.setHangsWrites(false)
    for _ in 0..<6 {
      try await fixture.pass(.milliseconds(500))
      try await fixture.stand()
    }
    #expect(await fixture.central.written.count == 1, "5.9 s after the first decision")
    try await fixture.pass(.milliseconds(100))
    var times: [Double] = []
    for await case .record(.dispatch(let dispatch), _) in events {
      times.append(dispatch.decision.t)
      if times.count == 2 { break }
    }
    #expect(times == [0, 6])
    _ = try await fixture.end()
  }

  @Test func followersGetThePlayersPositionsAlone() async throws {
    let service = try service(armed: false)
    async let summary = service.run(positions: positions)
    await ready(service)
    let player = await service.followPlayer()
    try stand(x: 1, y: 9)
    await taken(1, by: service)
    let other = SourceID(connection: "other")
    feeder.yield(.position(try PlayerPosition(x: 7, y: 9), from: other, at: clock.now))
    try stand(x: 2, y: 9)
    feeder.yield(.ended)
    _ = await summary
    // It was behind, so that only the newest is left.
    var seen: [BridgeEvent] = []
    for await event in player { seen.append(event) }
    let position = try PlayerPosition(x: 2, y: 9)
    let newest = BridgeEvent.positions(.position(position, from: source, at: .start))
    #expect(seen == [.dropped(1), newest], "\(seen)")
  }

  @Test func refusedLinesAreReportedAtOnceThenCounted() async throws {
    let service = try service(armed: false)
    async let summary = service.run(positions: positions)
    await ready(service)
    let (reports, events) = (Locked<[FeedRecord]>([]), await service.subscribe())
    let reader = Task {
      for await case .record(.feed(let feed), _) in events where feed.state == "badLine" {
        reports.withLock { $0.append(feed) }
      }
    }
    for line in 1...770 { refuse(line) }
    while await service.snapshot.summary.counts.badLines < 770 { await Task.yield() }
    #expect(await service.snapshot.lastRefused?.last.line == 770)
    // The second report needs no further line, only time.
    while reports.withLock(\.count) < 2 {
      clock.advance(by: .milliseconds(10))
      await Task.yield()
    }
    refuse(771)
    feeder.yield(.ended)
    _ = await summary
    await reader.value
    #expect(reports.withLock { $0.map(\.count) } == [nil, 769, nil])
    #expect(reports.withLock { $0.map(\.line) } == [1, 770, 771])
  }

  private func refuse(_ line: Int) {
    feeder.yield(
      .badLine(BadLine(line: line, text: "x", reason: .unknownFormat), connection: "test")
    )
  }

  @Test func nothingIsSentWhileDisarmed() async throws {
    let service = try service(armed: false)
    async let summary = service.run(positions: positions)
    await ready(service)
    try stand(x: 1, y: 1)
    await taken(1, by: service)
    clock.advance(by: .seconds(1))
    feeder.yield(.ended)
    let result = await summary
    #expect(result.counts.dispatches == 0 && result.counts.positions == 1)
    #expect(result.stop == nil)
    #expect(await central.written.isEmpty)
  }

  @Test func withoutAMachineNothingIsDecided() async throws {
    let absent = FakeCentral(isThere: false)
    let service = try service(central: absent)
    async let summary = service.run(positions: positions)
    try stand(x: 1, y: 1)
    await taken(1, by: service)
    feeder.yield(.ended)
    let result = await summary
    #expect(result.counts.dispatches == 0)
    #expect(!result.wasReady)
    #expect(await absent.written.isEmpty)
  }

  @Test func anUnknownOutcomeIsCountedAndNotSentAgain() async throws {
    let doubt = BlueZError(
      DBusError(
        name: "org.bluez.Error.Failed",
        message: "Operation failed with ATT error: 0x0e"
      )
    )
    await central.answerWrites(with: [doubt])
    let service = try service()
    async let summary = service.run(positions: positions)
    await ready(service)
    try stand(x: 1, y: 1)
    let dispatch = try #require(await dispatch(service))
    #expect(dispatch.outcome == OutcomeRecord(.unknown(.unlikelyError)))
    await service.end()
    #expect(await summary.counts.outcomes.unknown == 1)
    #expect(await central.written == ["105001050012002000", "000000000000000000"])
  }

  @Test func aSecondSourceIsCountedAndNeverMixedIn() async throws {
    let service = try service()
    async let summary = service.run(positions: positions)
    await ready(service)
    try stand(x: 1, y: 1)
    feeder.yield(
      .position(
        try PlayerPosition(x: 8, y: 11),
        from: SourceID(connection: "other"),
        at: clock.now
      )
    )
    let dispatch = try #require(await dispatch(service))
    #expect(dispatch.decision.x == 1 && dispatch.decision.y == 1)
    feeder.yield(.ended)
    #expect(await summary.counts.otherPositions == 1)
  }
}
