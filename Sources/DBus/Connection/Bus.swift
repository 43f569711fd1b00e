/// The bus itself as a peer.
enum Bus {
  static let name = "org.freedesktop.DBus"

  static func call(_ member: String, _ arguments: [Value] = []) -> MethodCall {
    MethodCall(
      destination: name,
      path: path,
      interface: name,
      member: member,
      arguments: arguments
    )
  }

  private static let path = {
    guard let path = try? ObjectPath("/org/freedesktop/DBus") else {
      preconditionFailure("a literal object path is valid")
    }
    return path
  }()
}
