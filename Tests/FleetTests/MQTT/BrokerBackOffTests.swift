import Fleet
import Testing

@Suite struct BrokerBackOffTests {
  /// Draws the longest waits, or the shortest: the generator of numbers in a range draws again after 0.
  private struct Fate: RandomNumberGenerator {
    let isLong: Bool

    func next() -> UInt64 { isLong ? .max : 1 }
  }

  /// The waits after these ends, in seconds, each of a try that took so long.
  private static func waits(
    after codes: [MQTTFailure.Code?],
    lasting time: Duration = .zero,
    isLong: Bool,
    in backOff: BrokerBackOff = BrokerBackOff()
  ) -> [Double] {
    var (backOff, fate) = (backOff, Fate(isLong: isLong))
    return codes.map { code in
      let wait = backOff.next(after: code, lasting: time, using: &fate) / .seconds(1)
      return (wait * 1000).rounded() / 1000
    }
  }

  @Test(arguments: [MQTTFailure.Code.unreachable, .unknownHost])
  func whereNoBrokerIsTheWaitsStayShort(_ code: MQTTFailure.Code) {
    let codes = Array(repeating: code, count: 40)
    let shortest = Self.waits(after: codes, isLong: false)
    #expect(shortest.prefix(4) == [1, 2, 4, 5])
    #expect(shortest.dropFirst(3).allSatisfy { $0 == 5 })
    let longest = Self.waits(after: codes, isLong: true)
    #expect(longest.prefix(4) == [1.6, 3.2, 6.4, 8])
    #expect(longest.dropFirst(3).allSatisfy { $0 == 8 })
  }

  @Test(arguments: [
    MQTTFailure.Code.silent, .untrusted, .refused, .busy, .forbidden, .takenOver, .lost, .strange,
    .system, nil,
  ])
  func aBrokerThatIsThereIsLeftAloneForLonger(_ code: MQTTFailure.Code?) {
    let codes = Array(repeating: code, count: 40)
    let shortest = Self.waits(after: codes, isLong: false)
    #expect(shortest.prefix(8) == [1, 2, 4, 8, 16, 32, 60, 60])
    #expect(Self.waits(after: codes, isLong: true).last == 90)
    // Its answer is no time waited.
    #expect(Self.waits(after: codes, lasting: .seconds(10), isLong: false) == shortest)
  }

  /// A broker that starts up, and takes no clients at first, gets no more than its first tries.
  @Test func eachKindOfFailureHasItsOwnCourse() {
    let codes: [MQTTFailure.Code] =
      [.unknownHost, .unreachable, .unreachable, .unreachable, .busy, .busy, .unreachable, .busy]
    #expect(Self.waits(after: codes, isLong: false) == [1, 2, 4, 5, 1, 2, 5, 4])
  }

  /// TCP gives up by itself only after minutes.
  @Test func theTimeThatNothingAnsweredIsTimeWaited() {
    let codes = Array(repeating: MQTTFailure.Code.unreachable, count: 5)
    #expect(Self.waits(after: codes, lasting: .seconds(3), isLong: false) == [0, 0, 1, 2, 2])
    #expect(Self.waits(after: codes, lasting: .seconds(30), isLong: true).allSatisfy { $0 == 0 })
  }

  /// One that the broker ends at once is no news: it would be tried each second for ever.
  @Test(arguments: [
    (nil as Duration?, false), (.zero, false), (.seconds(9.9), false), (.seconds(10), true),
  ])
  func aConnectionThatLastedBeginsAnew(_ time: Duration?, hasLasted: Bool) {
    var (backOff, fate) = (BrokerBackOff(), Fate(isLong: false))
    for code in [MQTTFailure.Code.refused, .refused, .unreachable, .unreachable] {
      _ = backOff.next(after: code, lasting: .zero, using: &fate)
    }
    #expect(backOff.ended(after: time) == hasLasted)
    let waits = Self.waits(after: [.unreachable, .refused], isLong: false, in: backOff)
    #expect(waits == (hasLasted ? [1, 1] : [4, 4]))
  }
}
