import Testing

@testable import Bridge

struct StandstillWatchTests {
  @Test func aGapOfMoreThanThreePulsesIsAStandstill() {
    var watch = StandstillWatch(at: .zero)
    #expect(watch.stepped(at: .seconds(1)) == nil, "nothing was to be judged yet")
    watch.attend()
    #expect(watch.patience(at: .seconds(1)) == StandstillWatch.pulse)
    #expect(watch.stepped(at: .milliseconds(1_750)) == nil)
    #expect(watch.stepped(at: .milliseconds(2_501)) == .milliseconds(751))
    #expect(watch.stepped(at: .milliseconds(2_502)) == nil)
  }

  /// A box on which nothing happens sleeps.
  @Test func aMinuteAfterTheLastBytesItWaitsForEver() {
    var watch = StandstillWatch(at: .zero)
    #expect(watch.patience(at: .zero) == nil)
    #expect(watch.stepped(at: .seconds(100)) == nil)
    watch.attend()
    #expect(watch.patience(at: .seconds(159)) == StandstillWatch.pulse)
    #expect(watch.stepped(at: .milliseconds(159_250)) == .milliseconds(59_250))
    #expect(watch.patience(at: .seconds(160)) == nil)
    #expect(watch.stepped(at: .seconds(1_000)) == nil)
  }

  /// Only waiting may take for ever, not what is done afterwards.
  @Test func aStandstillBehindALongWaitIsNoticed() {
    var watch = StandstillWatch(at: .zero)
    #expect(watch.patience(at: .zero) == nil)
    #expect(watch.stepped(at: .seconds(100)) == nil)
    #expect(watch.stepped(at: .seconds(103)) == .seconds(3))
  }
}
