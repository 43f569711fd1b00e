import Programs
import Testing

@testable import ballmachine

private struct Sample: CommandOptions {
  struct Group {
    var depth = 0
  }

  var number: Double?
  var count = 1
  var name = "none"
  var verbose = false
  var group = Group()
  var first = ""
  var second: String?

  static let usage = Usage<Self>(
    name: "sample",
    summary: "Try everything",
    options: [
      .value("number", short: "n", .number("N", in: -10...10), \.number, "A number"),
      .value("count", .integer("N", in: 0...9), \.count, "A count"),
      .value("name", .text("NAME"), \.name, "A name"),
      .flag("verbose", short: "v", \.verbose, "Say more"),
    ] + [Option<Group>.value("depth", .integer("N", in: 0...9), \.depth, "Depth")].within(\.group),
    arguments: [.required(.text("FIRST"), \.first), .optional(.text("SECOND"), \.second)]
  )

  func validate() throws(UsageError) {
    if verbose, count == 0 { throw UsageError("nothing to be verbose about") }
  }
}

struct ParserTests {
  private func sample(_ arguments: String...) throws(ParserExit) -> Sample {
    try parse(Sample.self, arguments: arguments, mode: .silent).command
  }

  @Test func whatIsNotGivenKeepsItsDefault() throws {
    let sample = try sample("a")
    #expect(sample.first == "a")
    #expect(sample.number == nil && sample.count == 1 && sample.name == "none")
    #expect(!sample.verbose && sample.group.depth == 0 && sample.second == nil)
  }

  @Test func everyFormOfAnOptionIsUnderstood() throws {
    let sample = try sample(
      "a",
      "--number=2.5",
      "--count",
      "3",
      "-v",
      "b",
      "--na",
      "x",
      "--depth=4"
    )
    #expect(sample.number == 2.5)
    #expect(sample.count == 3)
    #expect(sample.name == "x")
    #expect(sample.verbose)
    #expect(sample.group.depth == 4)
    #expect(sample.first == "a" && sample.second == "b")
  }

  @Test func negativeNumbersAreValues() throws {
    #expect(try sample("a", "--number", "-0.3").number == -0.3)
    #expect(try sample("a", "-n", "-0.3").number == -0.3)
    #expect(try sample("a", "-n-0.3").number == -0.3)
    #expect(try sample("a", "--number=-1e1").number == -10)
  }

  @Test func theLastOfEqualOptionsCounts() throws {
    #expect(try sample("--count", "2", "a", "--count", "5").count == 5)
  }

  @Test func behindTwoDashesEverythingIsAnArgument() throws {
    let sample = try sample("--", "--count", "-v")
    #expect(sample.first == "--count" && sample.second == "-v" && !sample.verbose)
  }

  @Test func aDashAloneIsAnArgument() throws {
    #expect(try sample("-").first == "-")
  }

  @Test(arguments: [
    (["a", "--number", "abc"], "--number abc: is not a number"),
    (["a", "--number", "nan"], "--number nan: is not a number"),
    (["a", "--number", "inf"], "--number inf: is not a number"),
    (["a", "--number", "0x10"], "--number 0x10: is not a number"),
    (["a", "--number", "1e999"], "--number 1e999: is not a number"),
    (["a", "--number", "1,5"], "--number 1,5: is not a number"),
    (["a", "--number", "١"], "--number ١: is not a number"),
    (["a", "--number", ""], "--number '': is not a number"),
    (["a", "--number", "10.1"], "--number 10.1: is not between -10 and 10"),
    (["a", "--count", "-1"], "--count -1: is not between 0 and 9"),
    (["a", "--count", "1.5"], "--count 1.5: is not a whole number"),
    (
      ["a", "--count", "99999999999999999999"],
      "--count 99999999999999999999: is not a whole number"
    ),
    (["a", "--name", ""], "--name '': is empty"),
    (["a", "b", "c"], "unexpected argument 'c'"),
    ([], "FIRST is missing"),
    ([""], "FIRST '': is empty"),
    (["a", "-v", "--count", "0"], "nothing to be verbose about"),
  ])
  func whatCannotBeMeantIsSaid(_ arguments: [String], _ message: String) {
    #expect(throws: ParserExit.refused(UsageError(message))) {
      try parse(Sample.self, arguments: arguments, mode: .silent)
    }
  }

  @Test(arguments: [
    ["a", "--unknown"], ["a", "-x"], ["a", "--verbose=1"], ["a", "--count"], ["a", "--n"],
  ])
  func argpRefusesWhatIsNotDeclared(_ arguments: [String]) {
    #expect(throws: ParserExit.self) {
      try parse(Sample.self, arguments: arguments, mode: .silent)
    }
  }

  @Test(arguments: ["--help", "--usage", "--version", "-h", "-?", "-V"])
  func questionsAreAnsweredAtOnce(_ option: String) {
    #expect(throws: ParserExit.answered) {
      try parse(Sample.self, arguments: [option, "--unknown"], mode: .silent)
    }
  }
}
