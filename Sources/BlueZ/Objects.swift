import DBus
import Host

/// A Bluetooth controller as BlueZ shows it (`org.bluez.Adapter1`).
package struct Adapter: Hashable, Sendable {
  package let path: ObjectPath
  package var address: BluetoothAddress
  package var isPowered = false
  /// Whether any program scans on it.
  package var isDiscovering = false
  /// The class of device; zero when BR/EDR is off (`ControllerMode = le`).
  package var classOfDevice: UInt32 = 0
  /// `central`, `peripheral` and more; nil when BlueZ does not say.
  package var roles: Set<String>?
  /// The version of bluetoothd, such as `5.66`, from the identity that it shows to other devices;
  /// nil when main.conf sets another identity.
  package var daemonVersion: String?

  package init(path: ObjectPath, address: BluetoothAddress) {
    self.path = path
    self.address = address
  }

  /// The adapter's present name, such as `hci0`; it may change when it is plugged in again.
  package var name: String { path.lastComponent }

  /// The N of `hciN`.
  package var index: Int? { HostController.index(ofName: name) }
}

/// A remote device as BlueZ shows it (`org.bluez.Device1`).
package struct Device: Hashable, Sendable {
  package enum AddressType: String, Codable, Hashable, Sendable {
    case `public`
    case random
  }

  package let path: ObjectPath
  package var adapter: ObjectPath
  package var address: BluetoothAddress
  package var addressType = AddressType.public
  /// The advertised name; after the first connection, the name read from the device. As it is, for
  /// matching: people read ``title``.
  package var name: String?
  /// The device's advertised services; once resolved, its actual ones.
  package var uuids: Set<BluetoothUUID> = []
  /// What BlueZ shows as the signal strength of the last advertisement; nil when no discovery has heard
  /// it, or when the controller doesn't say. ``strength`` is for people.
  package var rssi: Int16?
  /// Grows when BlueZ signals what only an advertisement brings while no signal strength is shown. Compared
  /// with ``ObjectTree/hearings`` of an earlier moment, it says whether it was heard since.
  package var hearing: UInt64 = 0
  package var isPaired = false
  package var isTrusted = false
  /// Whether a person has told BlueZ to take no connection with it.
  package var isBlocked = false
  package var isConnected = false
  package var areServicesResolved = false
  /// Changes whenever a link to this device has ended, and for each new object of it.
  ///
  /// BlueZ signals levels: a loss and a return may come in one message. A reader that compares the
  /// epoch with its own can't miss its end.
  package var linkEpoch: UInt64
  /// Why the last link ended; nil while there is one, or where BlueZ does not say.
  package var linkEnd: LinkEnd?

  /// Signal strength in dBm; nil when it is not known. 127 is none.
  /// Source: Bluetooth Core 5.4, Vol 4, Part E, 7.7.65.2.
  package var strength: Int16? { rssi == 127 ? nil : rssi }

  package init(
    path: ObjectPath,
    adapter: ObjectPath,
    address: BluetoothAddress,
    linkEpoch: UInt64
  ) {
    self.path = path
    self.adapter = adapter
    self.address = address
    self.linkEpoch = linkEpoch
  }
}

/// A GATT service of a connected device (`org.bluez.GattService1`).
package struct Service: Hashable, Sendable {
  package var device: ObjectPath
  package var uuid: BluetoothUUID
}

/// A GATT characteristic (`org.bluez.GattCharacteristic1`).
package struct Characteristic: Hashable, Sendable {
  /// The operations that the characteristic claims to support.
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Flags(rawValue: 1 << 0)
    package static let write = Flags(rawValue: 1 << 1)
    package static let writeWithoutResponse = Flags(rawValue: 1 << 2)
    package static let notify = Flags(rawValue: 1 << 3)
    package static let indicate = Flags(rawValue: 1 << 4)

    static let names: [(String, Flags)] = [
      ("read", .read), ("write", .write), ("write-without-response", .writeWithoutResponse),
      ("notify", .notify), ("indicate", .indicate),
    ]

    /// Reads BlueZ's names; names that the bridge doesn't use are ignored.
    package init(names: [String]) {
      self = Flags(Self.names.filter { names.contains($0.0) }.map(\.1))
    }

    package var names: [String] { Self.names.filter { contains($0.1) }.map(\.0) }
  }

  package let path: ObjectPath
  package var service: ObjectPath
  package var uuid: BluetoothUUID
  package var flags: Flags
  /// The bytes of an ATT packet with its 3-byte header; nil while the device is not connected.
  package var mtu: UInt16?
  /// Whether a program has exclusive write access (`AcquireWrite`): all other writes fail.
  package var isWriteAcquired = false

  /// The handle of its declaration, which its path ends in: `char0011` is 0x0011.
  /// Source: BlueZ src/gatt-client.c, `characteristic_create`.
  package var handle: AttributeHandle? { AttributeHandle(path.lastComponent) }

  package init(path: ObjectPath, service: ObjectPath, uuid: BluetoothUUID, flags: Flags) {
    self.path = path
    self.service = service
    self.uuid = uuid
    self.flags = flags
  }
}

/// A characteristic together with the service that holds it.
package struct LocatedCharacteristic: Hashable, Sendable {
  package var service: BluetoothUUID
  package var characteristic: Characteristic
}

extension Device {
  /// The device's address and name, for people.
  package var title: String { "\(address) \(name?.printable(upTo: 60) ?? "without a name")" }
}
