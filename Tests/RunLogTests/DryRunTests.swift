import Clocks
import CourtLogic
import Testing

@testable import Configuration
@testable import RunLog

extension DryRun {
  /// The decisions since the position before.
  mutating func arrive(
    _ position: PlayerPosition,
    from source: SourceID,
    at instant: MonotonicInstant
  ) -> [Decision] {
    var decisions: [Decision] = []
    arrive(position, from: source, at: instant) { decision, _, _ in decisions.append(decision) }
    return decisions
  }
}

struct DryRunTests {
  private let source = SourceID(connection: "track")

  /// The decisions on positions at these times, each a decimetre further right a second.
  private func decisions(at times: [Double]) throws -> [Decision] {
    var run = DryRun(logic: LogicManager(.init(table: CommandTableFile.builtIn)))
    return try times.flatMap { time in
      try run.arrive(
        PlayerPosition(x: time / 10, y: 1),
        from: source,
        at: .start.advanced(by: .seconds(time))
      )
    }
  }

  @Test func theFirstPositionDecidesAndTheGridFollows() throws {
    let decisions = try decisions(at: Array(stride(from: 0.5, through: 7, by: 0.25)))
    #expect(decisions.map(\.time.seconds) == [0.5, 3.5, 6.5])
    #expect(decisions.map(\.sampleCount) == [1, 5, 5])
    #expect(decisions.map { ($0.position.x * 1000).rounded() } == [50, 300, 600])
  }

  @Test func aDecisionThatIsDueBetweenPositionsIsTakenThen() throws {
    let decisions = try decisions(at: [0, 1, 2, 2.5, 3.25])
    #expect(decisions.map(\.time.seconds) == [0, 3])
    // At 3: those of 2 and 2.5; that of 3.25 is not known yet.
    #expect(decisions[1].sampleCount == 2)
    #expect((decisions[1].position.x * 1000).rounded() == 225)
  }

  @Test func aPositionAtTheDueInstantCounts() throws {
    let decisions = try decisions(at: [0, 1, 2, 3])
    #expect(decisions.map(\.sampleCount) == [1, 2])
  }

  @Test func afterSilenceTheNextPositionSetsANewGrid() throws {
    let decisions = try decisions(at: [0, 0.5, 4.5, 5, 6, 7, 7.5])
    #expect(decisions.map(\.time.seconds) == [0, 4.5, 7.5])
  }

  @Test func nothingIsDecidedAfterTheLastPosition() throws {
    #expect(try decisions(at: [0, 1, 2, 2.9]).count == 1)
  }

  @Test func aTrackWhoseTimeJumpsBackStillEnds() throws {
    #expect(try decisions(at: [5, 4, 3, 8]).map(\.time.seconds) == [5, 8])
  }
}
