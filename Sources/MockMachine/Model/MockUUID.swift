import Host

/// A Bluetooth UUID in BlueZ's form: 128 bits, lower case.
///
/// `ffe0`, `0000FFE0` and `0000ffe0-0000-1000-8000-00805f9b34fb` are the same UUID.
package struct MockUUID: Hashable, Sendable, CustomStringConvertible {
  package let string: String

  package init?(_ text: String) {
    let text = text.lowercased()
    guard text.utf8.allSatisfy({ $0.isHexDigit || $0 == UInt8(ascii: "-") }) else { return nil }
    switch text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count) {
    case [4]: string = "0000\(text)\(Self.base)"
    case [8]: string = "\(text)\(Self.base)"
    case [8, 4, 4, 4, 12]: string = text
    default: return nil
    }
  }

  package var description: String { string }

  private static let base = "-0000-1000-8000-00805f9b34fb"
}

extension MockUUID: ExpressibleByStringLiteral {
  package init(stringLiteral literal: String) {
    guard let uuid = MockUUID(literal) else { preconditionFailure("\(literal) is not a UUID") }
    self = uuid
  }
}
