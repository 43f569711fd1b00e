import CourtLogic
import JSON

/// Draws values of all kinds.
struct JSONGenerator {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// - Parameter levels: how many arrays and objects may be in one another.
  mutating func value(levels: Int) -> JSONValue {
    switch Int.random(in: 0..<(levels > 0 ? 9 : 6), using: &generator) {
    case 0: .null
    case 1: .boolean(.random(using: &generator))
    case 2: .integer(.random(in: .min ... .max, using: &generator))
    case 3: .integer(.random(in: -1000...1000, using: &generator))
    case 4: .number(number())
    case 5: .string(text())
    case 6:
      .array(
        (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
          value(levels: levels - 1)
        }
      )
    default: .object(object(levels: levels - 1))
    }
  }

  private mutating func object(levels: Int) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    for _ in 0..<Int.random(in: 0..<8, using: &generator) {
      members[text()] = value(levels: levels)
    }
    return members
  }

  /// Any finite one, and often one with few digits.
  mutating func number() -> Double {
    if Bool.random(using: &generator) {
      return Double(Int.random(in: -99_999...99_999, using: &generator)) / 1000
    }
    while true {
      let number = Double(bitPattern: .random(in: .min ... .max, using: &generator))
      if number.isFinite { return number }
    }
  }

  mutating func text() -> String {
    let scalars = (0..<Int.random(in: 0..<8, using: &generator)).map { _ -> Unicode.Scalar in
      let limit: UInt32 = [0x30, 0x80, 0x800, 0x11_0000].randomElement(using: &generator) ?? 0x80
      // Not U+0000, which we read nowhere; and there are no surrogates.
      return Unicode.Scalar(.random(in: 1..<limit, using: &generator)) ?? "a"
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
