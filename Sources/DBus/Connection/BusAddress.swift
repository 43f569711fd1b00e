import Glibc

/// Which bus to connect to.
package enum BusAddress: Hashable, Sendable {
  /// `DBUS_SYSTEM_BUS_ADDRESS`, or the usual socket without it.
  case system
  /// `DBUS_SESSION_BUS_ADDRESS`, or the socket in `XDG_RUNTIME_DIR` without it.
  case session
  /// A D-Bus address such as `unix:path=/run/dbus/system_bus_socket`.
  case address(String)

  /// From the option `--bus system|session|ADDRESS`.
  package init(option: String) {
    switch option {
    case "system": self = .system
    case "session": self = .session
    default: self = .address(option)
    }
  }

  /// The address for libdbus.
  func resolved() throws(DBusError) -> String {
    switch self {
    case .system:
      return environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
    case .session:
      if let address = environment("DBUS_SESSION_BUS_ADDRESS") { return address }
      // The path /run/user/UID needs no escaping in an address.
      if let directory = environment("XDG_RUNTIME_DIR") { return "unix:path=\(directory)/bus" }
      throw DBusError(
        name: DBusError.noServer,
        message: """
          There is no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set.
          """
      )
    case .address(let address):
      guard !address.isEmpty, !address.utf8.contains(0) else {
        throw DBusError(
          name: DBusError.badAddress,
          message: "\(address.debugDescription) is not a D-Bus address."
        )
      }
      return address
    }
  }

  private func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
