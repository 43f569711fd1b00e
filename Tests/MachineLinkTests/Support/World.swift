import BlueZ
import DBus

/// A small, obedient model of what BlueZ shows, from which levels are made.
struct World: Hashable {
  struct Radio: Hashable {
    var path: ObjectPath
    var address: String
    var isPowered = true
    var classOfDevice: UInt32 = 0
    var isDiscovering = false
    var roles = ["central", "peripheral"]
  }

  struct Peer: Hashable {
    var address: String
    var adapter: ObjectPath
    var name: String? = "BallMachine"
    var uuids = ["12345678-1234-1234-1234-123456789abc"]
    var rssi: Int16? = -60
    var isConnected = false
    var isResolved = false
    var isTrusted = false
    var isPaired = false
    var isPublic = false
    /// Service UUID, characteristic UUID, flags.
    var table: [Entry] = [
      Entry(
        service: "12345678-1234-1234-1234-123456789abc",
        characteristic: "abcd1234-1234-1234-1234-abcdef123456",
        flags: ["write"]
      )
    ]
    var showsTable = true

    var path: ObjectPath {
      try! adapter.appending("dev_" + address.replacing(":", with: "_"))
    }
  }

  struct Entry: Hashable {
    var service: String
    var characteristic: String
    var flags: [String]
  }

  /// Whether the mock's marker is among the objects.
  var isSimulated = false
  var isBusConnected = true
  var owner: String? = ":1.1"
  var radios = [Radio(path: "/org/bluez/hci0", address: "AA:BB:CC:DD:EE:01")]
  var peers: [Peer] = []
  var kernel: KernelView?
  private var tree: ObjectTree? = nil
  private var revision: UInt64 = 0

  static let machineAddress = "F0:F1:F2:F3:F4:F5"

  init(peers: [Peer] = [Peer(address: machineAddress, adapter: "/org/bluez/hci0")]) {
    self.peers = peers
  }

  /// The levels that a client would have by now.
  mutating func levels() -> BlueZState {
    revision += 1
    var state = BlueZState()
    state.revision = revision
    state.isBusConnected = isBusConnected
    guard isBusConnected else {
      tree = nil
      return state
    }
    state.owner = owner
    guard owner != nil else {
      tree = nil
      return state
    }
    var tree = tree ?? ObjectTree()
    tree.replace(with: objects)
    self.tree = tree
    state.tree = tree
    state.kernel = kernel
    return state
  }

  private var objects: Value {
    var objects: [Value: Value] = [:]
    for radio in radios {
      objects[.objectPath(radio.path)] = Self.interfaces([
        Interface.adapter: [
          "Address": .string(radio.address), "Powered": .boolean(radio.isPowered),
          "Class": .uint32(radio.classOfDevice), "Discovering": .boolean(radio.isDiscovering),
          "Roles": .strings(radio.roles), "Modalias": .string("usb:v1D6Bp0246d0542"),
        ]
      ])
    }
    if isSimulated {
      objects[.objectPath("/org/bluez")] = Self.interfaces([Interface.simulation: [:]])
    }
    for peer in peers where radios.contains(where: { $0.path == peer.adapter }) {
      add(peer, to: &objects)
    }
    return .dictionary(
      key: .objectPath,
      value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
      objects
    )
  }

  private func add(_ peer: Peer, to objects: inout [Value: Value]) {
    var properties: [String: Value] = [
      "Address": .string(peer.address),
      "AddressType": .string(peer.isPublic ? "public" : "random"),
      "Adapter": .objectPath(peer.adapter),
      "UUIDs": .strings(peer.uuids),
      "Connected": .boolean(peer.isConnected),
      "ServicesResolved": .boolean(peer.isResolved),
      "Trusted": .boolean(peer.isTrusted),
      "Paired": .boolean(peer.isPaired),
    ]
    properties["Name"] = peer.name.map { .string($0) }
    properties["RSSI"] = peer.rssi.map { .int16($0) }
    objects[.objectPath(peer.path)] = Self.interfaces([Interface.device: properties])
    guard peer.isResolved, peer.showsTable else { return }
    for (index, entry) in peer.table.enumerated() {
      let service = try! peer.path.appending("service000\(index)")
      let characteristic = try! service.appending("char000\(index)")
      objects[.objectPath(service)] = Self.interfaces([
        Interface.service: ["UUID": .string(entry.service), "Device": .objectPath(peer.path)]
      ])
      objects[.objectPath(characteristic)] = Self.interfaces([
        Interface.characteristic: [
          "UUID": .string(entry.characteristic), "Service": .objectPath(service),
          "Flags": .strings(entry.flags),
        ]
      ])
    }
  }

  private static func interfaces(_ interfaces: [String: [String: Value]]) -> Value {
    .dictionary(
      key: .string,
      value: .dictionary(key: .string, value: .variant),
      Dictionary(
        uniqueKeysWithValues: interfaces.map { (.string($0.key), .properties($0.value)) }
      )
    )
  }
}
