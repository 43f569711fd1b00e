import Clocks
import Fleet
import Testing

@Suite struct PictureTurnsTests {
  private static func at(_ seconds: Double) -> MonotonicInstant {
    .start.advanced(by: .seconds(seconds))
  }

  @Test func oneIsTakenEach5Seconds() {
    var turns = PictureTurns()
    var taken: [Double] = []
    // What was asked for too soon puts nothing off.
    for time in [0, 0, 4.99, 5, 9, 10] where turns.begin(at: Self.at(time)) {
      taken.append(time)
      turns.end()
    }
    #expect(taken == [0, 5, 10])
  }

  /// A camera that hangs gets no second request.
  @Test func oneIsTakenAtATime() {
    var turns = PictureTurns()
    let begun = [0, 60.0].map { turns.begin(at: Self.at($0)) }
    turns.end()
    let again = turns.begin(at: Self.at(61))
    #expect(begun == [true, false] && again)
  }
}
