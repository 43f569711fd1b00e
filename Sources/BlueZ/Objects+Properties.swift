import DBus

// Reads BlueZ's properties. A missing or mistyped property changes nothing.

extension Adapter {
  init?(path: ObjectPath, properties: [String: Value]) {
    guard let address = properties["Address"]?.string.flatMap(BluetoothAddress.init) else {
      return nil
    }
    self.init(path: path, address: address)
    update(with: properties)
  }

  mutating func update(with changed: [String: Value]) {
    if let powered = changed["Powered"]?.bool { isPowered = powered }
    if let discovering = changed["Discovering"]?.bool { isDiscovering = discovering }
    if let number = changed["Class"]?.uint32 { classOfDevice = number }
    if let names = changed["Roles"]?.strings { roles = Set(names) }
    if let text = changed["Modalias"]?.string { daemonVersion = Self.daemonVersion(modalias: text) }
  }

  /// `usb:v1D6Bp0246d0542` is the Linux Foundation's BlueZ, 5.66.
  /// Source: BlueZ src/main.c, parse_did; src/adapter.c, property_get_modalias.
  private static func daemonVersion(modalias: String) -> String? {
    let start = "usb:v1D6Bp0246d"
    let digits = modalias.dropFirst(start.utf8.count)
    guard modalias.hasPrefix(start), digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
      let number = UInt16(digits, radix: 16)
    else { return nil }
    return "\(number >> 8).\(number & 0xff)"
  }
}

extension Device {
  init?(path: ObjectPath, properties: [String: Value], linkEpoch: UInt64) {
    guard let address = properties["Address"]?.string.flatMap(BluetoothAddress.init),
      let adapter = properties["Adapter"]?.objectPath ?? path.parent
    else { return nil }
    self.init(path: path, adapter: adapter, address: address, linkEpoch: linkEpoch)
    update(with: properties, invalidated: [])
  }

  mutating func update(with changed: [String: Value], invalidated: [String]) {
    if let type = changed["AddressType"]?.string.flatMap(AddressType.init) { addressType = type }
    if let text = changed["Name"]?.string { name = text }
    if let texts = changed["UUIDs"]?.strings { uuids = Set(texts.compactMap(BluetoothUUID.init)) }
    if let strength = changed["RSSI"]?.int16 { rssi = strength }
    if let paired = changed["Paired"]?.bool { isPaired = paired }
    if let trusted = changed["Trusted"]?.bool { isTrusted = trusted }
    if let blocked = changed["Blocked"]?.bool { isBlocked = blocked }
    if let connected = changed["Connected"]?.bool {
      if connected, !isConnected { linkEnd = nil }
      isConnected = connected
    }
    if let resolved = changed["ServicesResolved"]?.bool { areServicesResolved = resolved }
    // RSSI vanishes when discovery stops.
    if invalidated.contains("RSSI") { rssi = nil }
    if invalidated.contains("Name") { name = nil }
  }

  /// Whether a change can only come of an advertisement. Of a device that is connected, or has just been,
  /// BlueZ changes the name and the services itself; and what has gone was not heard.
  func wasHeard(since before: Device, by changed: [String: Value]) -> Bool {
    guard !before.isConnected, !isConnected, !before.areServicesResolved else { return false }
    let advertised = [
      "RSSI", "TxPower", "ManufacturerData", "ServiceData", "AdvertisingData", "AdvertisingFlags",
      "Appearance",
    ]
    if advertised.contains(where: { changed[$0] != nil }) { return true }
    return name != before.name && name != nil || uuids.isStrictSuperset(of: before.uuids)
  }

  /// Whether the link of this state has ended in `next`.
  func linkHasEnded(in next: Device) -> Bool {
    isConnected && !next.isConnected || areServicesResolved && !next.areServicesResolved
  }
}

extension Service {
  init?(path: ObjectPath, properties: [String: Value]) {
    guard let uuid = properties["UUID"]?.string.flatMap({ BluetoothUUID($0) }),
      let device = properties["Device"]?.objectPath ?? path.parent
    else { return nil }
    self.init(device: device, uuid: uuid)
  }
}

extension Characteristic {
  init?(path: ObjectPath, properties: [String: Value]) {
    guard let uuid = properties["UUID"]?.string.flatMap({ BluetoothUUID($0) }),
      let service = properties["Service"]?.objectPath ?? path.parent
    else { return nil }
    self.init(path: path, service: service, uuid: uuid, flags: [])
    update(with: properties, invalidated: [])
  }

  mutating func update(with changed: [String: Value], invalidated: [String]) {
    if let names = changed["Flags"]?.strings { flags = Flags(names: names) }
    if let bytes = changed["MTU"]?.uint16 { mtu = bytes }
    if let acquired = changed["WriteAcquired"]?.bool { isWriteAcquired = acquired }
    // The MTU is there only while the device is connected.
    if invalidated.contains("MTU") { mtu = nil }
  }
}
