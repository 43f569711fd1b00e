import BlueZ
import MachineLink
import TestSupport
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

  /// In words, and with what to do.
  @Test func aRefusalSaysWhyAndWhatToDo() {
    let outcome = WriteOutcome(
      failure: BlueZError("org.bluez.Error.NotPermitted", "Not paired")
    )
    #expect(
      outcome.explanation == "the machine refused it (ATT error 0x05, insufficient authentication: "
        + "the machine wants to be paired)"
    )
    #expect(outcome.remedy?.contains("`bluetoothctl pair ADDRESS`") == true)
  }

  @Test(
    arguments: [
      (WriteOutcome.delivered, true), (.queued, true), (.notSent(.rejected(code: 0x80)), false),
      (.notSent(.refused("no")), false), (.unknown(.timedOut), false), (.unknown(.linkLost), false),
      (.unknown(.failed("no")), false), (.notSent(.linkLost), nil), (.notSent(.superseded), nil),
      (.notSent(.machineInUse), nil), (.unknown(.abandonedForStop), nil), (.unknown(.ended), nil),
      (.unknown(.serviceLost), nil),
    ] as [(WriteOutcome, Bool?)]
  )
  func onlySomeOutcomesSayWhetherTheMachineTakesCommands(outcome: WriteOutcome, wasTaken: Bool?) {
    #expect(outcome.wasTaken == wasTaken)
  }
}
