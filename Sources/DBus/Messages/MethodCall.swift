/// A call of a method of an object on the bus.
package struct MethodCall: Sendable {
  package var destination: String
  package var path: ObjectPath
  package var interface: String
  package var member: String
  package var arguments: [Value]

  package init(
    destination: String,
    path: ObjectPath,
    interface: String,
    member: String,
    arguments: [Value] = []
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}

/// What a method returned.
package struct Reply: Sendable {
  package var arguments: [Value]
  /// The receipt number on this connection; signals count in the same sequence.
  package var sequence: UInt64
}

/// A signal of an object on the bus.
package struct Signal: Sendable {
  /// The unique name of the connection that sent it, such as `:1.42`.
  package var sender: String
  package var path: ObjectPath
  package var interface: String
  package var member: String
  package var arguments: [Value]
  /// The receipt number on this connection; replies count in the same sequence.
  package var sequence: UInt64

  package init(
    sender: String,
    path: ObjectPath,
    interface: String,
    member: String,
    arguments: [Value],
    sequence: UInt64
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.sequence = sequence
  }
}
