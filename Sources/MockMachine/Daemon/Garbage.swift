/// Notifications that nothing asked for, the same for the same seed.
struct Garbage: Hashable, Sendable {
  var interval: Duration
  var times: MockTimes
  private var state: UInt64

  init(seed: UInt64, interval: Duration, times: MockTimes) {
    self.interval = interval
    self.times = times
    state = seed
  }

  /// 1 to 20 bytes, a quarter of the time with the header, the length and a code of an answer.
  mutating func next() -> [UInt8] {
    let choice = random()
    guard choice >> 8 & 3 != 0 else {
      return MockFrame.answerHeader + [UInt8(choice >> 16 & 3), UInt8(choice >> 24 & 0xff)]
    }
    return (0..<(1 + choice % 20)).map { _ in UInt8(random() >> 56) }
  }

  /// SplitMix64. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
  private mutating func random() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
