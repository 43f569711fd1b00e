import Host

/// A Bluetooth UUID. The 16-bit, 32-bit and 128-bit forms are equal when they mean the same.
package struct BluetoothUUID: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  // 00000000-0000-1000-8000-00805f9b34fb. Source: Bluetooth Core 5.3, Vol 3, Part B, 2.5.1.
  private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
  private static let baseLow: UInt64 = 0x8000_0080_5f9b_34fb

  /// The UUID that a 16-bit or 32-bit number stands for.
  package init(short: UInt32) {
    self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow)
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads 4 or 8 hexadecimal digits (with or without `0x`), or the 36 characters of the long form.
  ///
  /// - Returns: nil for other text.
  package init?(_ text: String) {
    var digits = Substring(text).utf8
    if text.hasPrefix("0x") || text.hasPrefix("0X") { digits = digits.dropFirst(2) }
    let isLong = digits.count == 36 && digits.count == text.utf8.count
    guard isLong || digits.count == 4 || digits.count == 8 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (index, byte) in digits.enumerated() {
      if isLong, [8, 13, 18, 23].contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = byte.hexadecimalDigit else { return nil }
        (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(digit))
      }
    }
    if isLong { self.init(high: high, low: low) } else { self.init(short: UInt32(low)) }
  }

  /// The 16-bit or 32-bit number of a UUID that the Bluetooth SIG assigns, nil for all others.
  package var short: UInt32? {
    guard low == Self.baseLow, high & 0xffff_ffff == Self.baseHigh else { return nil }
    return UInt32(high >> 32)
  }

  /// The long form in lower case, as BlueZ writes it.
  package var description: String {
    let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  package static func < (left: BluetoothUUID, right: BluetoothUUID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    rightAligned(String(value, radix: 16), to: 16, with: "0")
  }
}

extension UInt8 {
  /// The value of a hexadecimal ASCII digit; nil for other bytes.
  fileprivate var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
