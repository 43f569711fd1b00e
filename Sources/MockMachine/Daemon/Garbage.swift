import CourtLogic

/// Notifications that nothing asked for, the same for the same seed.
struct Garbage: Hashable, Sendable {
  var interval: Duration
  var times: MockTimes
  private var generator: SeededGenerator

  init(seed: UInt64, interval: Duration, times: MockTimes) {
    self.interval = interval
    self.times = times
    generator = SeededGenerator(seed: seed)
  }

  /// 1 to 20 bytes, a quarter of the time with the header, the length and a code of an answer.
  mutating func next() -> [UInt8] {
    let choice = generator.next()
    guard choice >> 8 & 3 != 0 else {
      return MockFrame.answerHeader + [UInt8(choice >> 16 & 3), UInt8(choice >> 24 & 0xff)]
    }
    return (0..<(1 + choice % 20)).map { _ in UInt8(generator.next() >> 56) }
  }
}
