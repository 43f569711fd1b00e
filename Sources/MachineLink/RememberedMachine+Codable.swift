import BlueZ

/// A remembered machine as text that outlives the program. What is read is checked: the file may be
/// cut, or written by another program.
extension RememberedMachine: Codable {
  /// The bytes that a name may have. Source: Bluetooth Core 5.4, Vol 3, Part C, 12.1 (Device Name).
  private static let longestName = 248

  private enum Key: CodingKey {
    case address, addressType, name, profile, adapter, simulated
  }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    func checked<Value>(_ key: Key, _ parse: (String) -> Value?) throws -> Value {
      guard let value = parse(try object.decode(String.self, forKey: key)) else {
        throw DecodingError.dataCorruptedError(
          forKey: key,
          in: object,
          debugDescription: "its \(key.stringValue) is invalid"
        )
      }
      return value
    }
    let text: (String) -> String? = {
      $0.isEmpty || $0.utf8.count > Self.longestName ? nil : $0
    }
    self.init(
      address: try checked(.address, BluetoothAddress.init),
      addressType: try checked(.addressType, Device.AddressType.init),
      name: object.contains(.name) ? try checked(.name, text) : nil,
      profile: try checked(.profile, text),
      adapter: try checked(.adapter, BluetoothAddress.init),
      isSimulated: try object.decode(Bool.self, forKey: .simulated)
    )
    guard isLasting else {
      throw DecodingError.dataCorruptedError(
        forKey: .address,
        in: object,
        debugDescription: "its address is a private one"
      )
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(address.description, forKey: .address)
    try object.encode(addressType.rawValue, forKey: .addressType)
    try object.encodeIfPresent(name, forKey: .name)
    try object.encode(profile, forKey: .profile)
    try object.encode(adapter.description, forKey: .adapter)
    try object.encode(isSimulated, forKey: .simulated)
  }
}
