import DBus

extension MethodCall {
  /// A call of the bus itself.
  static func bus(_ member: String, _ arguments: [Value] = []) throws -> MethodCall {
    MethodCall(
      destination: "org.freedesktop.DBus",
      path: try ObjectPath("/org/freedesktop/DBus"),
      interface: "org.freedesktop.DBus",
      member: member,
      arguments: arguments
    )
  }
}
