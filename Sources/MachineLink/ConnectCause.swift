import BlueZ

/// What BlueZ's texts say of a Connect that failed.
///
/// Source: BlueZ 5.66 to 5.87 src/error.h; src/device.c, `select_conn_bearer`.
enum ConnectCause: Hashable, Sendable {
  /// The connection was tried over classic Bluetooth, which a machine doesn't have.
  case classicBluetooth
  /// The machine or the box has lost the keys of a pairing.
  case keyMissing
  case tooManyConnections
  /// Another program's Connect is pending, or a pairing.
  case underWay
  /// The adapter is down for the kernel.
  case adapterDown
  /// BlueZ says that there is a link, and shows none.
  case linkedAlready

  var reason: String {
    switch self {
    case .classicBluetooth: "BlueZ tried classic Bluetooth, which the machine does not have"
    case .keyMissing: "the machine and this box no longer share the keys of their pairing"
    case .tooManyConnections: "the adapter has no room for another connection"
    case .underWay: "another program is connecting to the machine, or pairing with it"
    case .adapterDown: "the adapter is down"
    case .linkedAlready: "BlueZ believes that the machine is connected already"
    }
  }

  var remedy: String {
    switch self {
    case .classicBluetooth:
      "set `ControllerMode = le` in /etc/bluetooth/main.conf, then run `systemctl restart bluetooth`"
    case .keyMissing: "unpair the machine with `bluetoothctl remove ADDRESS`"
    case .tooManyConnections: "disconnect another device from this box"
    case .underWay: "end that program, such as `bluetoothctl` or a desktop's Bluetooth settings"
    case .adapterDown:
      "unplug the adapter and plug it in again, or run `systemctl restart bluetooth`"
    case .linkedAlready: "run `systemctl restart bluetooth`"
    }
  }
}

extension BlueZError {
  /// Nil where BlueZ's words say nothing: so it is with most failures on the radio.
  var connectCause: ConnectCause? {
    let start = "org.bluez.Error."
    if name.hasPrefix(start + "BREDR.") { return .classicBluetooth }
    switch name.dropFirst(name.hasPrefix(start) ? start.utf8.count : 0) {
    case "AlreadyConnected": return .linkedAlready
    case "NotReady" where !message.hasPrefix("br-"): return .adapterDown
    default: break
    }
    guard let (bearer, detail) = connectDetail else {
      switch message {
      case "Input/output error": return .adapterDown
      default: return kind == .inProgress ? .underWay : nil
      }
    }
    switch detail {
    case "key-missing": return .keyMissing
    case "concurrent-connection-limit": return .tooManyConnections
    case "adapter-not-powered": return .adapterDown
    case "already-connected": return .linkedAlready
    case "busy": return .underWay
    // BlueZ says so of a link over Low Energy as well, which fell before it answered.
    case "canceled", "aborted-by-local", "unknown": return nil
    default: return bearer == "br" ? .classicBluetooth : nil
    }
  }

  /// `br-connection-page-timeout` as `br` and `page-timeout`.
  private var connectDetail: (bearer: String, detail: String)? {
    for bearer in ["br", "le"] {
      let start = bearer + "-connection-"
      if message.hasPrefix(start) { return (bearer, String(message.dropFirst(start.utf8.count))) }
    }
    return nil
  }
}
