package import DBus

// Arguments of calls to BlueZ.

/// The path of a BlueZ object, for users of this module that don't import DBus.
package typealias ObjectPath = DBus.ObjectPath

/// Which objects to observe.
package enum ObservationScope: Hashable, Sendable {
  case everything
  /// One device, the objects below it, and its adapter: other devices nearby then cost nothing.
  case device(ObjectPath)
}

/// What to scan for.
package struct DiscoveryFilter: Hashable, Sendable {
  /// Advertised services: a device needs one of them; empty for all devices.
  package var uuids: Set<BluetoothUUID>
  /// A prefix of the address or the name.
  package var pattern: String?

  package init(uuids: Set<BluetoothUUID> = [], pattern: String? = nil) {
    self.uuids = uuids
    self.pattern = pattern
  }
}

/// How to write a characteristic.
package enum WriteMode: String, Hashable, Sendable {
  /// ATT Write Request: the peer acknowledges it.
  case request
  /// ATT Write Command: the peer doesn't acknowledge it.
  case command
}
