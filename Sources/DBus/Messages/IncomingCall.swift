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
