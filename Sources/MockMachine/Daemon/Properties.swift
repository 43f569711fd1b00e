import DBus

extension Daemon {
  /// What bluetoothd shows of an adapter.
  func properties(ofAdapter name: String) -> [String: Value] {
    guard let adapter = adapters[name] else { return [:] }
    var properties: [String: Value] = [
      "Address": .string(adapter.address.string),
      "AddressType": .string("public"),
      "Name": .string("mock"),
      "Alias": .string("mock"),
      // With BR/EDR enabled this is a desktop computer. Source: Assigned Numbers 2.8.
      "Class": .uint32(adapter.isDualMode ? 0x00_0104 : 0),
      "Powered": .boolean(adapter.isPowered),
      "Discoverable": .boolean(false),
      "DiscoverableTimeout": .uint32(180),
      "Pairable": .boolean(false),
      "PairableTimeout": .uint32(0),
      "Discovering": .boolean(adapter.isDiscovering),
      "UUIDs": .strings([]),
      "Modalias": .string(version.modalias),
      "Roles": .strings(adapter.roles),
    ]
    if version.showsMore {
      properties["Connectable"] = .boolean(false)
      // This manufacturer is none that is assigned; the version is Bluetooth 5.0. Source: Assigned
      // Numbers 2.1 and 7.
      properties["Manufacturer"] = .uint16(65535)
      properties["Version"] = .byte(9)
      properties["PowerState"] = .string(powerState(of: name, isOn: adapter.isPowered))
    }
    return properties
  }

  func powerState(of name: String, isOn: Bool) -> String {
    isOn ? "on" : blocked.contains(name) ? "off-blocked" : "off"
  }

  func properties(of id: DeviceID, _ device: Device) -> [String: Value] {
    var properties: [String: Value] = [
      "Address": .string(id.address.string),
      "AddressType": .string(device.addressType.rawValue),
      "Alias": .string(alias(of: id, device)),
      "Paired": .boolean(device.isPaired),
      "Bonded": .boolean(device.isPaired),
      "Trusted": .boolean(device.isTrusted),
      "Blocked": .boolean(false),
      "LegacyPairing": .boolean(false),
      "Connected": .boolean(device.isConnected),
      "ServicesResolved": .boolean(device.isResolved),
      "UUIDs": uuids(device),
      "Adapter": .objectPath(.adapter(id.adapter)),
    ]
    properties["Name"] = device.name.map(Value.string)
    properties["RSSI"] = device.rssi.map(Value.int16)
    // LE General Discoverable, no BR/EDR.
    if version.showsMore { properties["AdvertisingFlags"] = .bytes([0x06]) }
    if version.hasBearers { properties["CablePairing"] = .boolean(false) }
    if !device.manufacturerData.isEmpty {
      properties["ManufacturerData"] = manufacturerData(device)
    }
    return properties
  }

  /// The alias that a client set, else the name, else the address with dashes.
  func alias(of id: DeviceID, _ device: Device) -> String {
    device.alias ?? device.name ?? id.address.alias
  }

  func uuids(_ device: Device) -> Value { .strings(device.uuids.map(\.string)) }

  func manufacturerData(_ device: Device) -> Value {
    let entries = device.manufacturerData.map { company, data in
      (Value.uint16(company), Value.variant(.bytes(data)))
    }
    return .dictionary(
      key: .uint16,
      value: .variant,
      Dictionary(uniqueKeysWithValues: entries)
    )
  }

  func properties(of service: MockGATTTable.Service, _ id: DeviceID) -> [String: Value] {
    withHandle(
      service.handle,
      [
        "UUID": .string(service.uuid.string),
        "Device": .objectPath(id.path),
        "Primary": .boolean(true),
        "Includes": .array(of: .objectPath, []),
      ]
    )
  }

  func properties(
    of characteristic: MockGATTTable.Characteristic,
    in service: MockGATTTable.Service,
    _ id: DeviceID
  ) -> [String: Value] {
    var properties: [String: Value] = [
      "UUID": .string(characteristic.uuid.string),
      "Service": .objectPath(id.path(service)),
      "Flags": .strings(characteristic.shownFlags),
    ]
    if characteristic.flags.contains("write-without-response") {
      properties["WriteAcquired"] = .boolean(false)
    }
    if characteristic.canNotify {
      properties["NotifyAcquired"] = .boolean(false)
      let isNotifying = devices[id]?.notifying.contains(characteristic.handle) ?? false
      properties["Notifying"] = .boolean(isNotifying)
    }
    if devices[id]?.link != nil { properties["MTU"] = mtu(of: id.address) }
    properties["Value"] = devices[id]?.values[characteristic.handle].map(Value.bytes)
    return withHandle(characteristic.handle, properties)
  }

  func properties(
    of descriptor: MockGATTTable.Descriptor,
    at path: ObjectPath
  ) -> [String: Value] {
    withHandle(
      descriptor.handle,
      ["UUID": .string(descriptor.uuid.string), "Characteristic": .objectPath(path)]
    )
  }

  private func withHandle(
    _ handle: UInt16,
    _ properties: [String: Value]
  ) -> [String: Value] {
    version.showsMore
      ? properties.merging(["Handle": .uint16(handle)]) { old, _ in old } : properties
  }

  func mtu(of machine: MockAddress) -> Value {
    .uint16(room[machine]?.peripheral.mtu ?? 23)
  }
}
