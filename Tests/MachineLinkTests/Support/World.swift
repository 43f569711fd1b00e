import BlueZ
import DBus
import TestSupport

/// What BlueZ has: a small, obedient model. What a client sees of it is its ``Mirror``'s affair.
struct World: Hashable {
  struct Radio: Hashable {
    let path: ObjectPath
    let address: String
    var isPowered = true
    /// By rfkill: it can't be switched on.
    var isBlocked = false
    var classOfDevice: UInt32 = 0
    var isDiscovering = false
    var roles = ["central", "peripheral"]
  }

  struct Peer: Hashable {
    let address: String
    let adapter: ObjectPath
    let path: ObjectPath
    var name: String?
    var uuids = ["12345678-1234-1234-1234-123456789abc"]
    var rssi: Int16?
    var isConnected = false
    var isResolved = false
    var isTrusted = false
    var isPaired = false
    var isPublic = false
    var table = [Entry.command]
    var showsTable = true

    init(
      address: String,
      adapter: ObjectPath,
      name: String? = "BallMachine",
      rssi: Int16? = -60
    ) {
      self.address = address
      self.adapter = adapter
      self.name = name
      self.rssi = rssi
      path = try! adapter.appending("dev_" + address.replacing(":", with: "_"))
    }
  }

  struct Entry: Hashable {
    var service: String
    var characteristic: String
    var flags: [String]
    var mtu: UInt16?
    var isWriteAcquired = false

    static let command = Entry(
      service: "12345678-1234-1234-1234-123456789abc",
      characteristic: "abcd1234-1234-1234-1234-abcdef123456",
      flags: ["write"]
    )
  }

  /// Whether the mock's marker is among the objects.
  var isSimulated = false
  /// Whether a client can reach it at all.
  var isBusConnected = true
  var owner: String? = ":1.1"
  /// How often bluetoothd was started anew.
  var starts = 0
  var radios = [Radio(path: "/org/bluez/hci0", address: "AA:BB:CC:DD:EE:01")]
  var peers: [Peer]
  var kernel: KernelView?
  /// The machine's present one.
  var address = World.machineAddress

  static let machineAddress = "F0:F1:F2:F3:F4:F5"

  init(peers: [Peer] = [Peer(address: machineAddress, adapter: "/org/bluez/hci0")]) {
    self.peers = peers
  }

  mutating func clearLinks() {
    for index in peers.indices {
      peers[index].isConnected = false
      peers[index].isResolved = false
      peers[index].rssi = nil
    }
  }

  // MARK: As BlueZ tells it

  /// What `GetManagedObjects` replies.
  var objects: Value {
    var objects: [Value: Value] = [:]
    for radio in radios {
      objects[.objectPath(radio.path)] = Self.interfaces([Interface.adapter: radio.properties])
    }
    if isSimulated {
      objects[.objectPath("/org/bluez")] = Self.interfaces([Interface.simulation: [:]])
    }
    for peer in peers where isShown(peer) {
      objects[.objectPath(peer.path)] = Self.interfaces([Interface.device: peer.properties])
      for (path, interface, properties) in peer.attributes {
        objects[.objectPath(path)] = Self.interfaces([interface: properties])
      }
    }
    return .dictionary(
      key: .objectPath,
      value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
      objects
    )
  }

  /// What BlueZ signals when the world was `old` and is this one now.
  func signals(since old: World) -> [Signal] {
    var signals: [Signal] = []
    for radio in old.radios where !radios.contains(where: { $0.path == radio.path }) {
      signals.append(.removed(radio.path, Interface.adapter))
    }
    for radio in radios {
      guard let before = old.radios.first(where: { $0.path == radio.path }) else {
        signals.append(.added(radio.path, Interface.adapter, radio.properties))
        continue
      }
      if before.isPowered != radio.isPowered {
        let powered: [String: Value] = ["Powered": .boolean(radio.isPowered)]
        signals.append(.changed(radio.path, Interface.adapter, powered))
      }
    }
    for peer in old.peers where old.isShown(peer) {
      let now = peers.first { $0.path == peer.path && isShown($0) }
      if !peer.attributes.isEmpty, now.map({ !$0.showsSameAttributes(as: peer) }) ?? true {
        for (path, interface, _) in peer.attributes { signals.append(.removed(path, interface)) }
      }
      if now == nil { signals.append(.removed(peer.path, Interface.device)) }
    }
    for peer in peers where isShown(peer) {
      let before = old.peers.first { $0.path == peer.path && old.isShown($0) }
      if let before {
        if let change = peer.change(since: before) { signals.append(change) }
      } else {
        signals.append(.added(peer.path, Interface.device, peer.properties))
      }
      if before.map({ !peer.showsSameAttributes(as: $0) }) ?? true {
        for (path, interface, properties) in peer.attributes {
          signals.append(.added(path, interface, properties))
        }
      }
    }
    return signals
  }

  private func isShown(_ peer: Peer) -> Bool { radios.contains { $0.path == peer.adapter } }

  static func interfaces(_ interfaces: [String: [String: Value]]) -> Value {
    .dictionary(
      key: .string,
      value: .dictionary(key: .string, value: .variant),
      Dictionary(
        uniqueKeysWithValues: interfaces.map { (.string($0.key), .properties($0.value)) }
      )
    )
  }
}

extension World.Radio {
  fileprivate var properties: [String: Value] {
    [
      "Address": .string(address), "Powered": .boolean(isPowered),
      "Class": .uint32(classOfDevice), "Discovering": .boolean(isDiscovering),
      "Roles": .strings(roles), "Modalias": .string("usb:v1D6Bp0246d0542"),
    ]
  }
}

extension World.Peer {
  fileprivate var properties: [String: Value] {
    var properties: [String: Value] = [
      "Address": .string(address),
      "AddressType": .string(isPublic ? "public" : "random"),
      "Adapter": .objectPath(adapter),
      "UUIDs": .strings(uuids),
      "Connected": .boolean(isConnected),
      "ServicesResolved": .boolean(isResolved),
      "Trusted": .boolean(isTrusted),
      "Paired": .boolean(isPaired),
    ]
    properties["Name"] = name.map { .string($0) }
    properties["RSSI"] = rssi.map { .int16($0) }
    return properties
  }

  /// All that changed, in one signal: BlueZ gathers what happens in one turn of its main loop.
  fileprivate func change(since old: World.Peer) -> Signal? {
    guard self != old else { return nil }
    var changed: [String: Value] = [:]
    if isConnected != old.isConnected { changed["Connected"] = .boolean(isConnected) }
    if isResolved != old.isResolved { changed["ServicesResolved"] = .boolean(isResolved) }
    if isTrusted != old.isTrusted { changed["Trusted"] = .boolean(isTrusted) }
    if isPaired != old.isPaired { changed["Paired"] = .boolean(isPaired) }
    if let rssi, rssi != old.rssi { changed["RSSI"] = .int16(rssi) }
    let gone = rssi == nil && old.rssi != nil ? ["RSSI"] : []
    guard !changed.isEmpty || !gone.isEmpty else { return nil }
    return .changed(path, Interface.device, changed, invalidated: gone)
  }

  fileprivate func showsSameAttributes(as other: World.Peer) -> Bool {
    let isShown = isResolved && showsTable
    return isShown == (other.isResolved && other.showsTable) && (!isShown || table == other.table)
  }

  /// The GATT objects below the device.
  fileprivate var attributes: [(ObjectPath, interface: String, [String: Value])] {
    guard isResolved, showsTable else { return [] }
    return table.enumerated().flatMap { index, entry in
      let service = try! path.appending("service000\(index)")
      let characteristic = try! service.appending("char000\(index)")
      var properties: [String: Value] = [
        "UUID": .string(entry.characteristic), "Service": .objectPath(service),
        "Flags": .strings(entry.flags), "WriteAcquired": .boolean(entry.isWriteAcquired),
      ]
      properties["MTU"] = entry.mtu.map { .uint16($0) }
      return [
        (
          service, Interface.service,
          ["UUID": Value.string(entry.service), "Device": .objectPath(path)]
        ),
        (characteristic, Interface.characteristic, properties),
      ]
    }
  }
}

extension Signal {
  fileprivate static func added(
    _ path: ObjectPath,
    _ interface: String,
    _ properties: [String: Value]
  ) -> Signal {
    objectManager(
      "InterfacesAdded",
      [.objectPath(path), World.interfaces([interface: properties])]
    )
  }

  fileprivate static func removed(_ path: ObjectPath, _ interface: String) -> Signal {
    objectManager("InterfacesRemoved", [.objectPath(path), .strings([interface])])
  }

  fileprivate static func changed(
    _ path: ObjectPath,
    _ interface: String,
    _ properties: [String: Value],
    invalidated: [String] = []
  ) -> Signal {
    Signal(
      sender: "",
      path: path,
      interface: Interface.properties,
      member: "PropertiesChanged",
      arguments: [.string(interface), .properties(properties), .strings(invalidated)],
      sequence: 0
    )
  }

  private static func objectManager(_ member: String, _ arguments: [Value]) -> Signal {
    Signal(
      sender: "",
      path: .root,
      interface: Interface.objectManager,
      member: member,
      arguments: arguments,
      sequence: 0
    )
  }
}
