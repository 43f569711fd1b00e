/// What the machine is told in one write: 18 ASCII digits, `UUUUULLLLLPPPPYYYY`.
///
/// Upper and lower motor speed have five digits, pitch and yaw four, all in the machine's own raw
/// units. A value of this type always has exactly 18 digits.
package struct MachineCommand: Hashable, Sendable {
  /// The parts of a command, in their order.
  package enum Field: String, CaseIterable, Hashable, Sendable {
    case upperMotor = "upper motor"
    case lowerMotor = "lower motor"
    case pitch
    case yaw

    /// What fits into the field's digits.
    package var range: ClosedRange<Int> {
      switch self {
      case .upperMotor, .lowerMotor: 0...99_999
      case .pitch, .yaw: 0...9_999
      }
    }

    /// The power of ten at which the field stands.
    fileprivate var scale: UInt64 {
      switch self {
      case .upperMotor: 10_000_000_000_000
      case .lowerMotor: 100_000_000
      case .pitch: 10_000
      case .yaw: 1
      }
    }
  }

  /// The digits of a command.
  package static let length = 18

  /// All zeros: the machine's stop command. That a real machine stops on it is not verified.
  package static let stop = MachineCommand(number: 0)

  /// The digits read as one number: 18 of them fit into 60 bits.
  private let number: UInt64

  private init(number: UInt64) {
    self.number = number
  }

  /// Reads 18 ASCII digits; signs, spaces and other scripts' digits are refused.
  package init(digits: String) throws(MachineCommandError) {
    var number: UInt64 = 0
    var count = 0
    for character in digits {
      count += 1
      guard let value = Self.value(of: character) else {
        throw .notADigit(character, position: count)
      }
      if count <= Self.length { number = number * 10 + value }
    }
    guard count == Self.length else { throw .wrongLength(count) }
    self.init(number: number)
  }

  /// Builds a command from its fields, each within its ``Field/range``.
  package init(
    upperMotor: Int,
    lowerMotor: Int,
    pitch: Int,
    yaw: Int
  ) throws(MachineCommandError) {
    var number: UInt64 = 0
    for (field, value) in zip(Field.allCases, [upperMotor, lowerMotor, pitch, yaw]) {
      guard field.range.contains(value) else { throw .doesNotFit(field, value: value) }
      number += UInt64(value) * field.scale
    }
    self.init(number: number)
  }

  package subscript(field: Field) -> Int {
    Int(number / field.scale % UInt64(field.range.upperBound + 1))
  }

  package var upperMotor: Int { self[.upperMotor] }
  package var lowerMotor: Int { self[.lowerMotor] }
  package var pitch: Int { self[.pitch] }
  package var yaw: Int { self[.yaw] }

  /// What is written to the machine.
  package var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.length) { buffer, count in
      var rest = number
      for index in (0..<Self.length).reversed() {
        buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      count = Self.length
    }
  }

  /// The same as text.
  package var digits: String { String(decoding: bytes, as: UTF8.self) }

  private static func value(of character: Character) -> UInt64? {
    guard let ascii = character.asciiValue, character != "\r\n",
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(ascii)
    else { return nil }
    return UInt64(ascii - UInt8(ascii: "0"))
  }
}

extension MachineCommand: CustomStringConvertible {
  package var description: String { digits }
}

/// Why something is not a command.
package enum MachineCommandError: Error, Hashable, Sendable {
  /// Only digits, but not 18 of them.
  case wrongLength(Int)
  /// The first character that is not one of 0…9, and its place, counted from 1.
  case notADigit(Character, position: Int)
  case doesNotFit(MachineCommand.Field, value: Int)
}

extension MachineCommandError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .wrongLength(let count):
      "a command has exactly \(MachineCommand.length) digits, not \(count)"
    case .notADigit(let character, let position):
      "character \(position) is \(character.named): a command has"
        + " \(MachineCommand.length) digits 0 to 9 and nothing else"
    case .doesNotFit(let field, let value):
      "\(field.rawValue) \(value) is outside \(field.range.lowerBound) to \(field.range.upperBound)"
    }
  }
}

extension Character {
  /// The character for an error message: invisible and foreign ones by their code point.
  package var named: String {
    if self == " " { return "a space" }
    if let ascii = asciiValue, (0x21...0x7E).contains(ascii), unicodeScalars.count == 1 {
      return "“\(self)”"
    }
    let codes = unicodeScalars.prefix(3).map { scalar in
      let hex = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }.joined(separator: " ")
    return isLetter || isNumber || isSymbol ? "“\(self)” (\(codes))" : codes
  }
}
