import Testing

@testable import Positions

struct StandstillWatchTests {
  @Test func aGapOfMoreThanThreePulsesIsAStandstill() {
    var watch = StandstillWatch(at: .zero)
    #expect(watch.stepped(at: .seconds(1)) == nil, "nothing was to be judged yet")
    watch.attend()
    #expect(watch.longestWait(at: .seconds(1)) == StandstillWatch.pulse)
    #expect(watch.stepped(at: .milliseconds(1_750)) == nil)
    #expect(watch.stepped(at: .milliseconds(2_501)) == .milliseconds(751))
    #expect(watch.stepped(at: .milliseconds(2_502)) == nil)
  }

  /// A box on which nothing happens sleeps.
  @Test func anHourAfterTheLastBytesItWaitsForEver() {
    var watch = StandstillWatch(at: .zero)
    #expect(watch.longestWait(at: .zero) == nil)
    #expect(watch.stepped(at: .seconds(100)) == nil)
    watch.attend()
    #expect(watch.longestWait(at: .seconds(3_699)) == StandstillWatch.pulse)
    #expect(watch.stepped(at: .milliseconds(3_699_250)) == .milliseconds(3_599_250))
    #expect(watch.longestWait(at: .seconds(3_700)) == nil)
    #expect(watch.stepped(at: .seconds(10_000)) == nil)
  }

  /// Only waiting may take for ever, not what is done afterwards.
  @Test func aStandstillBehindALongWaitIsNoticed() {
    var watch = StandstillWatch(at: .zero)
    #expect(watch.longestWait(at: .zero) == nil)
    #expect(watch.stepped(at: .seconds(100)) == nil)
    #expect(watch.stepped(at: .seconds(103)) == .seconds(3))
  }
}
