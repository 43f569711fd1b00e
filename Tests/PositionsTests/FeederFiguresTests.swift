import Clocks
import CourtLogic
import Testing

@testable import Positions

struct FeederFiguresTests {
  /// What the wall clock shows, since 1970.
  private static let wallTime = Duration.seconds(1_795_269_600)

  private static func at(_ milliseconds: Int) -> MonotonicInstant {
    .start.advanced(by: .milliseconds(milliseconds))
  }

  private func report(
    _ id: String? = nil,
    x: Double = 4,
    t: Duration? = nil
  ) throws -> PositionReport {
    PositionReport(position: try PlayerPosition(x: x, y: 9), id: id, time: t)
  }

  /// Of a source with a position every 100 ms from 0 on, up to `end`.
  private func steady(until end: Int) throws -> SourceFigures {
    var feeder = FeederFigures("a")
    for time in stride(from: 0, through: end, by: 100) {
      feeder.receive(try report(), at: Self.at(time), wallTime: Self.wallTime)
    }
    return try #require(feeder.sources.first)
  }

  @Test(arguments: [1_000, 1_500, 2_000, 3_900, 4_000, 60_000, 61_500])
  func aSteadySourceHasItsRate(_ end: Int) throws {
    let source = try steady(until: end)
    let rate = try #require(source.perSecond(at: Self.at(end)))
    // Off by one position in 2 s at most.
    #expect((9.5...10.5).contains(rate), "\(rate)")
    #expect(source.count == end / 100 + 1)
  }

  @Test func theFirstSecondHasNoRate() throws {
    #expect(try steady(until: 900).perSecond(at: Self.at(999)) == nil)
    #expect(try steady(until: 0).perSecond(at: Self.at(1_000)) == 0)
  }

  @Test func theRateOfASourceThatFallsSilentSinks() throws {
    let source = try steady(until: 10_000)
    let rates = [0, 1_000, 1_900, 4_000, 3_600_000].map {
      source.perSecond(at: Self.at(10_000 + $0)) ?? -1
    }
    #expect(rates == rates.sorted(by: >) && rates[1] > 0 && rates.suffix(2) == [0, 0], "\(rates)")
  }

  @Test func theGreatestDelayIsForgottenAfterFourSeconds() throws {
    var feeder = FeederFigures("a")
    for (time, delay) in [(0, 20), (500, 300), (1_900, 40)] {
      let sent = Self.wallTime - .milliseconds(delay)
      feeder.receive(try report(t: sent), at: Self.at(time), wallTime: Self.wallTime)
    }
    let source = try #require(feeder.sources.first)
    #expect(source.stamp == .wallClock(delay: .milliseconds(40)))
    #expect(source.greatestDelay(at: Self.at(1_999)) == .milliseconds(300))
    #expect(source.greatestDelay(at: Self.at(3_999)) == .milliseconds(300))
    #expect(source.greatestDelay(at: Self.at(4_000)) == nil)
  }

  @Test(
    arguments: [
      ("", .none), (#","t":null"#, .none),
      (#","t":1795269599.958"#, .wallClock(delay: .milliseconds(42))),
      (#","t":"1795269599.958""#, .wallClock(delay: .milliseconds(42))),
      // The feeder's clock is ahead.
      (#","t":1795269600.5"#, .wallClock(delay: .milliseconds(-500))),
      (#","t":1795266000"#, .wallClock(delay: .seconds(3600))),
      (#","t":1795265999"#, .other), (#","t":1795273201"#, .other), (#","t":12.5"#, .other),
      // Milliseconds, and a date of some zone.
      (#","t":1795269600000"#, .other), (#","t":"2026-11-21 14:00:00""#, .other),
      (#","t":"2026-11-21T14:00:00.5""#, .other),
    ] as [(String, SourceFigures.Stamp)]
  )
  func aTimestampIsTheWallClocksOrNot(_ member: String, _ stamp: SourceFigures.Stamp) throws {
    var parser = PositionParser(.ofArrival)
    let line = Array(#"{"x":4.1,"y":9.8\#(member)}"#.utf8)
    let report = try #require(try parser.parse(line))
    #expect(SourceFigures.Stamp(report, wallTime: Self.wallTime) == stamp)
  }

  @Test func aDateWithItsZoneIsTheWallClocks() throws {
    var dated = try report(t: Self.wallTime - .milliseconds(42))
    #expect(
      SourceFigures.Stamp(dated, wallTime: Self.wallTime) == .wallClock(delay: .milliseconds(42))
    )
    dated.lacksZone = true
    #expect(SourceFigures.Stamp(dated, wallTime: Self.wallTime) == .other)
  }

  @Test(arguments: [
    ("2026-11-21 14:00:00", true), ("2026-11-21T14:00:00.25", true),
    ("2026-11-21T14:00:00Z", false), ("2026-11-21T14:00:00.25z", false),
    ("2026-11-21 14:00:00+01:00", false), ("2026-11-21T14:00:00-0800", false),
    ("1795269600.25", false), ("1.8e+9", false), ("", false),
  ])
  func aDateNamesItsZoneOrNot(_ text: String, _ lacksZone: Bool) {
    #expect(Timestamp.lacksZone(text) == lacksZone)
  }

  @Test func theSourceThatWasSilentLongestMakesRoom() throws {
    var feeder = FeederFigures("a")
    let most = FeederFigures.mostSources
    for number in 0..<most {
      feeder.receive(try report("\(number)"), at: Self.at(number), wallTime: Self.wallTime)
    }
    feeder.receive(try report("0", x: 1), at: Self.at(100), wallTime: Self.wallTime)
    for number in most..<most + 3 {
      feeder.receive(try report("\(number)"), at: Self.at(100 + number), wallTime: Self.wallTime)
    }
    #expect(feeder.sources.map(\.id) == ["0"] + (4..<most + 3).map { "\($0)" })
    #expect(feeder.sources[0].count == 2 && feeder.sources[0].position.x == 1)
  }

  @Test func theQueueKeepsTheFiguresOfOpenConnections() async throws {
    let wallTime = Self.wallTime
    let queue = PositionEventQueue { wallTime }
    let lanes = [queue.open("a"), queue.open("b"), queue.open("c")]
    let bad = [7, 9].map { PositionLine.bad(BadLine(line: $0, text: "{", reason: .notJSON)) }
    let good = PositionLine.report(try report("p", t: wallTime - .milliseconds(5)), line: 8)
    queue.append([bad[0], good, bad[1]], at: Self.at(20), to: lanes[0])
    queue.append(
      Array(repeating: good, count: PositionEventLine.capacity + 3),
      at: Self.at(30),
      to: lanes[1]
    )
    queue.drop(4, of: lanes[1])
    queue.close(lanes[2])

    let figures = queue.figures
    #expect(figures.map(\.connection) == ["a", "b"])
    #expect(figures.map(\.badLines) == [2, 0] && figures.map(\.dropped) == [0, 7])
    #expect(figures.map { $0.sources.map(\.count) } == [[1], [PositionEventLine.capacity + 3]])
    #expect(figures[0].lastBadLine?.line.line == 9 && figures[0].lastBadLine?.at == Self.at(20))
    #expect(figures[0].sources[0].stamp == .wallClock(delay: .milliseconds(5)))
    #expect(queue.statistics.dropped == 7, "as before")
  }
}
