import BlueZ
import DBus
import Testing

@Suite struct BlueZErrorTests {
  private static let bluez = "org.bluez.Error."
  private static let bus = "org.freedesktop.DBus.Error."

  /// What bluetoothd 5.66 and the bus really say, and what it means.
  @Test(arguments: [
    (bluez + "Failed", "le-connection-abort-by-local", BlueZError.Kind.other),
    (bluez + "Failed", "br-connection-page-timeout", .other),
    (bluez + "Failed", "br-connection-canceled", .other),
    (bluez + "Failed", "Software caused connection abort", .other),
    (bluez + "Failed", "Operation already in progress", .inProgress),
    (bluez + "InProgress", "In Progress", .inProgress),
    (bluez + "InProgress", "Operation already in progress", .inProgress),
    (bluez + "Failed", "Input/output error", .other),
    (bluez + "NotReady", "Resource Not Ready", .notReady),
    (bluez + "Blocked", "Blocked through rfkill", .blocked),
    (bluez + "Busy", "", .busy),
    (bluez + "Failed", "Not connected", .notConnected),
    (bluez + "NotConnected", "Not Connected", .notConnected),
    (bluez + "Failed", "No ATT transport", .notInitiated),
    (bluez + "Failed", "Failed to initiate write", .notInitiated),
    (bluez + "Failed", "No discovery started", .other),
    (bluez + "Failed", "Operation failed with ATT error: 0x0e", .attribute(0x0e)),
    (bluez + "Failed", "Operation failed with ATT error: 0x80", .attribute(0x80)),
    (bluez + "Failed", "Operation failed with ATT error: 0xzz", .other),
    (bluez + "Failed", "Failed", .other),
    (bluez + "NotPermitted", "Write acquired", .acquired),
    (bluez + "NotPermitted", "Write not permitted", .attribute(0x03)),
    (bluez + "NotPermitted", "Read not permitted", .attribute(0x02)),
    (bluez + "NotPermitted", "Not paired", .attribute(0x05)),
    (bluez + "NotAuthorized", "Operation Not Authorized", .attribute(0x08)),
    (bluez + "InvalidArguments", "Invalid Length", .attribute(0x0d)),
    (bluez + "InvalidArguments", "Invalid arguments in method call", .invalidArguments),
    (bluez + "NotSupported", "Operation is not supported", .notSupported),
    (bluez + "DoesNotExist", "Does Not Exist", .objectGone),
    (bluez + "SomethingNew", "", .other),
    (bus + "UnknownObject", "Method \"Connect\" with signature … doesn't exist\n", .objectGone),
    (bus + "UnknownMethod", "", .objectGone),
    (bus + "NoReply", "Message recipient disconnected from message bus …", .noReply),
    (bus + "ServiceUnknown", "", .serviceAbsent),
    (bus + "NameHasNoOwner", "", .serviceAbsent),
    (bus + "AccessDenied", "", .notPermitted),
    (bus + "Spawn.ChildExited", "", .other),
    (DBusError.disconnected, "", .busLost),
    (DBusError.timeout, "", .timedOut),
    (DBusError.cancelled, "", .cancelled),
  ])
  func eachErrorHasItsMeaning(name: String, message: String, kind: BlueZError.Kind) {
    #expect(BlueZError(DBusError(name: name, message: message)).kind == kind)
  }

  @Test func aLineBreakAtTheEndOfATextIsDropped() {
    let error = BlueZError(DBusError(name: "a.b", message: "gone\n"))
    #expect(error.description == "a.b: gone")
  }
}
