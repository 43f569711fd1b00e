import Clocks
import Testing

@testable import Camera

@Suite struct FrameTimesTests {
  @Test func aStampIsTheTimeAndNeverInTheFuture() {
    var times = FrameTimes()
    #expect(times.judge(at(990), now: at(1000)) == .fresh(at(990)))
    #expect(times.judge(at(1000), now: at(1000)) == .fresh(at(1000)))
    #expect(times.judge(at(1025), now: at(1000)) == .fresh(at(1000)))
  }

  @Test func whatIsOlderThanTheLimitIsTooOld() {
    var times = FrameTimes()
    #expect(times.judge(at(700), now: at(1000)) == .fresh(at(700)))
    #expect(times.judge(at(699), now: at(1000)) == .tooOld)
    #expect(times.judge(.start, now: at(1_000_000)) == .tooOld)
  }

  @Test func withoutAStampTheTimeIsNow() {
    var times = FrameTimes()
    times.foundEmpty(at: at(970))
    #expect(times.judge(nil, now: at(1000)) == .fresh(at(1000)))
    #expect(times.judge(nil, now: at(1033)) == .fresh(at(1033)))
  }

  @Test func withoutAStampAFrameMayBeAsOldAsTheLastLook() {
    var times = FrameTimes()
    // It waited before there was a reader.
    #expect(times.judge(nil, now: at(1000)) == .tooOld)
    #expect(times.judge(nil, now: at(1300)) == .fresh(at(1300)))
    // The reader hung, and so the frame may be from the beginning of that.
    #expect(times.judge(nil, now: at(1601)) == .tooOld)
    // More may wait behind it.
    #expect(times.judge(nil, now: at(1700), isEmpty: false) == .fresh(at(1700)))
    #expect(times.judge(nil, now: at(1902)) == .tooOld)
  }
}

@Suite struct FramePaceTests {
  /// The numbers of the frames that are taken from a source of so many frames a second.
  private func taken(_ rate: Double, of source: Double, _ count: Int, jitter: [Double] = [0])
    -> [Int]
  {
    var pace = FramePace(rate: rate)
    return (0..<count).filter { number in
      let seconds = (Double(number) + jitter[number % jitter.count]) / source + 5
      return pace.takes(.start.advanced(by: .seconds(seconds)))
    }
  }

  @Test func everySecondFrameOfTwiceTheRate() {
    #expect(taken(15, of: 30, 12) == [0, 2, 4, 6, 8, 10])
    #expect(taken(15, of: 30, 12, jitter: [0, 0.2, -0.2, 0.1]) == [0, 2, 4, 6, 8, 10])
  }

  @Test func allFramesOfASourceThatIsNotFaster() {
    #expect(taken(15, of: 15, 8, jitter: [0, 0.2, -0.2]) == Array(0..<8))
    #expect(taken(30, of: 15, 8) == Array(0..<8))
  }

  @Test(arguments: [25.0, 20, 31, 60, 100])
  func theRateHoldsOverALongTime(source: Double) {
    let count = taken(15, of: source, Int(source) * 20).count
    #expect(abs(count - 300) <= 1, "\(count)")
  }

  @Test func aGapOrAStepBackBeginsAnew() {
    var pace = FramePace(rate: 10)
    func takes(_ milliseconds: Int) -> Bool {
      pace.takes(.start.advanced(by: .milliseconds(milliseconds)))
    }
    #expect(takes(10_000) && !takes(10_050) && takes(10_100))
    #expect(takes(20_000) && !takes(20_050) && takes(20_100))
    #expect(takes(5_000) && !takes(5_050) && takes(5_100))
  }
}
