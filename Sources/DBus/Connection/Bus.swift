import CBlueZ

/// The bus itself as a peer.
package enum Bus {
  package static let name = "org.freedesktop.DBus"

  package static func call(_ member: String, _ arguments: [Value] = []) -> MethodCall {
    MethodCall(
      destination: name,
      path: ObjectPath(known: "/org/freedesktop/DBus"),
      interface: name,
      member: member,
      arguments: arguments
    )
  }

  /// The machine's ID, which the bus and all its clients here share: 32 hexadecimal digits.
  ///
  /// - Throws: ``DBusError/failed`` where this system has none.
  package static func machineID() throws(DBusError) -> String {
    var failure = CDBusError()
    dbus_error_init(&failure)
    defer { dbus_error_free(&failure) }
    guard let id = dbus_try_get_local_machine_id(&failure) else {
      let reason = failure.message.map { String(cString: $0) } ?? ""
      throw DBusError(name: DBusError.failed, message: reason)
    }
    defer { dbus_free(id) }
    return String(cString: id)
  }
}
