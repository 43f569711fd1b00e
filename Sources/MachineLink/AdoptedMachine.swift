package import BlueZ

/// A device of which a person has said that it is our machine.
package struct AdoptedMachine: Hashable, Sendable {
  package var address: BluetoothAddress
  package var addressType: Device.AddressType
  /// What it advertised then.
  package var name: String?
  /// Whether the stack was the mock: it says nothing about real machines, nor they about it.
  package var isSimulated: Bool

  package init(
    address: BluetoothAddress,
    addressType: Device.AddressType,
    name: String?,
    isSimulated: Bool
  ) {
    self.address = address
    self.addressType = addressType
    self.name = name
    self.isSimulated = isSimulated
  }

  /// From text.
  ///
  /// - Parameter addressType: `public` or `random`.
  /// - Returns: nil if the address, or its type, is none.
  package init?(address: String, addressType: String, name: String?, isSimulated: Bool) {
    guard let address = BluetoothAddress(address),
      let type = Device.AddressType(rawValue: addressType)
    else { return nil }
    self.init(address: address, addressType: type, name: name, isSimulated: isSimulated)
  }

  /// Whether it is known by its address. A private address changes every few minutes: such a machine
  /// is known by its name.
  package var isByAddress: Bool {
    BluetoothAddress.isLasting(address, addressType)
  }

  /// Whether later links can tell it from others at all.
  package var isRecognisable: Bool { isByAddress || name != nil }

  /// Whether the device is this machine.
  package func isSame(as device: Device) -> Bool {
    guard !isByAddress else {
      return device.address == address && device.addressType == addressType
    }
    // A device whose address lasts would have been adopted by that.
    return name != nil && device.name == name
      && !BluetoothAddress.isLasting(device.address, device.addressType)
  }

  /// Whether both mean one machine.
  package func isSame(as other: AdoptedMachine) -> Bool {
    guard isSimulated == other.isSimulated, isByAddress == other.isByAddress else { return false }
    return isByAddress ? address == other.address : name == other.name
  }
}

extension AdoptedMachine: Codable {
  private enum CodingKeys: String, CodingKey {
    case address, addressType, name
    case isSimulated = "simulated"
  }
}

extension BluetoothAddress {
  /// Whether a device will still have this address tomorrow. A private one, resolvable or not, changes
  /// every few minutes, and may be another device's then.
  package static func isLasting(_ address: BluetoothAddress, _ type: Device.AddressType) -> Bool {
    type == .public || address.isStaticIfRandom
  }
}

/// What a name begins with, or is, that a ball machine advertises.
package struct NamePattern: Hashable, Sendable {
  private let text: String
  private let isPrefix: Bool

  /// - Parameter text: a name, or what it begins with and `*`.
  /// - Returns: nil for a text that would fit nearly every device: fewer than 3 bytes before the `*`.
  package init?(_ text: String) {
    isPrefix = text.hasSuffix("*")
    self.text = isPrefix ? String(text.dropLast()) : text
    guard self.text.utf8.count >= 3, self.text.utf8.count <= Self.longest,
      !self.text.utf8.contains(UInt8(ascii: "*"))
    else { return nil }
  }

  /// The bytes that a name may have. Source: Bluetooth Core 5.4, Vol 3, Part C, 12.1 (Device Name).
  private static let longest = 248

  package func fits(_ name: String) -> Bool {
    isPrefix ? name.utf8.starts(with: text.utf8) : name == text
  }

  /// What is known of ball machines. The first is the mock's, too; the others are those of a maker whose
  /// own app looks for them.
  package static let known = ["BallMachine*", "TENNIS-PB*", "TENNIS-TB*"].compactMap { Self($0) }
}

extension NamePattern: CustomStringConvertible {
  package var description: String { isPrefix ? text + "*" : text }
}

/// What a device is to us, by all that is known without a link.
package enum Standing: String, Hashable, Sendable, Encodable {
  /// The device is ours: by what was configured, a good link, a person's word, or a known name
  /// together with a service that is typical of machines.
  case certain
  /// The device looks like a ball machine, by its UUIDs or its name alone. Nothing is done to it.
  case perhaps
  case stranger
}

extension LinkConfiguration {
  /// All name patterns that count.
  package var namePatterns: [NamePattern] { NamePattern.known + names }

  /// Whether a person has said that it is our machine.
  package func adopts(_ device: Device, isSimulated: Bool?) -> Bool {
    adopted.contains { $0.isSimulated == isSimulated && $0.isSame(as: device) }
  }

  /// How far the device is known to be ours.
  ///
  /// - Parameter evidence: why it is taken for ours.
  package func trust(
    in device: Device,
    by evidence: MachineIdentity.Evidence,
    isSimulated: Bool?
  ) -> CommandCharacteristic.Trust {
    if adopts(device, isSimulated: isSimulated) { return .adoption }
    return evidence == .standing ? .name : .identity
  }

  /// The first profile whose service the device advertises.
  package func advertisedProfile(of device: Device) -> MachineProfile? {
    profiles.first { $0.service.map(device.uuids.contains) ?? false }
  }

  /// What the device is by itself: by its name, its UUIDs, and a person's word.
  ///
  /// A configured update service is any gadget's still: beside a known name another one must be
  /// advertised.
  package func standing(of device: Device, isSimulated: Bool?) -> Standing {
    if adopts(device, isSimulated: isSimulated) { return .certain }
    let hasKnownName = device.name.map { name in namePatterns.contains { $0.fits(name) } } ?? false
    let advertised = profiles.filter { $0.service.map(device.uuids.contains) ?? false }
    let isTypical = advertised.contains { $0.isTypical && $0.service?.isUpdateService == false }
    if hasKnownName, isTypical { return .certain }
    return hasKnownName || !advertised.isEmpty ? .perhaps : .stranger
  }
}
