package import DBus

// What calls to BlueZ are given.

/// The path of one of BlueZ's objects, for users of this module that need nothing else of D-Bus.
package typealias ObjectPath = DBus.ObjectPath

/// Which objects' changes are wanted.
package enum ObservationScope: Hashable, Sendable {
  case everything
  /// One device, what is below it, and its adapter: a hall full of phones then costs nothing.
  case device(ObjectPath)
}

/// What to scan for.
package struct DiscoveryFilter: Hashable, Sendable {
  /// Advertised services, any of which will do; empty for all devices.
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
  /// ATT Write Command: nobody does.
  case command
}
