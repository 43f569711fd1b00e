package import DBus
package import Host

/// The meaning of a failed call to BlueZ. Known error names and texts are mapped here, only here.
///
/// BlueZ's texts are not API: the name is matched first, the exact text second, and an unknown
/// error stays ``Kind/other``.
/// Source: BlueZ 5.66 src/error.c, src/error.h, src/device.c, src/adapter.c, src/gatt-client.c.
package struct BlueZError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The bus itself is gone.
    case busLost
    /// The bus says that no answer comes: bluetoothd died during the call, or is there and gave none.
    /// The call may have been carried out.
    case noReply
    /// `org.bluez` has no owner.
    case serviceAbsent
    /// The object, or its interface, does not exist (any more).
    case objectGone
    /// Our deadline passed; the call may still be carried out.
    case timedOut
    /// The caller gave up the call.
    case cancelled
    /// The adapter is not powered.
    case notReady
    /// The adapter is blocked by rfkill.
    case blocked
    /// Another power change is pending.
    case busy
    /// The same operation is pending, ours or another client's.
    case inProgress
    /// Another process of this box has claimed the device, which was not asked for anything.
    case heldElsewhere(by: MachineHolder)
    /// The device is not connected.
    case notConnected
    /// Another program holds the characteristic through `AcquireWrite`.
    case acquired
    /// The peer answered with this ATT error, or BlueZ says that it did.
    case attribute(UInt8)
    /// bluetoothd could not send the request.
    case notInitiated
    /// BlueZ or the bus does not let this user do it.
    case notPermitted
    /// BlueZ refuses the arguments.
    case invalidArguments
    /// BlueZ, the adapter or the device can't do it.
    case notSupported
    /// Nothing distinguishes the others, such as a connection that failed on the radio link.
    case other
  }

  package let kind: Kind
  /// The D-Bus error name, for logs.
  package let name: String
  /// The text that came with it.
  package let message: String

  package init(kind: Kind, name: String, message: String) {
    self.kind = kind
    self.name = name
    self.message = message
  }

  package init(_ error: DBusError) {
    // libdbus ends some texts with a line break.
    let message = error.message.trimmingLineBreaks
    self.init(
      kind: Self.kind(name: error.name, message: message),
      name: error.name,
      message: message
    )
  }

  private static func kind(name: String, message: String) -> Kind {
    if let suffix = name.suffix(after: "org.bluez.Error.") {
      return blueZKind(name: suffix, message: message)
    }
    return switch name {
    case DBusError.disconnected: .busLost
    case DBusError.timeout: .timedOut
    case DBusError.cancelled: .cancelled
    case "org.freedesktop.DBus.Error.NoReply": .noReply
    case "org.freedesktop.DBus.Error.ServiceUnknown",
      "org.freedesktop.DBus.Error.NameHasNoOwner":
      .serviceAbsent
    case "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod",
      "org.freedesktop.DBus.Error.UnknownInterface":
      .objectGone
    case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed":
      .notPermitted
    case "org.freedesktop.DBus.Error.InvalidArgs", "org.freedesktop.DBus.Error.InvalidSignature":
      .invalidArguments
    default: .other
    }
  }

  private static func blueZKind(name: String, message: String) -> Kind {
    switch name {
    case "Failed": failedKind(message: message)
    case "InProgress": .inProgress
    case "NotReady": .notReady
    case "Blocked": .blocked
    case "Busy": .busy
    case "NotConnected": .notConnected
    case "DoesNotExist": .objectGone
    case "NotPermitted":
      switch message {
      case "Write acquired", "Notify acquired": .acquired
      case "Read not permitted": .attribute(0x02)
      // The texts of ATT 0x03 and of the security errors 0x05, 0x0c, 0x0f.
      case "Not paired": .attribute(0x05)
      default: .attribute(0x03)
      }
    case "NotAuthorized": .attribute(0x08)
    case "InvalidOffset": .attribute(0x07)
    case "InvalidValueLength": .attribute(0x0d)
    case "InvalidArguments":
      switch message {
      case "Invalid Length": .attribute(0x0d)
      case "Invalid offset": .attribute(0x07)
      default: .invalidArguments
      }
    case "NotSupported", "NotAvailable": .notSupported
    default: .other
    }
  }

  private static func failedKind(message: String) -> Kind {
    switch message {
    case "Operation already in progress": .inProgress
    case "Not connected": .notConnected
    case "No ATT transport", "Failed to initiate write": .notInitiated
    default:
      message.suffix(after: "Operation failed with ATT error: 0x")
        .flatMap { UInt8($0, radix: 16) }.map(Kind.attribute) ?? .other
    }
  }
}

extension BlueZError {
  /// Whether it says something of the adapter that was called, rather than of bus, bluetoothd or this user's
  /// rights, or that it is only not done yet.
  package var isAboutAdapter: Bool {
    switch kind {
    case .busLost, .noReply, .serviceAbsent, .objectGone, .cancelled, .busy, .inProgress,
      .notPermitted:
      false
    default: true
    }
  }
}

extension BlueZError: CustomStringConvertible {
  /// For people: a message may quote what another program or a device has given.
  package var description: String {
    message.isEmpty ? name : "\(name): \(message.printable(upTo: 300))"
  }
}

extension String {
  fileprivate func suffix(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }

  fileprivate var trimmingLineBreaks: String {
    var text = Substring(self)
    while let last = text.last, last.isNewline { text.removeLast() }
    return String(text)
  }
}
