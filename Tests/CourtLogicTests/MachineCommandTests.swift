import CourtLogic
import TestSupport
import Testing

struct MachineCommandTests {
  @Test func digitsAreFieldsInOrder() throws {
    let command = try MachineCommand(digits: "105001050012002000")
    #expect(command.upperMotor == 10_500)
    #expect(command.lowerMotor == 10_500)
    #expect(command.pitch == 1_200)
    #expect(command.yaw == 2_000)
    #expect(command.digits == "105001050012002000")
    #expect(command.bytes == Array("105001050012002000".utf8))
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
    let command = try MachineCommand(
      upperMotor: upper,
      lowerMotor: lower,
      pitch: pitch,
      yaw: yaw
    )
    #expect(command.digits == digits)
    #expect(try MachineCommand(digits: digits) == command)
    #expect(MachineCommand.Field.allCases.map { command[$0] } == [upper, lower, pitch, yaw])
  }

  @Test func stopIsAllZeros() throws {
    #expect(MachineCommand.stop.bytes == Array(repeating: 0x30, count: 18))
  }

  @Test func randomCommandsSurviveTheirDigits() throws {
    for seed in seeds() {
      print("MachineCommand: seed \(seed)")
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<2_000 {
        let values = MachineCommand.Field.allCases.map {
          Int.random(in: $0.range, using: &generator)
        }
        let command = try MachineCommand(
          upperMotor: values[0],
          lowerMotor: values[1],
          pitch: values[2],
          yaw: values[3]
        )
        #expect(MachineCommand.Field.allCases.map { command[$0] } == values, "seed \(seed)")
        #expect(try MachineCommand(digits: command.digits) == command, "seed \(seed)")
        #expect(command.bytes.count == 18)
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
      (-1, 0, 0, 0, .doesNotFit(.upperMotor, value: -1)),
      (0, 100_000, 0, 0, .doesNotFit(.lowerMotor, value: 100_000)),
      (0, 0, 10_000, 0, .doesNotFit(.pitch, value: 10_000)),
      (0, 0, 0, Int.max, .doesNotFit(.yaw, value: .max)),
    ] as [(Int, Int, Int, Int, MachineCommandError)]
  )
  func aFieldThatDoesNotFitIsNamed(
    upper: Int,
    lower: Int,
    pitch: Int,
    yaw: Int,
    error: MachineCommandError
  ) {
    #expect(throws: error) {
      try MachineCommand(upperMotor: upper, lowerMotor: lower, pitch: pitch, yaw: yaw)
    }
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
      (.doesNotFit(.pitch, value: 10_000), "pitch 10000 is outside 0 to 9999"),
    ] as [(MachineCommandError, String)]
  )
  func errorsSayWhatIsWrong(error: MachineCommandError, text: String) {
    #expect("\(error)" == text)
  }
}

struct MachineLimitsTests {
  private let limits = MachineLimits(upperMotor: 10_000...12_000, yaw: 2_000...9_500)

  @Test func limitsRefuseAndNeverChange() throws {
    let inside = try MachineCommand(digits: "100000000000002000")
    try limits.check(inside)
    let fast = try MachineCommand(digits: "120010000000002000")
    #expect(
      throws: MachineLimitError(field: .upperMotor, value: 12_001, allowed: 10_000...12_000)
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
}
