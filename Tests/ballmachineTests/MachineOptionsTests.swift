import MachineLink
import Testing

@testable import ballmachine

struct MachineOptionsTests {
  /// Elsewhere nobody has said how it would be started.
  @Test(arguments: [("system", true), ("session", false), ("unix:path=/run/other", false)])
  func bluetoothdMayBeStartedOnlyOnTheSystemBus(bus: String, may: Bool) {
    var options = MachineOptions()
    options.bus = bus
    #expect(options.configuration.startsService == may)
  }
}
