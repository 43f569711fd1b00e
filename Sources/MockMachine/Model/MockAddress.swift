import Host

/// A Bluetooth device address, upper case as BlueZ writes it: `F0:F1:F2:F3:F4:F5`.
package struct MockAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let string: String

  /// - Parameter text: six pairs of hexadecimal digits with colons, in either case.
  package init?(_ text: String) {
    let octets = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard octets.count == 6 else { return nil }
    for octet in octets {
      guard octet.count == 2, octet.allSatisfy(\.isHexDigit) else { return nil }
    }
    string = text.uppercased()
  }

  package var description: String { string }

  /// `dev_F0_F1_F2_F3_F4_F5`, the last component of the device object's path.
  var pathComponent: String { "dev_" + joined(by: "_") }

  /// `F0-F1-F2-F3-F4-F5`, which BlueZ shows as the alias of a device without a name.
  var alias: String { joined(by: "-") }

  init?(pathComponent: some StringProtocol) {
    guard pathComponent.hasPrefix("dev_") else { return nil }
    self.init(String(pathComponent.dropFirst(4).map { $0 == "_" ? ":" : $0 }))
  }

  /// Whether this is a private address when it is a random one: the two top bits are 00
  /// (non-resolvable) or 01 (resolvable). Source: Bluetooth Core 5.4, Vol 6, Part B, 1.3.2.
  var hasPrivatePrefix: Bool {
    guard let first = string.utf8.first else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(first)
  }

  package static func < (left: MockAddress, right: MockAddress) -> Bool {
    left.string < right.string
  }

  private func joined(by separator: Character) -> String {
    String(string.map { $0 == ":" ? separator : $0 })
  }
}

extension MockAddress: Encodable {
  package func encode(to encoder: any Encoder) throws { try string.encode(to: encoder) }
}

extension MockAddress: ExpressibleByStringLiteral {
  package init(stringLiteral literal: String) {
    guard let address = MockAddress(literal) else {
      preconditionFailure("\(literal) is not a Bluetooth address")
    }
    self = address
  }
}
