import Clocks
import CourtLogic
import CourtMapping
import Testing

@testable import Positions

/// A detector that hangs repeats its last position; one that measures says a little different ones.
struct RepetitionTests {
  private static func at(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(sinceStart: .milliseconds(Int(seconds * 1000)))
  }

  private static func report(_ x: Double, _ y: Double, t: Double? = nil) throws -> PositionReport {
    PositionReport(position: try PlayerPosition(x: x, y: y), time: t.map { .seconds($0) })
  }

  private static func pixels(_ u: Double, _ v: Double) throws -> PositionReport {
    var report = try report(4, 9)
    report.point = PicturePoint(u, v)
    return report
  }

  /// The steps of a detector before it hangs, and whether that holds balls back after 10 s.
  @Test(arguments: [
    ([4.1, 4.1004], true), ([4.1, 4.1004, 5], true), ([4.1, 4.101], false), ([4.1, 4.11], false),
    ([4.123, 4.122], false), ([4.1], false), ([4.1, 4.1], false), ([4.1, 4.100000001], true),
  ])
  func onlyAFineDetectorIsStuck(_ xs: [Double], _ isStuck: Bool) throws {
    for isSwapped in [false, true] {
      var watch = RepetitionWatch()
      for (index, x) in xs.enumerated() {
        let report = try isSwapped ? Self.report(9, x) : Self.report(x, 9)
        #expect(watch.judge(report, at: Self.at(Double(index) / 10)) == .none)
      }
      let last = try isSwapped ? Self.report(9, xs.last!) : Self.report(xs.last!, 9)
      let start = xs.count > 1 && xs.last == xs.dropLast().last ? 0 : Double(xs.count - 1) / 10
      #expect(watch.judge(last, at: Self.at(start + 9.99)) == .none)
      let since = Self.at(start)
      #expect(
        watch.judge(last, at: Self.at(start + 10)) == (isStuck ? .stuck(since: since) : .none)
      )
      #expect(
        watch.judge(last, at: Self.at(start + 60))
          == (isStuck ? .stuck(since: since) : .long(since: since))
      )
      let moved = try isSwapped ? Self.report(9, 6) : Self.report(6, 9)
      #expect(watch.judge(moved, at: Self.at(start + 61)) == .none)
    }
  }

  @Test(arguments: [(0.04, true), (0.05, false), (0.1, false)])
  func picturePointsAreJudgedInPixels(_ step: Double, _ isStuck: Bool) throws {
    var watch = RepetitionWatch()
    _ = watch.judge(try Self.pixels(640, 512), at: Self.at(0))
    _ = watch.judge(try Self.pixels(640 + step, 512), at: Self.at(0))
    let later = watch.judge(try Self.pixels(640 + step, 512), at: Self.at(10))
    #expect(later.isStuck == isStuck)
  }

  @Test func aTimeThatStandsStillIsStuckHoweverCoarse() throws {
    var watch = RepetitionWatch()
    for second in 0..<10 {
      #expect(watch.judge(try Self.report(4, 9, t: 7), at: Self.at(Double(second))) == .none)
    }
    let stuck = Repetition.stuck(since: Self.at(0))
    #expect(watch.judge(try Self.report(4, 9, t: 7), at: Self.at(10)) == stuck)
    // The detector measures again, and the player stands still.
    #expect(watch.judge(try Self.report(4, 9, t: 8), at: Self.at(11)) == .none)
    #expect(watch.judge(try Self.report(4, 9, t: 8), at: Self.at(20)) == .none)
    #expect(watch.judge(try Self.report(4, 9, t: 8), at: Self.at(21)) == stuck)
    // Who moves is seen, whatever the time says.
    #expect(watch.judge(try Self.report(4, 8, t: 8), at: Self.at(22)) == .none)
    // Without a time there is none that stands still.
    #expect(watch.judge(try Self.report(4, 8), at: Self.at(40)) == .none)
  }

  /// Milliseconds, for example, are no time in seconds.
  @Test func aStampThatIsNoTimeCountsToo() throws {
    var watch = RepetitionWatch()
    var report = try Self.report(4, 9)
    report.stamp = "1700000000000"
    _ = watch.judge(report, at: Self.at(0))
    #expect(watch.judge(report, at: Self.at(10)).isStuck)
  }

  @Test func eachSourceHasItsOwnHistory() throws {
    var watches = SourceWatches()
    func judge(_ id: String?, _ x: Double, at seconds: Double) throws -> Bool {
      var report = try Self.report(x, 9)
      report.id = id
      return watches.judge(report, at: Self.at(seconds)).repetition.isStuck
    }
    for (id, x) in [("a", 4), ("a", 4.0001), ("b", 4.0001), (nil, 4.0001)] {
      _ = try judge(id, x, at: 0)
    }
    #expect(try judge("a", 4.0001, at: 10))
    #expect(try !judge("b", 4.0001, at: 10))
    #expect(try !judge(nil, 4.0001, at: 10))
    // However many names a feeder makes up, the player's is kept.
    for number in 0..<200 {
      #expect(try !judge("\(number)", 4, at: 11))
      #expect(try judge("a", 4.0001, at: 11))
    }
  }

  @Test func theSimulatedPlayerNeverRepeatsItself() {
    var watch = RepetitionWatch()
    for timed in PlayerModel(seed: 1).prefix(30 * 600) {
      let report = PositionReport(position: timed.position, time: timed.offset)
      let judged = watch.judge(report, at: .start.advanced(by: timed.offset))
      #expect(judged == .none)
    }
  }
}
