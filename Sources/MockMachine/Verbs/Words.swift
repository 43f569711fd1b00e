import DBus

/// The words of one line, taken from the front.
///
/// Words are separated by blanks; one in double quotes may hold blanks, `\"` and `\\`. A `#` outside
/// of quotes starts a comment.
struct Words {
  let line: Int
  private(set) var rest: ArraySlice<String>

  init(_ text: String, line: Int) throws(MockSyntaxError) {
    self.line = line
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var isEscaped = false
    scan: for character in text {
      switch character {
      case _ where isEscaped:
        word?.append(character)
        isEscaped = false
      case "\\" where isQuoted:
        isEscaped = true
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case _ where isQuoted:
        word?.append(character)
      case "#" where word == nil:
        break scan
      case _ where character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      default:
        word = (word ?? "") + String(character)
      }
    }
    guard !isQuoted else {
      throw MockSyntaxError(line: line, message: "a quotation mark is not closed")
    }
    if let word { words.append(word) }
    rest = words[...]
  }

  func error(_ message: String) -> MockSyntaxError { MockSyntaxError(line: line, message: message) }

  mutating func next(_ what: String) throws(MockSyntaxError) -> String {
    guard let word = rest.popFirst() else { throw error("\(what) is missing") }
    return word
  }

  /// Takes the next word, if there is one.
  mutating func option() -> String? { rest.popFirst() }

  /// Takes the next word if it is this one.
  mutating func take(_ word: String) -> Bool {
    guard rest.first == word else { return false }
    rest.removeFirst()
    return true
  }

  mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ what: String
  ) throws(MockSyntaxError) -> Choice where Choice.RawValue == String {
    let word = try next(what)
    guard let choice = Choice(rawValue: word) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("\"\(word)\" is not \(what): one of \(known)")
    }
    return choice
  }

  mutating func address() throws(MockSyntaxError) -> MockAddress {
    let word = try next("an address")
    guard let address = MockAddress(word) else {
      throw error("\"\(word)\" is not an address such as F0:F1:F2:F3:F4:F5")
    }
    return address
  }

  mutating func adapter() throws(MockSyntaxError) -> String {
    let word = try next("an adapter")
    try check(adapter: word)
    return word
  }

  func check(adapter word: String) throws(MockSyntaxError) {
    guard word.hasPrefix("hci"), let index = UInt16(word.dropFirst(3)), word == "hci\(index)" else {
      throw error("\"\(word)\" is not an adapter such as hci0")
    }
  }

  func uuid(_ word: String) throws(MockSyntaxError) -> MockUUID {
    guard let uuid = MockUUID(word) else {
      throw error("\"\(word)\" is not a UUID of 4, 8 or 32 hexadecimal digits")
    }
    return uuid
  }

  mutating func list(_ what: String) throws(MockSyntaxError) -> [String] {
    try next(what).split(separator: ",").map(String.init)
  }

  mutating func bytes() throws(MockSyntaxError) -> [UInt8] {
    let word = try next("the bytes")
    let digits = word.compactMap(\.hexDigitValue)
    guard digits.count == word.count, digits.count.isMultiple(of: 2) else {
      throw error("\"\(word)\" is not a row of bytes such as 5aa582013f")
    }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  mutating func integer(
    _ what: String,
    in range: ClosedRange<Int>
  ) throws(MockSyntaxError) -> Int {
    let word = try next(what)
    guard let number = Int(word), range.contains(number) else {
      throw error(
        "\"\(word)\" is not \(what) from \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return number
  }

  mutating func seconds() throws(MockSyntaxError) -> Duration {
    let word = try next("a number of seconds")
    // A day is longer than any test waits, and keeps the arithmetic away from overflow.
    guard let seconds = Double(word), seconds >= 0, seconds <= 86_400 else {
      throw error("\"\(word)\" is not a number of seconds from 0 to 86400")
    }
    // Rounding to a nanosecond hides the error of the binary fraction, which is far smaller.
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }

  /// `ERROR-NAME MESSAGE`.
  mutating func failure() throws(MockSyntaxError) -> DBusError {
    let name = try next("an error's name")
    guard DBusError.isName(name) else {
      throw error("\"\(name)\" is not an error's name such as org.bluez.Error.Failed")
    }
    return DBusError(name: name, message: try next("the error's message"))
  }

  /// `[[times] N | always]`, once when absent.
  mutating func times() throws(MockSyntaxError) -> MockTimes {
    if take("always") { return .always }
    guard take("times") || rest.first.flatMap({ Int($0) }) != nil else { return .once }
    return .times(try integer("a count", in: 1...1_000_000))
  }

  func end() throws(MockSyntaxError) {
    if let word = rest.first { throw error("\"\(word)\" is not expected here") }
  }
}
