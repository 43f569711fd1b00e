/// Where an attribute is in a device's GATT table: written `0x0011`.
package struct AttributeHandle: Hashable, Sendable, CustomStringConvertible {
  package let number: UInt16

  /// Reads a number such as `0x0011` or `17`, BlueZ's name for a characteristic, such as `char0011`, or a
  /// path that ends in it.
  ///
  /// - Returns: nil for other text. Four digits are a UUID, and so are `0x1000` and above: no characteristic
  ///   has a UUID below that, and few have such a handle.
  package init?(_ text: String) {
    let last = text.split(separator: "/").last.map(String.init) ?? text
    let number: UInt16? =
      if last.hasPrefix("char") {
        last.utf8.count == 8 ? Self.number(last.dropFirst(4), radix: 16) : nil
      } else if text.hasPrefix("0x") {
        Self.number(text.dropFirst(2), radix: 16).flatMap { $0 < 0x1000 ? $0 : nil }
      } else {
        text.utf8.count == 4 ? nil : Self.number(text[...], radix: 10)
      }
    guard let number, number > 0 else { return nil }
    self.number = number
  }

  private static func number(_ digits: Substring, radix: Int) -> UInt16? {
    // UInt16(_:radix:) would take a sign too.
    guard digits.first != "+", digits.first != "-" else { return nil }
    return UInt16(digits, radix: radix)
  }

  package var description: String {
    let digits = String(number, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
