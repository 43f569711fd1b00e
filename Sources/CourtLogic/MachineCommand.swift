/// What the machine is told in one write: the fields of its encoding, each within its range.
///
/// As text it is 18 digits, `UUUUULLLLLPPPPYYYY`, in the machine's raw units, or
/// `upper,lower,pitch,yaw,feed` such as `40,40,20,45,50`, as its encoding has it. All zeros are the
/// stop command, in either.
package struct MachineCommand: Hashable, Sendable {
  /// The parts of a command, in their order.
  package enum Field: String, CaseIterable, Hashable, Sendable {
    case upper
    case lower
    case pitch
    case yaw
    case feed

    /// The field's name for people.
    package var name: String {
      switch self {
      case .upper: "upper motor"
      case .lower: "lower motor"
      case .pitch, .yaw, .feed: rawValue
      }
    }

    /// What the field takes in the encoding of the widest range.
    package var widest: ClosedRange<Int> {
      (self == .feed ? MachineEncoding.framed : .digits).range(of: self)
    }
  }

  /// The digits of a command in the encoding ``MachineEncoding/digits``.
  package static let length = 18

  /// 18 zeros: the stop command. That a real machine stops on it is not verified.
  package static let stop = MachineCommand.stop(in: .digits)

  package let encoding: MachineEncoding
  /// The fields as the digits of one decimal number, which fits into 60 bits.
  private let number: UInt64

  private init(number: UInt64, _ encoding: MachineEncoding) {
    self.number = number
    self.encoding = encoding
  }

  /// The stop command of an encoding: all fields are zero.
  package static func stop(in encoding: MachineEncoding) -> MachineCommand {
    MachineCommand(number: 0, encoding)
  }

  /// Whether all fields are zero.
  package var isStop: Bool { number == 0 }

  /// Reads 18 ASCII digits; signs, spaces and other scripts' digits are refused.
  package init(digits: String) throws(MachineCommandError) {
    var number: UInt64 = 0
    var count = 0
    for character in digits {
      count += 1
      guard let value = character.decimalDigit else {
        throw .notADigit(character, position: count)
      }
      if count <= Self.length { number = number * 10 + UInt64(value) }
    }
    guard count == Self.length else { throw .wrongLength(count) }
    self.init(number: number, .digits)
  }

  /// Reads a command of either encoding: fields where there is a comma, else digits.
  package init(text: String) throws(MachineCommandError) {
    guard text.utf8.contains(UInt8(ascii: ",")) else {
      try self.init(digits: text)
      return
    }
    let fields = MachineEncoding.framed.fields
    let values = text.split(separator: ",", omittingEmptySubsequences: false)
    guard values.count == fields.count else { throw .wrongCount(values.count) }
    try self.init(
      .framed,
      zip(fields, values).map { (field, text) throws(MachineCommandError) in
        try Self.value(of: field, text)
      }
    )
  }

  /// Reads the value of one field: 1 to 5 ASCII digits.
  private static func value(
    of field: Field,
    _ text: Substring
  ) throws(MachineCommandError) -> Int {
    let digits = text.compactMap(\.decimalDigit)
    guard (1...5).contains(digits.count), digits.count == text.count else {
      throw .notANumber(field, String(text.prefix(20)))
    }
    return digits.reduce(0) { $0 * 10 + $1 }
  }

  /// Builds a command from its fields, each within its ``MachineEncoding/range(of:)``.
  ///
  /// - Parameter values: one for each field of the encoding, in their order.
  package init(_ encoding: MachineEncoding, _ values: [Int]) throws(MachineCommandError) {
    guard values.count == encoding.fields.count else { throw .wrongCount(values.count) }
    var number: UInt64 = 0
    for (field, value) in zip(encoding.fields, values) {
      let range = encoding.range(of: field)
      guard range.contains(value) else { throw .doesNotFit(field, value: value, range) }
      number = number * encoding.base(of: field) + UInt64(value)
    }
    self.init(number: number, encoding)
  }

  /// The fields' values in their order.
  package var values: [Int] {
    var rest = number
    return encoding.fields.reversed().map { field in
      let (quotient, value) = rest.quotientAndRemainder(dividingBy: encoding.base(of: field))
      rest = quotient
      return Int(value)
    }.reversed()
  }

  /// Nil if the encoding lacks the field.
  package subscript(field: Field) -> Int? {
    encoding.fields.firstIndex(of: field).map { values[$0] }
  }

  /// The fields with their values, in their order.
  package var fields: [(field: Field, value: Int)] {
    zip(encoding.fields, values).map { ($0, $1) }
  }

  /// The command as people and programs write it.
  package var text: String {
    switch encoding {
    case .framed: values.map(\.description).joined(separator: ",")
    case .digits:
      String(unsafeUninitializedCapacity: Self.length) { buffer in
        var rest = number
        for index in (0..<Self.length).reversed() {
          buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        return Self.length
      }
    }
  }
}

extension MachineCommand: CustomStringConvertible {
  package var description: String { text }
}

/// Why something is not a command.
package enum MachineCommandError: Error, Hashable, Sendable {
  /// Only digits, but not 18 of them.
  case wrongLength(Int)
  /// The first character that is not one of 0…9, and its place, counted from 1.
  case notADigit(Character, position: Int)
  /// So many fields.
  case wrongCount(Int)
  case notANumber(MachineCommand.Field, String)
  case doesNotFit(MachineCommand.Field, value: Int, ClosedRange<Int>)
}

extension MachineCommandError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .wrongLength(let count):
      "a command has exactly \(MachineCommand.length) digits, not \(count)"
    case .notADigit(let character, let position):
      "character \(position) is \(character.named): a command has"
        + " \(MachineCommand.length) digits 0 to 9 and nothing else"
    case .wrongCount(let count):
      "a command has the fields \(MachineEncoding.framed.form), not \(count) of them"
    case .notANumber(let field, let text):
      "\(field.name) “\(text)” is not a whole number"
    case .doesNotFit(let field, let value, let range):
      "\(field.name) \(value) is outside \(range.lowerBound) to \(range.upperBound)"
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

  /// The value of an ASCII digit.
  fileprivate var decimalDigit: Int? {
    guard let ascii = asciiValue, self != "\r\n",
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(ascii)
    else { return nil }
    return Int(ascii - UInt8(ascii: "0"))
  }
}
