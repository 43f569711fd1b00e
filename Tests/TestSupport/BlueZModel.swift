package import BlueZ
package import DBus

/// What BlueZ has: a small, obedient model. What a client sees of it is its ``BlueZMirror``'s affair.
package struct BlueZModel: Hashable {
  package struct Radio: Hashable {
    package let path: ObjectPath
    package let address: String
    package var isPowered = true
    /// By rfkill: it can't be switched on.
    package var isBlocked = false
    package var classOfDevice: UInt32 = 0
    package var isDiscovering = false
    package var roles = ["central", "peripheral"]
  }

  package struct Peer: Hashable {
    package let address: String
    package let adapter: ObjectPath
    package let path: ObjectPath
    package var name: String?
    package var uuids = ["12345678-1234-1234-1234-123456789abc"]
    package var rssi: Int16?
    package var isConnected = false
    package var isResolved = false
    package var isTrusted = false
    package var isPaired = false
    package var isBlocked = false
    package var isPublic = false
    /// What `Disconnected` says when this changes, as from 5.83 on.
    package var endReason: String?
    package var table = [Entry.command]
    package var showsTable = true

    package init(
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

  package struct Entry: Hashable {
    package var service: String
    package var characteristic: String
    package var flags: [String]
    package var mtu: UInt16?
    package var isWriteAcquired = false

    package static let command = Entry(
      service: "12345678-1234-1234-1234-123456789abc",
      characteristic: "abcd1234-1234-1234-1234-abcdef123456",
      flags: ["write"]
    )
  }

  /// Whether the mock's marker is among the objects.
  package var isSimulated = false
  /// BlueZ's identity, which has its version; here 5.66.
  package var modalias = "usb:v1D6Bp0246d0542"
  /// Whether a client can reach it at all.
  package var isBusConnected = true
  package var owner: String? = ":1.1"
  /// How often bluetoothd was started again.
  package var starts = 0
  package var radios = [Radio(path: Self.firstAdapter, address: "AA:BB:CC:DD:EE:01")]
  package var peers: [Peer]
  package var kernel: KernelView?
  /// The machine's present one.
  package var address = BlueZModel.machineAddress

  package static let firstAdapter = try! ObjectPath("/org/bluez/hci0")
  package static let secondAdapter = try! ObjectPath("/org/bluez/hci1")
  package static let machineAddress = "F0:F1:F2:F3:F4:F5"

  package init(peers: [Peer] = [Peer(address: machineAddress, adapter: firstAdapter)]) {
    self.peers = peers
  }

  package mutating func clearLinks() {
    for index in peers.indices {
      peers[index].isConnected = false
      peers[index].isResolved = false
      peers[index].rssi = nil
    }
  }

  // MARK: As BlueZ tells it

  /// What `GetManagedObjects` replies.
  package var objects: Value {
    var objects: [Value: Value] = [:]
    for radio in radios {
      objects[.objectPath(radio.path)] = Self.interfaces([
        Interface.adapter: radio.properties(modalias)
      ])
    }
    if isSimulated {
      objects[.objectPath(try! ObjectPath("/org/bluez"))] = Self.interfaces([
        Interface.simulation: [:]
      ])
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

  /// What BlueZ signals when it was `old` and is this one now.
  package func signals(since old: BlueZModel) -> [Signal] {
    var signals: [Signal] = []
    if isSimulated != old.isSimulated {
      let path = try! ObjectPath("/org/bluez")
      signals.append(
        isSimulated
          ? .added(path, Interface.simulation, [:]) : .removed(path, Interface.simulation)
      )
    }
    for radio in old.radios where !radios.contains(where: { $0.path == radio.path }) {
      signals.append(.removed(radio.path, Interface.adapter))
    }
    for radio in radios {
      guard let before = old.radios.first(where: { $0.path == radio.path }) else {
        signals.append(.added(radio.path, Interface.adapter, radio.properties(modalias)))
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
        if let reason = peer.endReason, reason != before.endReason {
          signals.append(.disconnected(peer.path, reason))
        }
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

  package static func interfaces(_ interfaces: [String: [String: Value]]) -> Value {
    .dictionary(
      key: .string,
      value: .dictionary(key: .string, value: .variant),
      Dictionary(
        uniqueKeysWithValues: interfaces.map { (.string($0.key), .properties($0.value)) }
      )
    )
  }
}

extension BlueZModel.Radio {
  fileprivate func properties(_ modalias: String) -> [String: Value] {
    [
      "Address": .string(address), "Powered": .boolean(isPowered),
      "Class": .uint32(classOfDevice), "Discovering": .boolean(isDiscovering),
      "Roles": .strings(roles), "Modalias": .string(modalias),
    ]
  }
}

extension BlueZModel.Peer {
  fileprivate var properties: [String: Value] {
    var properties: [String: Value] = [
      "Address": .string(address),
      "AddressType": .string(isPublic ? "public" : "random"),
      "Adapter": .objectPath(adapter),
      "UUIDs": .strings(uuids),
      "Connected": .boolean(isConnected),
      "ServicesResolved": .boolean(isResolved),
      "Trusted": .boolean(isTrusted),
      "Paired": .boolean(isPaired), "Blocked": .boolean(isBlocked),
    ]
    properties["Name"] = name.map { .string($0) }
    properties["RSSI"] = rssi.map { .int16($0) }
    return properties
  }

  /// All that changed, in one signal: BlueZ gathers what happens in one turn of its main loop.
  fileprivate func change(since old: BlueZModel.Peer) -> Signal? {
    guard self != old else { return nil }
    var changed: [String: Value] = [:]
    if isConnected != old.isConnected { changed["Connected"] = .boolean(isConnected) }
    if isResolved != old.isResolved { changed["ServicesResolved"] = .boolean(isResolved) }
    if isTrusted != old.isTrusted { changed["Trusted"] = .boolean(isTrusted) }
    if isPaired != old.isPaired { changed["Paired"] = .boolean(isPaired) }
    if isBlocked != old.isBlocked { changed["Blocked"] = .boolean(isBlocked) }
    if let rssi, rssi != old.rssi { changed["RSSI"] = .int16(rssi) }
    let gone = rssi == nil && old.rssi != nil ? ["RSSI"] : []
    guard !changed.isEmpty || !gone.isEmpty else { return nil }
    return .changed(path, Interface.device, changed, invalidated: gone)
  }

  fileprivate func showsSameAttributes(as other: BlueZModel.Peer) -> Bool {
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
      [.objectPath(path), BlueZModel.interfaces([interface: properties])]
    )
  }

  fileprivate static func disconnected(_ path: ObjectPath, _ reason: String) -> Signal {
    Signal(
      sender: "",
      path: path,
      interface: Interface.device,
      member: "Disconnected",
      arguments: [.string(reason), .string("")],
      sequence: 0
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

extension BlueZError {
  package init(_ name: String, _ message: String) {
    self.init(DBusError(name: name, message: message))
  }

  package static func failed(_ message: String) -> BlueZError {
    BlueZError("org.bluez.Error.Failed", message)
  }
}
