import MockMachine
import TestSupport
import Testing

@testable import Host

/// How systemd is asked: over D-Bus, by properties, here of a fake one on a bus of its own.
@Suite(.mustEnd)
struct SystemdUnitTests {
  @Test func itsPropertiesAreRead() async throws {
    try await FakeSystemd.with("bluetooth_2eservice") { bus in
      // Busy as the box may be.
      let timeout = Duration.seconds(30)
      let unit = await SystemdUnit.named("bluetooth.service", on: bus.address, timeout: timeout)
      #expect(unit == SystemdUnit(restart: "on-failure", restarts: 7))
      #expect(await SystemdUnit.named("other.service", on: bus.address, timeout: timeout) == nil)
    }
  }

  @Test func withoutSystemdNothingIsKnown() async throws {
    let bus = try PrivateBus.start()
    #expect(await SystemdUnit.named("bluetooth.service", on: bus.address) == nil)
    #expect(await SystemdUnit.named("bluetooth.service", on: "unix:path=/proc/none") == nil)
  }
}
