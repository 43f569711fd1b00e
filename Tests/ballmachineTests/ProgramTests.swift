import Host
import Programs
import TestSupport
import Testing

@testable import ballmachine

/// The built program from outside: what goes to which stream, and how it ends.
struct ProgramTests {
  @Test(arguments: [[], ["--help"], ["help"]])
  func theListOfSubcommandsIsOneLineEach(_ arguments: [String]) async throws {
    let result = try await BuiltProgram.run(arguments)
    #expect(result.code == 0 && result.errors == "")
    for subcommand in BallMachine.subcommands {
      let lines = result.lines.filter { $0.hasPrefix("  \(name(of: subcommand)) ") }
      #expect(lines.count == 1)
      #expect(lines.count(where: { $0.hasSuffix(summary(of: subcommand)) }) == 1)
    }
    for group in BallMachine.groups { #expect(result.lines.contains("\(group.title):")) }
    #expect(result.lines.allSatisfy { $0.count < 80 })
  }

  @Test func everySubcommandHasHelp() async throws {
    for name in BallMachine.subcommands.map({ name(of: $0) }) {
      let behind = try await BuiltProgram.run([name, "--help"])
      let before = try await BuiltProgram.run(["help", name])
      #expect(behind.code == 0 && behind.errors == "")
      #expect(behind.output.hasPrefix("Usage: ballmachine \(name) "))
      #expect(before.output == behind.output)
      #expect(behind.lines.allSatisfy { $0.count < 80 }, "\(behind.output)")
    }
  }

  /// What all subcommands have may stand before the subcommand.
  @Test(arguments: [
    (["--json", "explain", "--zone", "1"], ["explain", "--zone", "1", "--json"]),
    (["--json", "help", "stop"], ["help", "--json", "stop"]), (["--json"], ["help", "--json"]),
    (["--", "explain", "--zone", "1"], ["explain", "--zone", "1"]),
    (["--json", "--", "explain", "--zone", "1"], ["explain", "--zone", "1", "--json"]),
    (["-h"], ["--help"]), (["stop", "-h"], ["stop", "--help"]), (["--json", "-h"], ["--help"]),
  ])
  func theSameIsSaidInAnotherOrder(_ arguments: [String], _ usual: [String]) async throws {
    let result = try await BuiltProgram.run(arguments)
    let wanted = try await BuiltProgram.run(usual)
    #expect(result.code == 0 && result.errors == "" && result.output == wanted.output)
  }

  @Test(arguments: [
    ([], []), (["--forget"], ["run", "--forget"]), (["--for", "a"], ["run", "--for", "a"]),
    (["--json", "--forget"], ["run", "--json", "--forget"]), (["-x", "-h"], ["run", "-x", "-h"]),
    (["--json"], ["help", "--json"]), (["--json", "status"], ["status", "--json"]),
    (["status", "--forget"], ["status", "--forget"]), (["--"], ["run", "--"]),
    (["--help"], ["--help"]), (["--h"], ["--h"]), (["--usage"], ["--usage"]), (["-V"], ["-V"]),
    (["--json", "--vers"], ["--vers"]), (["-?"], ["-?"]), (["--", "status"], ["status"]),
  ])
  func optionsWithoutASubcommandAreTheUsualOnes(_ arguments: [String], _ ordered: [String]) {
    #expect(WithUsual.ordered(arguments) == ordered)
  }

  @Test func withoutAUsualOneOptionsStayTheProgramsOwn() {
    #expect(BallMachine.ordered(["--forget"]) == ["--forget"])
  }

  private enum WithUsual: Program {
    static let name = "test"
    static let summary = "Test"
    static let usual: String? = "run"
    static let groups: [(title: String, members: [any Subcommand.Type])] = []
  }

  @Test(arguments: [
    ("camera", "'ballmachine camera' is a program of its own, which is not installed"),
    (
      "simulate",
      "'ballmachine simulate' needs the program ballmachine-mock, which is not installed"
    ),
    ("mock", "'ballmachine mock' needs the program ballmachine-mock, which is not installed"),
    ("phones", "'ballmachine phones' needs the program ballmachine-web, which is not installed"),
  ])
  func aProgramThatIsNotInstalledIsNamed(word: String, message: String) {
    #expect(BallMachine.unknownSubcommand(word).description == message)
  }

  @Test(arguments: [
    (["--json", "mqtt", "help"], #""name":"status""#), (["help", "mqtt"], "ballmachine mqtt help"),
    (["help", "--json", "mqtt"], #""name":"status""#),
    (["help", "pair-phone"], "ballmachine web pair-phone"),
    (["help", "simulate"], "Usage: ballmachine simulate"),
    (["help", "mock"], "Usage: ballmachine mock"),
    (["--json", "simulate", "--help"], "Usage: ballmachine simulate"),
  ])
  func aProgramBesideThisOneIsRunFromAnyForm(_ arguments: [String], _ text: String) async throws {
    let result = try await BuiltProgram.run(arguments)
    #expect(result.code == 0 && result.output.contains(text), "\(result)")
  }

  @Test func theVersionIsTold() async throws {
    let result = try await BuiltProgram.run(["--version"])
    // tools/release --check sees to the commit of a release.
    #expect(result.output == "ballmachine \(Version.number) (development build)\n")
    #expect(result.code == 0)
  }

  @Test(arguments: [
    (["serve", "--armm"], "Did you mean '--arm'?"),
    (["simulate", "--sped=3"], "Did you mean '--speed'?"),
    (["simulat"], "did you mean 'simulate'?"),
    (["explian"], "did you mean 'explain'?"),
    (["help", "explian"], "did you mean 'explain'?"),
    (["halt"], "did you mean 'stop'? NOTHING was stopped: run `ballmachine stop'."),
    (["STOP"], "did you mean 'stop'? NOTHING was stopped: run `ballmachine stop'."),
    (["Emergency"], "did you mean 'stop'?"),
    (["web", "stop"], "no subcommand 'stop'; NOTHING was stopped: run `ballmachine stop'."),
    (["camera", "halt"], "no subcommand 'halt'; NOTHING was stopped: run `ballmachine stop'."),
    (
      ["mqtt", "halt", "court-1"],
      "did you mean 'stop'? NOTHING was stopped: run `ballmachine mqtt stop COURT'."
    ),
    (["stop", "now"], "NOTHING was stopped: run `ballmachine stop'."),
    (["mqtt", "stop"], "NOTHING was stopped: run `ballmachine mqtt stop COURT'."),
    (["--", "nope"], "there is no subcommand 'nope'"),
    (["camera", "--", "nope"], "'nope'"), (["--"], "a subcommand is missing"),
    (["stpo", "now"], "did you mean 'stop'?"),
    (["STATUS"], "did you mean 'status'?"),
    (["nonsense"], "there is no subcommand 'nonsense'"),
    (["MQTT"], "did you mean 'mqtt'?"),
    (["--nonsense"], "unrecognized option '--nonsense'"),
    (["explain", "--nonsense"], "ballmachine explain: unrecognized option '--nonsense'"),
    (["explain", "--nonsense"], "Try `ballmachine explain --help'"),
    (["explain", "--x"], "requires an argument"),
    (["explain", "--x", "abc"], "ballmachine explain: --x abc: is not a number"),
    (["explain"], "give either a position"),
  ])
  func badUsageGoesToStandardErrorAndEndsWith64(
    _ arguments: [String],
    _ message: String
  ) async throws {
    let result = try await BuiltProgram.run(arguments)
    #expect(result.code == 64)
    #expect(result.output == "")
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test(arguments: [
    (
      ["explain", "--zone", "1", "--table", "/proc/none"], 66,
      "can't open /proc/none: No such file"
    ),
    (["explain", "--zone", "1", "--table", "/"], 66, "can't read /: Is a directory"),
    (
      ["explain", "--zone", "1", "--table", "/dev/zero"], 66,
      "can't read /dev/zero: it is not a regular file"
    ),
    (["explain", "--zone", "1", "--table", "/dev/null"], 65, "/dev/null:1:1: the table ends"),
  ])
  func badFilesAreNamed(_ arguments: [String], _ code: Int32, _ message: String) async throws {
    let result = try await BuiltProgram.run(arguments)
    #expect(result.code == code)
    #expect(result.errors.hasPrefix("ballmachine explain: \(message)"), "\(result.errors)")
  }

  @Test func aReaderThatLeavesEndsTheProgramQuietly() async throws {
    let result = try await BuiltProgram.run(
      ["explain", "--zone", "1"],
      script: #"exec 3> >(:); wait $!; "$@" >&3"#
    )
    #expect(result.code == 0 && result.errors == "")
  }

  @Test func aFullDiskIsAnError() async throws {
    let result = try await BuiltProgram.run(
      ["explain", "--zone", "1"],
      script: #""$@" > /dev/full"#
    )
    #expect(result.code == 74)
    #expect(result.errors.contains("No space left on device"))
  }

  @Test(
    arguments: [["--version"], ["--help"], ["help"], ["explain", "--help"], ["stop", "--usage"]],
    [">/dev/full", ">&-"]
  )
  func anAnswerThatIsLostIsAnError(_ arguments: [String], _ output: String) async throws {
    let result = try await BuiltProgram.run(arguments, script: #""$@" "# + output)
    #expect(result.code == 74, "\(result)")
    #expect(result.errors.contains("can't write to standard output: "), "\(result)")
    let left = try await BuiltProgram.run(arguments, script: #"exec 3> >(:); wait $!; "$@" >&3"#)
    #expect(left.code == 0 && left.errors == "", "\(left)")
  }

  private func summary<Command: CommandOptions>(of type: Command.Type) -> String {
    type.usage.summary
  }

  private func name<Command: CommandOptions>(of type: Command.Type) -> String { type.usage.name }
}
