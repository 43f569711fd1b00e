/// A Bluetooth device address: 48 bits, written `F0:F1:F2:F3:F4:F5`, most significant byte first.
package struct BluetoothAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let value: UInt64

  /// Reads six two-digit hexadecimal groups between colons, in either case.
  ///
  /// - Returns: nil for other text.
  package init?(_ text: String) {
    let groups = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard groups.count == 6 else { return nil }
    var value: UInt64 = 0
    for group in groups {
      // UInt8(_:radix:) would take a sign too.
      guard group.count == 2, group.first != UInt8(ascii: "+"), group.first != UInt8(ascii: "-"),
        let byte = UInt8(String(decoding: group, as: UTF8.self), radix: 16)
      else { return nil }
      value = value << 8 | UInt64(byte)
    }
    self.value = value
  }

  /// Whether a random address with these bits is permanent: the two most significant bits are 11
  /// (static), not 00 or 01 (private, changing every few minutes) or 10 (reserved).
  /// Source: Bluetooth Core 5.4, Vol 6, Part B, 1.3.2.
  package var isStaticIfRandom: Bool { value >> 46 == 0b11 }

  /// Whether all its bits are zero: the controller has no address of its own.
  package var isZero: Bool { value == 0 }

  package var description: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for shift in stride(from: 40, through: 0, by: -8) {
      let byte = Int(value >> UInt64(shift) & 0xff)
      if !text.isEmpty { text.append(UInt8(ascii: ":")) }
      text.append(digits[byte >> 4])
      text.append(digits[byte & 15])
    }
    return String(decoding: text, as: UTF8.self)
  }

  package static func < (left: BluetoothAddress, right: BluetoothAddress) -> Bool {
    left.value < right.value
  }
}

/// Written as its text.
extension BluetoothAddress: Codable {
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let address = BluetoothAddress(try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: value,
        debugDescription: "its address is invalid"
      )
    }
    self = address
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }
}
