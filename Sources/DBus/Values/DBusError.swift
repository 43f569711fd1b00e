import Host

/// An error of the bus, of the peer, or of this side before anything was sent.
///
/// ``name`` says which: peers send their own (`org.bluez.Error.Failed`), the bus and libdbus use
/// `org.freedesktop.DBus.Error.…`. Compare it with the constants below.
package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
  package var name: String
  /// What happened, for people.
  package var message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  package var description: String {
    message.isEmpty ? name : "\(name): \(message.printable(upTo: 300))"
  }
}

extension DBusError {
  // Failures of this side.

  /// Our own deadline passed. (The bus answers `NoReply` for a peer that left.)
  package static let timeout = "org.freedesktop.DBus.Error.Timeout"
  /// The connection is closed, by us or by the bus.
  package static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
  /// The task that awaited the reply was cancelled. The peer may still act on the call.
  package static let cancelled = "ballmachine.Error.Cancelled"
  /// A value that the protocol does not allow, refused before libdbus sees it.
  package static let invalidArgs = "org.freedesktop.DBus.Error.InvalidArgs"
  /// A name, a signature or a match rule that is longer than the protocol allows; or more calls than
  /// the peer lets wait.
  package static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
  package static let invalidSignature = "org.freedesktop.DBus.Error.InvalidSignature"
  package static let noMemory = "org.freedesktop.DBus.Error.NoMemory"

  // Failures of opening a connection.

  package static let badAddress = "org.freedesktop.DBus.Error.BadAddress"
  package static let noServer = "org.freedesktop.DBus.Error.NoServer"

  // Answers of the bus and of peers.

  package static let failed = "org.freedesktop.DBus.Error.Failed"
  package static let addressInUse = "org.freedesktop.DBus.Error.AddressInUse"
  package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
  package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
  package static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
  package static let propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
}

extension DBusError {
  package static func invalid(_ message: String) -> DBusError {
    DBusError(name: invalidArgs, message: message)
  }

  static func tooLong(_ message: String) -> DBusError {
    DBusError(name: limitsExceeded, message: message)
  }

  static let closed = DBusError(name: disconnected, message: "The connection is closed.")

  static let outOfMemory = DBusError(name: noMemory, message: "libdbus is out of memory.")
}
