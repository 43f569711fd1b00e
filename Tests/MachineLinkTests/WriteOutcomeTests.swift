import BlueZ
import MachineLink
import TestSupport
import Testing

@Suite struct WriteOutcomeTests {
  private static let bus = "org.freedesktop.DBus.Error."

  /// Each way in which a write fails: what is known of the command, and whether it counts among the
  /// three in a row after which no ball flies. When in doubt the machine may have it. None of them says
  /// that the link fell: it may stand, and only BlueZ's levels tell.
  @Test(
    arguments: [
      (.failed("Not connected"), .notSent(.noConnection("org.bluez.Error.Failed: Not connected"))),
      (
        .failed("No ATT transport"),
        .notSent(.noConnection("org.bluez.Error.Failed: No ATT transport"))
      ),
      (
        BlueZError("org.bluez.Error.NotConnected", ""),
        .notSent(.noConnection("org.bluez.Error.NotConnected"))
      ),
      (
        BlueZError("org.bluez.Error.NotReady", ""),
        .notSent(.noConnection("org.bluez.Error.NotReady"))
      ),
      (BlueZError(bus + "UnknownObject", ""), .notSent(.noConnection(bus + "UnknownObject"))),
      (BlueZError(bus + "UnknownMethod", ""), .notSent(.noConnection(bus + "UnknownMethod"))),
      (BlueZError(bus + "ServiceUnknown", ""), .notSent(.noConnection(bus + "ServiceUnknown"))),
      (BlueZError("org.bluez.Error.NotPermitted", "Write acquired"), .notSent(.machineInUse)),
      (BlueZError("org.bluez.Error.InProgress", "In Progress"), .notSent(.busy)),
      (.failed("Operation already in progress"), .notSent(.busy)),
      (BlueZError("org.bluez.Error.NotPermitted", "Not paired"), .notSent(.rejected(code: 0x05))),
      (
        BlueZError("org.bluez.Error.NotPermitted", "Write not permitted"),
        .notSent(.rejected(code: 0x03))
      ),
      (
        BlueZError("org.bluez.Error.NotPermitted", "Read not permitted"),
        .notSent(.rejected(code: 0x02))
      ),
      (BlueZError("org.bluez.Error.NotAuthorized", ""), .notSent(.rejected(code: 0x08))),
      (BlueZError("org.bluez.Error.InvalidOffset", ""), .notSent(.rejected(code: 0x07))),
      (BlueZError("org.bluez.Error.InvalidValueLength", ""), .notSent(.rejected(code: 0x0d))),
      (
        BlueZError("org.bluez.Error.InvalidArguments", "Invalid Length"),
        .notSent(.rejected(code: 0x0d))
      ),
      (
        BlueZError("org.bluez.Error.InvalidArguments", ""),
        .notSent(.refused("org.bluez.Error.InvalidArguments"))
      ),
      (
        BlueZError("org.bluez.Error.NotSupported", ""),
        .notSent(.refused("org.bluez.Error.NotSupported"))
      ),
      (BlueZError(bus + "AccessDenied", "no"), .notSent(.refused(bus + "AccessDenied: no"))),
      (BlueZError(bus + "NoReply", ""), .unknown(.noReply)),
      (BlueZError(bus + "Timeout", ""), .unknown(.timedOut)),
      (.failed("Failed"), .unknown(.failed("org.bluez.Error.Failed: Failed"))),
      (.failed("Operation failed with ATT error: 0x0e"), .unknown(.unlikelyError)),
    ] as [(BlueZError, WriteOutcome)]
  )
  func aFailureSaysNoMoreThanIsKnown(failure: BlueZError, outcome: WriteOutcome) {
    #expect(WriteOutcome(failure: failure) == outcome)
    #expect(outcome.wasTaken == false)
    #expect(outcome.explanation?.contains("link was lost") == false)
  }

  /// The bus is gone: that says nothing of the machine.
  @Test func aLostBusDoesNotCount() {
    let outcome = WriteOutcome(failure: BlueZError(Self.bus + "Disconnected", ""))
    #expect(outcome == .unknown(.busLost))
    #expect(outcome.wasTaken == nil)
  }

  /// Whatever code a machine refuses a command with: it didn't take it.
  @Test(arguments: (UInt8.min ... .max).filter { $0 != 0x0e })
  func eachATTErrorIsARefusal(code: UInt8) {
    let hex = (code < 0x10 ? "0" : "") + String(code, radix: 16)
    let outcome = WriteOutcome(failure: .failed("Operation failed with ATT error: 0x\(hex)"))
    #expect(outcome == .notSent(.rejected(code: code)))
    #expect(outcome.wasTaken == false)
    #expect(outcome.remedy != nil)
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
      (.notSent(.machineInUse), false), (.notSent(.busy), false), (.notSent(.expired), nil),
      (.unknown(.abandonedForStop), nil), (.unknown(.ended), nil), (.unknown(.busLost), nil),
    ] as [(WriteOutcome, Bool?)]
  )
  func onlySomeOutcomesSayWhetherTheMachineTakesCommands(outcome: WriteOutcome, wasTaken: Bool?) {
    #expect(outcome.wasTaken == wasTaken)
  }
}
