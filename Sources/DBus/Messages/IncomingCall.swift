/// A method call from another connection.
package struct IncomingCall: Sendable {
  /// The unique name of the caller.
  package let sender: String
  package let path: ObjectPath
  package let interface: String?
  package let member: String
  package let arguments: [Value]
  package let serial: UInt32
  package let expectsReply: Bool
}

extension DBusError {
  package static func unknownObject(_ call: IncomingCall) -> DBusError {
    DBusError(name: unknownObject, message: noHandler(call))
  }

  static let tooManyCalls = DBusError(
    name: limitsExceeded,
    message: "Too many calls wait for their answer."
  )

  package static func unknownMethod(_ call: IncomingCall) -> DBusError {
    DBusError(name: unknownMethod, message: noHandler(call))
  }

  /// libdbus's text, line feed included.
  private static func noHandler(_ call: IncomingCall) -> String {
    let signature = Signature(call.arguments.map(\.type))
    return "Method \"\(call.member)\" with signature \"\(signature)\" on interface "
      + "\"\(call.interface ?? "(null)")\" doesn't exist\n"
  }
}
