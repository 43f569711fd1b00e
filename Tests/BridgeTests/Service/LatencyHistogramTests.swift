import Bridge
import CourtLogic
import TestSupport
import Testing

@Suite struct LatencyHistogramTests {
  @Test func withoutDurationsThereIsNoPercentile() {
    #expect(LatencyHistogram().percentile(0.5) == nil)
  }

  @Test(arguments: seeds())
  func percentilesAreThoseOfTheSortedList(seed: UInt64) throws {
    print("latency histogram: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var histogram = LatencyHistogram()
    var durations: [Duration] = []
    for _ in 0..<1_000 {
      // Over all magnitudes, from a microsecond to a quarter of an hour.
      let exponent = Double.random(in: 0...9, using: &generator)
      var microseconds = 1.0
      for _ in 0..<Int(exponent) { microseconds *= 10 }
      let duration = Duration.microseconds(
        microseconds * Double.random(in: 1...9, using: &generator)
      )
      durations.append(duration)
      histogram.record(duration)
    }
    durations.sort()
    for part in [0.01, 0.5, 0.9, 0.99, 1] {
      let exact = durations[Int((part * 1_000).rounded(.up)) - 1]
      let told = try #require(histogram.percentile(part))
      #expect(told >= exact - .microseconds(1))
      #expect(told <= exact + exact / 32 + .microseconds(1))
    }
    #expect(histogram.maximum == durations.last)
    #expect(histogram.count == 1_000)
  }

  @Test func hoursAndNegativeDurationsDoNoHarm() {
    var histogram = LatencyHistogram()
    histogram.record(.seconds(-1))
    histogram.record(.seconds(1_000_000_000))
    #expect(histogram.percentile(0.5) == .zero)
    #expect(histogram.percentile(1) != nil)
  }
}
