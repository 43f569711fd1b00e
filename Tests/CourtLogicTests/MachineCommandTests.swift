import CourtLogic
import TestSupport
import Testing

struct MachineCommandTests {
  @Test func digitsAreFieldsInOrder() throws {
    let command = try MachineCommand(digits: "105001050012002000")
    #expect(command[.upper] == 10_500)
    #expect(command[.lower] == 10_500)
    #expect(command[.pitch] == 1_200)
    #expect(command[.yaw] == 2_000)
    #expect(command[.feed] == nil)
    #expect(command.text == "105001050012002000")
    #expect("\(command)" == "105001050012002000")
  }

  @Test(
    arguments: [
      (0, 0, 0, 0, "000000000000000000"),
      (1, 2, 3, 4, "000010000200030004"),
      (99_999, 99_999, 9_999, 9_999, "999999999999999999"),
      (12_345, 67_890, 1_234, 5_678, "123456789012345678"),
    ]
  )
  func fieldsKeepTheirLeadingZeros(upper: Int, lower: Int, pitch: Int, yaw: Int, digits: String)
    throws
  {
    let command = try MachineCommand(.digits, [upper, lower, pitch, yaw])
    #expect(command.text == digits)
    #expect(try MachineCommand(digits: digits) == command)
    #expect(try MachineCommand(text: digits) == command)
    #expect(command.values == [upper, lower, pitch, yaw])
  }

  @Test func stopIsAllZeros() throws {
    #expect(MachineCommand.stop.text == String(repeating: "0", count: 18))
    #expect(MachineCommand.stop(in: .framed).text == "0,0,0,0,0")
    for encoding in MachineEncoding.allCases {
      #expect(MachineCommand.stop(in: encoding).isStop)
      for index in encoding.fields.indices {
        var values = encoding.fields.map { _ in 0 }
        values[index] = 1
        #expect(try !MachineCommand(encoding, values).isStop)
      }
    }
  }

  @Test(arguments: MachineEncoding.allCases)
  func randomCommandsSurviveTheirText(encoding: MachineEncoding) throws {
    for seed in seeds() {
      print("MachineCommand: seed \(seed)")
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<2_000 {
        let values = encoding.fields.map {
          Int.random(in: encoding.range(of: $0), using: &generator)
        }
        let command = try MachineCommand(encoding, values)
        #expect(command.values == values, "seed \(seed)")
        #expect(encoding.fields.map { command[$0] } == values, "seed \(seed)")
        #expect(try MachineCommand(text: command.text) == command, "seed \(seed)")
      }
    }
  }

  @Test(
    arguments: [
      ("10500105001200200", .wrongLength(17)),
      ("1050010500120020000", .wrongLength(19)),
      ("10500105001200200000", .wrongLength(20)),
      ("", .wrongLength(0)),
      ("+05001050012002000", .notADigit("+", position: 1)),
      ("10500-050012002000", .notADigit("-", position: 6)),
      ("10500 050012002000", .notADigit(" ", position: 6)),
      ("105001050012002000 ", .notADigit(" ", position: 19)),
      ("105001050012002000\n", .notADigit("\n", position: 19)),
      ("105001050012002000\r\n", .notADigit("\r\n", position: 19)),
      ("10500105001200200\0", .notADigit("\0", position: 18)),
      ("1O5001050012002000", .notADigit("O", position: 2)),
      ("1０5001050012002000", .notADigit("０", position: 2)),
      ("１０５００１０５００１２００２０００", .notADigit("１", position: 1)),
      ("٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠", .notADigit("٠", position: 1)),
      ("0\u{301}00000000000000000", .notADigit("0\u{301}", position: 1)),
      ("1050010500120020²0", .notADigit("²", position: 17)),
    ] as [(String, MachineCommandError)]
  )
  func otherTextIsNoCommand(text: String, error: MachineCommandError) {
    #expect(throws: error) { try MachineCommand(digits: text) }
  }

  @Test(
    arguments: [
      ([-1, 0, 0, 0], .doesNotFit(.upper, value: -1, 0...99_999)),
      ([0, 100_000, 0, 0], .doesNotFit(.lower, value: 100_000, 0...99_999)),
      ([0, 0, 10_000, 0], .doesNotFit(.pitch, value: 10_000, 0...9_999)),
      ([0, 0, 0, Int.max], .doesNotFit(.yaw, value: .max, 0...9_999)),
      ([101, 0, 0, 0, 0], .doesNotFit(.upper, value: 101, 0...100)),
      ([0, 0, 91, 0, 0], .doesNotFit(.pitch, value: 91, 0...90)),
      ([0, 0, 0, 91, 0], .doesNotFit(.yaw, value: 91, 0...90)),
      ([0, 0, 0, 0, 101], .doesNotFit(.feed, value: 101, 0...100)),
    ] as [([Int], MachineCommandError)]
  )
  func aFieldThatDoesNotFitIsNamed(values: [Int], error: MachineCommandError) {
    #expect(throws: error) {
      try MachineCommand(values.count == 4 ? .digits : .framed, values)
    }
  }

  @Test(
    arguments: [
      ("40,40,20,45", "a command has the fields upper,lower,pitch,yaw,feed, not 4 of them"),
      ("40,40,20,45,50,1", "a command has the fields upper,lower,pitch,yaw,feed, not 6 of them"),
      (",", "a command has the fields upper,lower,pitch,yaw,feed, not 2 of them"),
      ("40,40,20,45,", "feed “” is not a whole number"),
      ("40,40,20,-5,50", "yaw “-5” is not a whole number"),
      ("40, 40,20,45,50", "lower motor “ 40” is not a whole number"),
      ("40.0,40,20,45,50", "upper motor “40.0” is not a whole number"),
      ("40,40,２0,45,50", "pitch “２0” is not a whole number"),
      ("101,40,20,45,50", "upper motor 101 is outside 0 to 100"),
      ("999999999999999999999,0,0,0,0", "upper motor “99999999999999999999” is not a whole number"),
    ]
  )
  func fieldsThatCannotBeReadAreNamed(text: String, problem: String) throws {
    let error = #expect(throws: MachineCommandError.self) { try MachineCommand(text: text) }
    #expect("\(try #require(error))" == problem)
  }

  @Test(
    arguments: [
      (.wrongLength(17), "a command has exactly 18 digits, not 17"),
      (
        .notADigit(" ", position: 6),
        "character 6 is a space: a command has 18 digits 0 to 9 and nothing else"
      ),
      (
        .notADigit("-", position: 1),
        "character 1 is “-”: a command has 18 digits 0 to 9 and nothing else"
      ),
      (
        .notADigit("０", position: 2),
        "character 2 is “０” (U+FF10): a command has 18 digits 0 to 9 and nothing else"
      ),
      (
        .notADigit("\r\n", position: 19),
        "character 19 is U+000D U+000A: a command has 18 digits 0 to 9 and nothing else"
      ),
      (.doesNotFit(.pitch, value: 10_000, 0...9_999), "pitch 10000 is outside 0 to 9999"),
    ] as [(MachineCommandError, String)]
  )
  func errorsSayWhatIsWrong(error: MachineCommandError, text: String) {
    #expect("\(error)" == text)
  }
}

struct MachineLimitsTests {
  private let limits = MachineLimits(
    .digits,
    [.upper: 10_000...12_000, .yaw: 2_000...9_500]
  )

  @Test func limitsRefuseAndNeverChange() throws {
    let inside = try MachineCommand(digits: "100000000000002000")
    try limits.check(inside)
    let fast = try MachineCommand(digits: "120010000000002000")
    #expect(
      throws: MachineLimitError.field(.upper, value: 12_001, allowed: 10_000...12_000)
    ) { try limits.check(fast) }
    let yaw = try MachineCommand(digits: "120000000000001999")
    do {
      try limits.check(yaw)
      Issue.record("the yaw passed")
    } catch {
      #expect("\(error)" == "yaw 1999 is outside this machine's limits, 2000 to 9500")
    }
  }

  @Test func stopIsExempt() throws {
    try limits.check(.stop)
    try MachineLimits.widest.check(MachineCommand(digits: "999999999999999999"))
  }

  @Test func aCommandOfAnotherEncodingIsRefused() throws {
    let framed = try MachineCommand(text: "40,40,20,45,50")
    try MachineLimits(.framed).check(framed)
    for (limits, command) in [(MachineLimits.widest, framed), (MachineLimits(.framed), .stop)] {
      #expect(throws: MachineLimitError.encoding(command, limits.encoding)) {
        try limits.check(command)
      }
    }
    #expect(throws: MachineLimitError.field(.feed, value: 50, allowed: 0...49)) {
      try MachineLimits(.framed, [.feed: 0...49]).check(framed)
    }
  }
}

extension MachineLimits {
  init(_ encoding: MachineEncoding, _ ranges: [MachineCommand.Field: ClosedRange<Int>]) {
    self.init(encoding)
    for (field, range) in ranges { fields[field] = range }
  }
}
