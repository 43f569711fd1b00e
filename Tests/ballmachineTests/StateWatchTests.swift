import ControlProtocol
import Testing

@testable import ballmachine

/// What ends that which waits in the console.
struct StateWatchTests {
  @Test func holdsThatChangeAreNoPersonsDoing() {
    var owed = SafetyRecord(state: "disarmed")
    owed.code = "operator"
    owed.holds = [SafetyRecord.Hold(code: "stopOwed", reason: "the machine is still owed a stop")]
    var confirmed = owed
    confirmed.holds = []
    #expect(confirmed.differsInHoldsAlone(from: owed))
    // A person has disarmed what was so already.
    #expect(!owed.differsInHoldsAlone(from: owed))
    var reset = confirmed
    reset.code = "reset"
    #expect(!reset.differsInHoldsAlone(from: owed))
  }
}
