import Host

/// Replaces the Bluetooth addresses of other people's devices in text that is given away. Each
/// address gets its own number, so that devices can still be distinguished.
package struct AddressMask: Sendable {
  private static let pairs = 6
  /// Two digits a pair, and a separator between them.
  private static let length = 3 * pairs - 1

  /// The addresses that stay as they are, in capital letters, with colons.
  private let own: Set<String>
  private var numbers: [String: Int] = [:]

  /// - Parameter own: addresses that stay, in capital letters with colons.
  package init(keeping own: Set<String>) {
    self.own = own
  }

  /// The text with other people's addresses as `XX:XX:XX:XX:XX:01`. They keep their colons,
  /// underlines (as in D-Bus paths) or dashes (as in BlueZ's aliases).
  package mutating func masked(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard let separator = Self.separator(ofAddressAt: index, in: bytes) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let found = bytes[index..<index + Self.length]
      result += replacement(for: found, separator)
      index += Self.length
    }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func replacement(for found: ArraySlice<UInt8>, _ separator: UInt8) -> [UInt8] {
    let colons = found.map { $0 == separator ? UInt8(ascii: ":") : $0 }
    let address = String(decoding: colons, as: UTF8.self).uppercased()
    guard !own.contains(address) else { return Array(found) }
    let number = numbers[address] ?? numbers.count + 1
    numbers[address] = number
    let digits = rightAligned("\(number)", to: 2, with: "0")
    let letters = [String](repeating: "XX", count: Self.pairs - 1) + [digits]
    return Array(letters.joined(separator: String(UnicodeScalar(separator))).utf8)
  }

  /// - Returns: nil when no address begins here. An address has no hexadecimal digit beside it.
  private static func separator(ofAddressAt start: Int, in bytes: [UInt8]) -> UInt8? {
    let end = start + length
    guard end <= bytes.count, start == 0 || !bytes[start - 1].isHexDigit,
      end == bytes.count || !bytes[end].isHexDigit
    else { return nil }
    let separator = bytes[start + 2]
    guard [UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(separator) else {
      return nil
    }
    let fits = (0..<length).allSatisfy { offset in
      let byte = bytes[start + offset]
      return offset % 3 == 2 ? byte == separator : byte.isHexDigit
    }
    return fits ? separator : nil
  }
}
