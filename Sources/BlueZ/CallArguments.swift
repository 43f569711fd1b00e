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
///
/// It asks for as little as can be: each program's filter runs in the one bluetoothd of the box, and what is heard
/// must be looked at here in any case, since another program's scan widens ours.
package enum DiscoveryFilter: Hashable, Sendable {
  /// What advertises over LE and has this prefix of its address or name; nil for all of it.
  case lowEnergy(prefix: String?)
  /// No filter: on most adapters BlueZ then scans for classic Bluetooth by turns.
  case none
}

/// How to write a characteristic.
package enum WriteMode: String, Hashable, Sendable {
  /// ATT Write Request: the peer acknowledges it.
  case request
  /// ATT Write Command: the peer doesn't acknowledge it.
  case command
}
