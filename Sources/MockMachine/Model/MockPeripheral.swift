/// A Bluetooth device in the room: a ball machine, or a phone.
package struct MockPeripheral: Hashable, Sendable {
  package enum AddressType: String, Hashable, Sendable {
    case `public`, random
  }

  package var address: MockAddress
  package var addressType: AddressType
  /// The name in the advertisement.
  package var name: String?
  /// The name in the GAP service, which replaces ``name`` on D-Bus after a connection.
  package var gapName: String?
  /// The service UUIDs in the advertisement.
  package var advertisedUUIDs: [MockUUID]
  /// The manufacturer's data in the advertisement, by company identifier.
  package var manufacturerData: [UInt16: [UInt8]]
  package var table: MockGATTTable
  /// What it takes for a command, and whether it answers.
  package var encoding: MockEncoding
  /// How a framed machine computes its check byte.
  package var checkByte: MockCheckByte
  package var rssi: Int16
  /// The ATT MTU that the two sides agree on.
  package var mtu: UInt16
  package var isAdvertising: Bool
  package var isConnectable: Bool
  /// BlueZ has bonded with it and trusts it already, so its device object is there from the start.
  package var isPaired: Bool
  package var isTrusted: Bool
  /// The adapters (`hci0`) that can hear it; nil for all.
  package var adapters: Set<String>?

  package init(
    _ address: MockAddress = "F0:F1:F2:F3:F4:F5",
    addressType: AddressType = .random,
    name: String? = nil,
    profile: MockProfile = .ballMachine,
    encoding: MockEncoding = .digits,
    checkByte: MockCheckByte = .modbus,
    advertisedUUIDs: [MockUUID]? = nil,
    rssi: Int16 = -60,
    isPaired: Bool = false,
    isTrusted: Bool = false,
    isAdvertising: Bool = true,
    adapters: Set<String>? = nil
  ) {
    self.address = address
    self.addressType = addressType
    self.name = name ?? profile.defaultName
    self.gapName = self.name
    self.advertisedUUIDs = advertisedUUIDs ?? profile.service.map { [$0] } ?? []
    self.manufacturerData = [:]
    self.table = profile.table(in: encoding)
    self.encoding = encoding
    self.checkByte = checkByte
    self.rssi = rssi
    // A common choice of peripherals: one link-layer packet with data length extension.
    self.mtu = 247
    self.isAdvertising = isAdvertising
    self.isConnectable = true
    self.isPaired = isPaired
    self.isTrusted = isTrusted
    self.adapters = adapters
  }

  /// BlueZ never keeps devices with private addresses (`device.c:device_address_is_private`).
  var hasPrivateAddress: Bool { addressType == .random && address.hasPrivatePrefix }

  func isInRange(of adapter: String) -> Bool {
    adapters?.contains(adapter) ?? true
  }
}
