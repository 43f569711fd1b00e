import TestSupport
import BlueZ
import MachineLink
import Testing

@Suite struct WriteOutcomeTests {
  /// Whether a failed write may have reached the machine: when in doubt, it may.
  @Test(arguments: [
    (BlueZError.failed("Not connected"), WriteOutcome.notSent(.linkLost)),
    (.failed("No ATT transport"), .notSent(.linkLost)),
    (BlueZError("org.freedesktop.DBus.Error.UnknownObject", ""), .notSent(.linkLost)),
    (BlueZError("org.bluez.Error.NotPermitted", "Write acquired"), .notSent(.machineInUse)),
    (BlueZError("org.bluez.Error.InProgress", "In Progress"), .notSent(.machineInUse)),
    (
      .failed("Operation failed with ATT error: 0x80"),
      .notSent(.rejected(code: 0x80))
    ),
    (.failed("Operation failed with ATT error: 0x0e"), .unknown(.linkLost)),
    (BlueZError("org.freedesktop.DBus.Error.NoReply", ""), .unknown(.serviceLost)),
    (BlueZError("org.freedesktop.DBus.Error.Disconnected", ""), .unknown(.serviceLost)),
    (BlueZError("org.freedesktop.DBus.Error.Timeout", ""), .unknown(.timedOut)),
    (.failed("Failed"), .unknown(.failed("org.bluez.Error.Failed: Failed"))),
  ])
  func aFailureSaysNoMoreThanIsKnown(failure: BlueZError, outcome: WriteOutcome) {
    #expect(WriteOutcome(failure: failure) == outcome)
  }
}
