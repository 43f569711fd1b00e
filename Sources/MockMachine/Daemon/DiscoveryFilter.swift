import DBus

/// What a client set with SetDiscoveryFilter (`parse_discovery_filter_dict` in src/adapter.c).
struct DiscoveryFilter: Hashable, Sendable {
  var uuids: Set<MockUUID> = []
  var pattern: String?
  var transport: Transport = .auto

  enum Transport: String, Hashable, Sendable {
    case auto, bredr, le
  }

  /// Whether the pattern is compared with an address in either case.
  private let ignoresCase: Bool

  /// nil when bluetoothd answers InvalidArguments.
  init?(_ properties: [String: Value], of version: MockVersion) {
    ignoresCase = version.ignoresCaseOfAddresses
    guard properties.keys.allSatisfy(version.filterKeys.contains) else { return nil }
    for (key, value) in properties {
      switch (key, value) {
      case ("UUIDs", .array(.string, let values)):
        for value in values {
          guard let uuid = value.string.flatMap(MockUUID.init) else { return nil }
          uuids.insert(uuid)
        }
      // Proximity is checked but not applied: bluetoothd's own check does nothing either.
      case ("RSSI", .int16(-127...20)), ("Pathloss", .uint16(0...137)): break
      case ("Transport", .string(let name)):
        guard let transport = Transport(rawValue: name) else { return nil }
        self.transport = transport
      case ("DuplicateData", .boolean), ("Discoverable", .boolean), ("AutoConnect", .boolean): break
      case ("Pattern", .string(let text)): pattern = text
      default: return nil
      }
    }
    // Only one of the two may be set.
    if properties["RSSI"] != nil, properties["Pathloss"] != nil { return nil }
  }

  /// Whether this client wants a device that advertises so.
  func accepts(_ advertisement: Advertisement) -> Bool {
    transport != .bredr
      && (uuids.isEmpty || !uuids.isDisjoint(with: advertisement.uuids))
      && (pattern.map { advertisement.hasPrefix($0, ignoringCase: ignoresCase) } ?? true)
  }
}

/// What an adapter hears of a device.
struct Advertisement: Hashable, Sendable {
  var address: MockAddress
  var addressType: MockPeripheral.AddressType
  var name: String?
  var uuids: [MockUUID]
  var manufacturerData: [UInt16: [UInt8]]
  var rssi: Int16
  var isConnectable: Bool

  /// How a filter's Pattern is compared: a prefix of the address, upper case, or of the name.
  ///
  /// - Parameter ignoringCase: of the address.
  func hasPrefix(_ pattern: String, ignoringCase: Bool) -> Bool {
    address.string.hasPrefix(ignoringCase ? pattern.uppercased() : pattern)
      || name?.hasPrefix(pattern) == true
  }
}
