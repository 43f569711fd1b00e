/// A key that a person presses.
package enum TerminalKey: Hashable, Sendable {
  case character(Character)
  case enter, escape, backspace
  case up, down, pageUp, pageDown, home, end
}

/// The keys in the bytes of a terminal. Pure.
///
/// Source of the sequences: xterm's ctlseqs, in both modes of the cursor keys. What is no key here is ignored.
package struct KeyDecoder: Hashable, Sendable {
  private static let escape: UInt8 = 0x1B
  /// Longer sequences are none of a key.
  private static let longest = 16

  /// The beginning of a key whose end is still to come.
  private var begun: [UInt8] = []

  package init() {}

  /// Whether the end of a key is still to come. If it doesn't come soon, ``finish()``.
  package var isWaiting: Bool { !begun.isEmpty }

  package mutating func receive(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
    bytes.flatMap { receive($0) }
  }

  /// Nothing more has come: an escape alone is the key of that name.
  package mutating func finish() -> [TerminalKey] {
    defer { begun = [] }
    return begun == [Self.escape] ? [.escape] : []
  }

  private mutating func receive(_ byte: UInt8) -> [TerminalKey] {
    switch begun.first {
    case nil: return begin(byte)
    case Self.escape: return goOn(byte)
    default:
      // Within a character of several bytes.
      guard byte & 0xC0 == 0x80 else {
        begun = []
        return begin(byte)
      }
      begun.append(byte)
      guard begun.count == Self.length(begun[0]) else { return [] }
      defer { begun = [] }
      return String(validating: begun, as: UTF8.self)?.first.map { [.character($0)] } ?? []
    }
  }

  private mutating func begin(_ byte: UInt8) -> [TerminalKey] {
    switch byte {
    case 0x0A, 0x0D: return [.enter]
    case 0x08, 0x7F: return [.backspace]
    case 0x20..<0x7F: return [.character(Character(UnicodeScalar(byte)))]
    case Self.escape, 0xC2...0xF4: begun = [byte]
    default: break
    }
    return []
  }

  private mutating func goOn(_ byte: UInt8) -> [TerminalKey] {
    if begun.count == 1 {
      guard byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") else {
        begun = []
        return [.escape] + begin(byte)
      }
      begun.append(byte)
      return []
    }
    guard 0x40...0x7E ~= byte || begun.count == Self.longest else {
      begun.append(byte)
      return []
    }
    defer { begun = [] }
    // `1;5` says that Ctrl was down.
    let number = begun.dropFirst(2).prefix { $0 != UInt8(ascii: ";") }
    return Self.key(byte, String(decoding: number, as: UTF8.self)).map { [$0] } ?? []
  }

  private static func key(_ end: UInt8, _ number: String) -> TerminalKey? {
    switch (UnicodeScalar(end), number) {
    case ("A", _): .up
    case ("B", _): .down
    case ("H", _), ("~", "1"), ("~", "7"): .home
    case ("F", _), ("~", "4"), ("~", "8"): .end
    case ("~", "5"): .pageUp
    case ("~", "6"): .pageDown
    default: nil
    }
  }

  /// - Parameter first: the first byte of a character in UTF-8.
  private static func length(_ first: UInt8) -> Int {
    first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
  }
}
