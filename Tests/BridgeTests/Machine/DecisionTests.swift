import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import MachineLink
import Positions
import Safety
import Testing

/// When a ball is decided on, by whose positions, and what is told of those.
struct DecisionTests {
  /// A live bridge whose first ball has flown, out of court, at 0.
  private func feeding() -> BridgeFixture {
    var fixture = BridgeFixture.live()
    fixture.stand(x: 4, y: 13)
    #expect(fixture.balls.map(\.decision.t) == [0] && fixture.balls[0].decision.zone == nil)
    return fixture
  }

  /// Lets time pass in which the player is seen.
  private func pass(_ duration: Duration, on fixture: inout BridgeFixture) {
    fixture.pass(duration, seeing: (4, 13))
  }

  @Test func theFirstPositionDecidesAtOnceAndThenEveryThreeSeconds() {
    var fixture = BridgeFixture.live()
    fixture.stand(x: 1, y: 1)
    for (x, y) in [(3.0, 4.0), (8, 11)] {
      // The player moves in time for the next decision.
      fixture.pass(.milliseconds(2_500))
      fixture.stand(x: x, y: y)
      fixture.pass(.milliseconds(500))
    }
    #expect(fixture.balls.map(\.decision.t) == [0, 3, 6])
    let summary = fixture.end()
    #expect(summary.counts.outcomes.delivered == 3 && summary.counts.byZone.count == 3)
    #expect(summary.stop == .confirmed)
    #expect(
      fixture.written == [
        "105001050012002000", "110001060014004500", "120001080019009500", BridgeFixture.stop,
      ]
    )
  }

  @Test func withoutAMachineNothingIsDecided() {
    var fixture = BridgeFixture(isReady: false) { $0.armsAtStart = true }
    fixture.stand()
    let summary = fixture.end()
    #expect(summary.counts.dispatches == 0 && !summary.wasReady && fixture.written.isEmpty)
  }

  @Test func anUnknownOutcomeIsCountedAndNotSentAgain() {
    var fixture = BridgeFixture.live()
    fixture.outcomes = [.unknown(.unlikelyError)]
    fixture.stand(x: 1, y: 1)
    fixture.pass(.milliseconds(2_900), seeing: (1, 1))
    #expect(fixture.balls.map(\.outcome) == [OutcomeRecord(.unknown(.unlikelyError))])
    #expect(fixture.end().counts.outcomes.unknown == 1)
    #expect(fixture.written == ["105001050012002000", BridgeFixture.stop])
  }

  @Test func theNextBallIsOnTheOldGridWithTheNewSettings() throws {
    var fixture = feeding()
    pass(.milliseconds(1_300), on: &fixture)
    let table = try CommandTable { _ in try MachineCommand(digits: BridgeFixture.ball) }
    fixture.reconfigure(BridgeSettings(.init(court: try Court(apron: 3), table: table)))
    #expect(fixture.snapshot.nextDecision == .start.advanced(by: .seconds(3)))
    pass(.milliseconds(1_700), on: &fixture)
    let second = try #require(fixture.balls.last)
    #expect(second.decision.t == 3)
    #expect(second.decision.zone == "3-1")
    #expect(second.decision.command == BridgeFixture.ball)
  }

  @Test func aLongerIntervalLeavesPointsOfTheGridOutAndAShorterOneTakesThemAgain() {
    var fixture = feeding()
    func settings(leastInterval: Duration) -> BridgeSettings {
      var rules = SafetyRules()
      rules.leastInterval = leastInterval
      return BridgeSettings(.init(table: CommandTableFile.builtIn), rules: rules)
    }
    pass(.seconds(1), on: &fixture)
    fixture.reconfigure(settings(leastInterval: .seconds(4)))
    pass(.milliseconds(5_700), on: &fixture)
    fixture.reconfigure(settings(leastInterval: SafetyRules().leastInterval))
    pass(.milliseconds(2_300), on: &fixture)
    #expect(fixture.balls.map(\.decision.t) == [0, 6, 9])
  }

  @Test func anotherIntervalCountsFromTheLastBall() {
    var fixture = feeding()
    func reconfigure(_ milliseconds: Int, due: Duration) {
      fixture.reconfigure(
        BridgeSettings(
          .init(table: CommandTableFile.builtIn, interval: .milliseconds(milliseconds))
        )
      )
      #expect(fixture.snapshot.interval == .milliseconds(milliseconds))
      #expect(fixture.snapshot.nextDecision == .start.advanced(by: due))
    }
    pass(.seconds(1), on: &fixture)
    reconfigure(4_500, due: .milliseconds(4_500))
    pass(.seconds(4), on: &fixture)
    // The same again changes nothing.
    reconfigure(4_500, due: .seconds(9))
    pass(.seconds(5), on: &fixture)
    reconfigure(3_000, due: .seconds(12))
    pass(.seconds(2), on: &fixture)
    // Safety has the last word: the least interval is longer than this one.
    reconfigure(1_000, due: .milliseconds(14_950))
    pass(.seconds(3), on: &fixture)
    #expect(fixture.balls.map(\.decision.t) == [0, 4.5, 9, 12, 15])
  }

  /// A write that was answered after 2.9 s may have left after 2.9 s.
  @Test func afterALateAnswerTheNextBallSkipsToTheGrid() {
    var fixture = BridgeFixture.live()
    fixture.hangs = true
    fixture.stand()
    fixture.pass(.milliseconds(2_900))
    fixture.hangs = false
    fixture.stand()
    fixture.pass(.seconds(3), seeing: (4, 9), every: .milliseconds(500))
    #expect(fixture.written.count == 1, "5.9 s after the first decision")
    fixture.pass(.milliseconds(100))
    #expect(fixture.balls.map(\.decision.t) == [0, 6])
  }

  @Test func aSecondSourceIsCountedAndNeverMixedIn() {
    var fixture = BridgeFixture()
    fixture.stand(x: 1, y: 1)
    fixture.stand(x: 8, y: 11, from: "other")
    fixture.perform(.arm(countdown: .zero))
    #expect(fixture.balls.map { [$0.decision.x, $0.decision.y] } == [[1, 1]])
    #expect(fixture.snapshot.summary.counts.otherPositions == 1)
  }

  /// Only without an apron, and once however many come.
  @Test(arguments: [0.0, 3])
  func aPositionBehindTheBaselineIsReportedOnce(_ apron: Double) throws {
    var fixture = BridgeFixture()
    fixture.reconfigure(
      BridgeSettings(.init(court: try Court(apron: apron), table: CommandTableFile.builtIn))
    )
    for y in [11.885, 11.886, 13] { fixture.stand(x: 4, y: y) }
    let report = FeedRecord(state: "behindBaseline", connection: "test")
    #expect(fixture.fed == (apron == 0 ? [report] : []))
  }

  @Test func refusedLinesAreReportedAtOnceThenCounted() {
    var fixture = BridgeFixture()
    func refuse(_ line: Int) {
      let bad = BadLine(line: line, text: "x", reason: .unknownFormat)
      fixture.handle(.positions(.badLine(bad, connection: "test")))
    }
    for line in 1...770 { refuse(line) }
    #expect(fixture.snapshot.lastRefused?.last.line == 770)
    // The second report needs no further line, only time.
    fixture.pass(.seconds(60))
    refuse(771)
    fixture.handle(.positions(.ended))
    _ = fixture.end()
    let told = fixture.fed.filter { $0.state == "badLine" }
    #expect(told.map(\.count) == [nil, 769, nil])
    #expect(told.map(\.line) == [1, 770, 771])
    #expect(fixture.snapshot.summary.counts.badLines == 771)
  }
}
