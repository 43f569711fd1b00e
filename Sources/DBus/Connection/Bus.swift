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
}
