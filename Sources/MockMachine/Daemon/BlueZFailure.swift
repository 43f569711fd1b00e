import DBus

/// The errors of bluetoothd, to the letter (src/error.c and its callers).
enum BlueZFailure {
  static let notReady = error("NotReady", "Resource Not Ready")
  static let invalidArguments = error("InvalidArguments", "Invalid arguments in method call")
  /// `btd_error_busy`.
  static let busy = error("InProgress", "Operation already in progress")
  /// `btd_error_in_progress`.
  static let inProgress = error("InProgress", "In Progress")
  static let doesNotExist = error("DoesNotExist", "Does Not Exist")
  static let notConnected = error("NotConnected", "Not Connected")
  static let notSupported = error("NotSupported", "Operation is not supported")
  static let invalidLength = error("InvalidArguments", "Invalid Length")
  static let readNotPermitted = error("NotPermitted", "Read not permitted")
  static let writeNotPermitted = error("NotPermitted", "Write not permitted")
  /// What ATT errors 0x05, 0x0c and 0x0f become.
  static let notPaired = error("NotPermitted", "Not paired")
  /// A power change is pending; gdbus fills in no text.
  static let powerBusy = error("Busy", "")
  static let noDiscovery = failed("No discovery started")
  static let noNotifySession = failed("No notify session started")
  static let gattNotConnected = failed("Not connected")
  static let writeNotInitiated = failed("Failed to initiate write")
  static let notAuthorized = error("NotAuthorized", "Operation Not Authorized")
  /// strerror(EALREADY): of 5.66. From 5.81 on ``inProgress``.
  static let connectPending = failed("Operation already in progress")
  /// strerror(EIO).
  static let adapterDown = failed("Input/output error")
  static let abortByLocal = failed("le-connection-abort-by-local")
  static let canceled = failed("br-connection-canceled")
  static let blocked = failed("Failed")

  static func att(_ code: UInt8) -> DBusError {
    failed("Operation failed with ATT error: 0x\(code.hexadecimal)")
  }

  private static func failed(_ message: String) -> DBusError { error("Failed", message) }

  private static func error(_ name: String, _ message: String) -> DBusError {
    DBusError(name: "org.bluez.Error.\(name)", message: message)
  }
}

/// The names of the interfaces.
enum BlueZInterface {
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let service = "org.bluez.GattService1"
  static let characteristic = "org.bluez.GattCharacteristic1"
  static let descriptor = "org.bluez.GattDescriptor1"
  static let bearer = "org.bluez.Bearer.LE1"
  /// Ours: it shows that BlueZ is a mock.
  static let simulation = "io.ballmachine.Simulation1"
}
