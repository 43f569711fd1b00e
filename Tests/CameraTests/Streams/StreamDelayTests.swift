import Clocks
import Testing

@testable import Camera

@Suite struct StreamDelayTests {
  private func late(_ verdict: StreamDelay.Verdict) -> Duration? {
    if case .late(let delay) = verdict { delay } else { nil }
  }

  /// Frames that a camera takes every 40 ms and that come after `delay` seconds.
  private func verdicts(
    seconds: Double,
    rate: Double = 1,
    delay: (Double) -> Double
  ) -> [StreamDelay.Verdict] {
    var judge = StreamDelay(hasStamps: true)
    return (0..<Int(seconds * 25)).map { number in
      let taken = Double(number) / 25
      let arrival = MonotonicInstant.start.advanced(by: .seconds(taken + delay(taken)))
      return judge.judge(.seconds(taken * rate + 12_345), arrival: arrival)
    }
  }

  @Test func theFirstSecondIsNotJudged() {
    let all = verdicts(seconds: 3) { _ in 0.2 }
    let unknown = all.prefix { $0 == .unknown }.count
    #expect((24...26).contains(unknown))
    #expect(all.dropFirst(unknown).allSatisfy { $0 != .unknown && late($0) == nil })
  }

  @Test func aDelayIsComparedWithTheLeast() throws {
    // The camera first sends what it had; then it is quick; then the network holds frames up.
    let all = verdicts(seconds: 20) { $0 < 0.5 ? 1.5 - $0 * 2 : $0 < 10 ? 0.5 : 0.5 + 2.3 }
    #expect(all[30..<250].allSatisfy { late($0) == nil })
    let delay = try #require(late(all[260]))
    #expect(delay > .seconds(2.2) && delay < .seconds(2.4))
    #expect(all[250...].allSatisfy { late($0) != nil })
  }

  @Test func aLittleDelayMovesTheTime() {
    let all = verdicts(seconds: 10) { $0 < 5 ? 0.1 : 0.3 }
    guard case .fresh(let delay) = all[200] else { return #expect(Bool(false), "\(all[200])") }
    #expect(delay > .seconds(0.19) && delay < .seconds(0.21))
  }

  /// For hours: a quartz is off by less than 100 ppm.
  @Test(arguments: [1 - 0.000_1, 1 + 0.000_1])
  func anotherClocksRateIsNoDelay(_ rate: Double) {
    #expect(verdicts(seconds: 4 * 3600, rate: rate) { _ in 0.1 }.allSatisfy { late($0) == nil })
  }

  @Test func picturesOfTheSameMomentComeLate() {
    var judge = StreamDelay(hasStamps: true)
    let verdicts = (0..<100).map { number in
      judge.judge(
        .seconds(min(Double(number) / 25, 2)),
        arrival: .start.advanced(by: .seconds(Double(number) / 25))
      )
    }
    #expect(late(verdicts[49]) == nil && late(verdicts[99]) != nil)
  }

  @Test func withoutAStampNothingIsKnown() {
    var judge = StreamDelay(hasStamps: true)
    #expect(judge.judge(nil, arrival: .start) == .unknown)
  }

  /// Streams without stamps: distances in milliseconds, and which pictures are late.
  private func lateOnes(_ distances: [Int]) -> [Int] {
    var judge = StreamDelay(hasStamps: false)
    var time = MonotonicInstant.start
    return distances.indices.filter { index in
      time = time.advanced(by: .milliseconds(distances[index]))
      return late(judge.judge(nil, arrival: time)) != nil
    }
  }

  private let steady = Array(repeating: 66, count: 20)

  @Test func whatWasHeldBackIsLateUntilItHasCaughtUp() {
    // 3 s held: 45 pictures at once, then as before.
    let held = steady + [3000] + Array(repeating: 0, count: 44) + steady
    let late = lateOnes(held)
    #expect(late.first == 20 && late.last.map { (58...62).contains($0) } == true, "\(late)")
    #expect(late.count == (late.last ?? 0) - 19)
  }

  @Test func whatGoesOnAsBeforeAfterAPauseStaysLate() {
    #expect(lateOnes(steady + [2000] + steady).count == 21)
  }

  @Test func unevenPicturesAreNotLate() {
    #expect(lateOnes(steady + (0..<50).map { [20, 150, 90, 300][$0 % 4] }).isEmpty)
    // A slow camera, or one that gets slower at dusk.
    #expect(lateOnes(Array(repeating: 1000, count: 20)).isEmpty)
    #expect(lateOnes(steady + Array(repeating: 200, count: 40)).isEmpty)
  }
}
