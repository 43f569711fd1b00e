import DBus

/// A device in the room as it is now, whatever bluetoothd thinks of it.
struct Machine: Hashable, Sendable {
  var peripheral: MockPeripheral
  /// Switched on and near.
  var isPresent: Bool
  /// The machine's one link; it does not advertise while that lasts.
  var link: DeviceID?
  /// Whether the machine pauses after a link.
  var isPausing = false
  /// Whether its table changed without a signal that says so.
  var hidesTable = false
  var received: [MockWrite] = []
  var values: [UInt16: [UInt8]] = [:]
  var garbage: Garbage?

  var isAdvertising: Bool { isPresent && link == nil && !isPausing }
}

struct Adapter: Hashable, Sendable {
  var address: MockAddress
  var roles: [String]
  var isDualMode: Bool
  var isPowered: Bool
  /// The pending Set Powered and its value.
  var powerChange: PowerChange?
  var isDiscovering = false
  /// The discovery sessions, by the client's unique bus name.
  var clients: [String: DiscoveryClient] = [:]

  struct PowerChange: Hashable, Sendable {
    var call: Call?
    var isOn: Bool
  }
}

/// A client's discovery session, or the filter that it set in advance.
struct DiscoveryClient: Hashable, Sendable {
  enum State: Hashable, Sendable {
    case filterOnly
    case starting(Call)
    case active
    case stopping(Call)
  }

  var state: State
  var filter: DiscoveryFilter?

  var isScanning: Bool {
    switch state {
    case .filterOnly, .starting: false
    case .active, .stopping: true
    }
  }
}

/// A device object.
struct Device: Hashable, Sendable {
  var addressType: MockPeripheral.AddressType
  var name: String?
  var alias: String?
  var advertisedUUIDs: [MockUUID]
  var resolvedUUIDs: [MockUUID] = []
  /// Whether its last link ended before its services were resolved, and BlueZ believes that they
  /// are: those advertised count no longer.
  var ignoresAdvertisedUUIDs = false
  var manufacturerData: [UInt16: [UInt8]] = [:]
  var rssi: Int16?
  var isConnectable = true
  var isPaired = false
  var isTrusted = false
  /// Vanishes when it isn't seen for a while.
  var isTemporary = true
  /// `Connected` as D-Bus shows it.
  var isConnected = false
  var isResolved = false
  var attempt: ConnectAttempt?
  var link: Link?
  /// Calls of Disconnect and RemoveDevice that await the end of the link.
  var endings: [Ending] = []
  /// The GATT objects on D-Bus: BlueZ's cache.
  var exported: MockGATTTable?
  /// Services of it whose objects are still to come.
  var late: [MockGATTTable.Service] = []
  /// Clients that called StartNotify, by characteristic.
  var notifySessions: [UInt16: Set<String>] = [:]
  /// The characteristics that are `Notifying`.
  var notifying: Set<UInt16> = []
  var values: [UInt16: [UInt8]] = [:]

  struct Ending: Hashable, Sendable {
    var call: Call
    var removes: Bool
  }

  init(
    addressType: MockPeripheral.AddressType,
    name: String?,
    advertisedUUIDs: [MockUUID] = []
  ) {
    self.addressType = addressType
    self.name = name
    self.advertisedUUIDs = advertisedUUIDs
  }

  var uuids: [MockUUID] {
    var seen: Set<MockUUID> = []
    return (resolvedUUIDs + advertisedUUIDs).filter { seen.insert($0).inserted }
      .sorted { $0.string < $1.string }
  }
}

/// A Connect that was not answered yet.
struct ConnectAttempt: Hashable, Sendable {
  enum End: Hashable, Sendable {
    case linkUp
    /// The machine is not heard.
    case givingUp
    case refusal(DBusError)
    /// The link seems to come up, and `flapped` says that it did.
    case flap(flapped: Bool)
    case lossBeforeReply
    case successWithoutLink
    case silence
  }

  var call: Call
  var startedAt: Duration
  var end: End
}

/// An LE link with its ATT bearer.
struct Link: Hashable, Sendable {
  /// Tells the links of one device apart.
  var generation: Int
  /// Write requests in order; ATT lets one be outstanding.
  var requests: [WriteRequest] = []
  /// The machine no longer hears us.
  var isDead = false
  /// Whether BlueZ itself ends it, because a request was not answered.
  var isClosedByUs = false
  var resolution = Resolution.success

  /// How the discovery of services is going to end.
  enum Resolution: Hashable, Sendable {
    case success, failure, loss, silence
  }
}

struct WriteRequest: Hashable, Sendable {
  var call: Call
  var handle: UInt16
  var value: [UInt8]
  var form: MockWrite.Form
}

/// A Write Command on its way.
struct PendingCommand: Hashable, Sendable {
  var device: DeviceID
  var generation: Int
  var handle: UInt16
  var value: [UInt8]
}

/// A StartNotify that the machine has not answered yet.
struct PendingSubscription: Hashable, Sendable {
  var call: Call
  var device: DeviceID
  var handle: UInt16
  var error: DBusError?
}

/// A notification on its way.
struct PendingNotification: Hashable, Sendable {
  var device: DeviceID
  var generation: Int
  var value: [UInt8]
}

/// What `/var/lib/bluetooth` remembers of a device.
struct StoredDevice: Hashable, Sendable {
  var addressType: MockPeripheral.AddressType
  var name: String?
  var alias: String?
  var uuids: [MockUUID]
  var isPaired: Bool
  var isTrusted: Bool
}
