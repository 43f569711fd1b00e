import Configuration
import ControlProtocol
import CourtLogic
import Positions
import Programs
import Testing

@testable import Options
@testable import ballmachine
@testable import ballmachine_mock

/// What the subcommands take, without running them.
struct DeclarationTests {
  private func parsed<Command: CommandOptions>(
    _ type: Command.Type,
    _ line: String
  ) throws(ParserExit) -> Command {
    try parse(type, arguments: line.split(separator: " ").map(String.init), mode: .silent).command
  }

  @Test func jsonIsNoPropertyOfACommand() throws {
    let lines: [([String], Bool)] = [([], false), (["--json"], true), (["--j"], true)]
    for (arguments, isJSON) in lines {
      #expect(try parse(Serve.self, arguments: arguments, mode: .silent).isJSON == isJSON)
    }
    #expect(throws: ParserExit.self) {
      try parse(ShowMetrics.self, arguments: ["--json"], mode: .silent)
    }
  }

  @Test func serveTakesALiveSourceAndAMachine() throws {
    let serve = try parsed(
      Serve.self,
      "--bus unix:path=/run/b --table t.csv --apron 3 --address f0:f1:f2:f3:f4:f5 --name M"
        + " --positions - --arm --duration 2.5 --json"
    )
    #expect(serve.machine.bus == "unix:path=/run/b")
    #expect(serve.machine.address == "F0:F1:F2:F3:F4:F5")
    #expect(serve.machine.name == "M")
    #expect(serve.court.apron == 3)
    #expect(serve.court.tablePath == "t.csv")
    #expect(serve.positions == .standardInput)
    #expect(serve.arm)
    #expect(serve.duration == .seconds(2.5))
  }

  @Test func serveStartsDisarmedOnTheSystemBus() throws {
    let serve = try parsed(Serve.self, "")
    #expect(!serve.arm && serve.positions == nil && serve.duration == nil)
    #expect(serve.machine.bus == nil && serve.court.apron == nil)
  }

  @Test(arguments: [
    ("-", PositionSource.standardInput), ("p.csv", .file("p.csv")),
    ("unix:/run/p.sock", .socket("/run/p.sock")),
  ])
  func positionsComeFromThreeKindsOfSource(_ text: String, _ source: PositionSource) throws {
    #expect(try parsed(Serve.self, "--positions \(text)").positions == source)
  }

  @Test(arguments: [
    "--bus nonsense", "--bus :x", "--address F0:F1:F2:F3:F4",
    "--address F0-F1-F2-F3-F4-F5", "--adapter hci", "--address F0:F1:F2:F3:F4:FG",
    "--positions unix:",
    "--duration abc", "--duration 0", "--duration -1", "--duration nan", "--apron -1",
    "--apron 51", "surplus",
  ])
  func serveRefusesWhatCannotBeMeant(_ line: String) {
    #expect(throws: ParserExit.self) { try parsed(Serve.self, line) }
  }

  @Test(arguments: [
    "tcp:5000", "TCP:box:5000", "http://box/x", "localhost:5000", "192.168.1.5:5000", "[::1]:5000",
  ])
  func positionsComeOverNoNetwork(_ source: String) throws {
    let text = "--positions \(source): \(PositionSettings.noNetwork)"
    #expect(throws: ParserExit.refused(UsageError(text))) {
      try parsed(Serve.self, "--positions \(source)")
    }
  }

  @Test(arguments: ["a:b", "2026-11-22T10:00:00", "./box:5000", "/run/a:1", "p.csv:"])
  func aFileMayHaveAColonInItsName(_ path: String) throws {
    #expect(try parsed(Serve.self, "--positions \(path)").positions == .file(path))
  }

  @Test(arguments: ["1-1", "5"])
  func aZoneHasAnOptionOfItsOwn(_ zone: String) {
    let text = "COMMAND '\(zone)': did you mean --zone \(zone)?"
    #expect(throws: ParserExit.refused(UsageError(text))) { try parsed(Send.self, zone) }
    #expect(throws: ParserExit.refused(UsageError(text))) { try parsed(Explain.self, zone) }
  }

  @Test(arguments: ["5", "--countdown 5"])
  func theCountdownNeedsNoOption(_ line: String) throws {
    #expect(try parsed(Arm.self, line).request == .arm(countdown: .seconds(5), label: nil))
  }

  @Test(arguments: ["10", "--countdown 10"])
  func resumeTakesACountdown(_ line: String) throws {
    #expect(try parsed(Resume.self, line).request == .resume(countdown: .seconds(10)))
  }

  @Test func theOtherSubcommandsTakeWhatTheyNeed() throws {
    let simulate = try parsed(Simulate.self, "--track t.csv --apron 3 --speed 10 --seed 7")
    #expect(simulate.track == "t.csv" && simulate.speed == 10 && simulate.seed == 7)
    #expect(try parsed(Mock.self, "--bus session --script f").script == "f")
    let scan = try parsed(Scan.self, "--all --duration 5")
    #expect(scan.all && scan.duration == .seconds(5))
    let doctor = try parsed(Doctor.self, "--adapter aa:bb:cc:dd:ee:01 --name M --bus session")
    #expect(doctor.machine.adapter == "AA:BB:CC:DD:EE:01" && doctor.machine.bus == "session")
    #expect(try parsed(Scan.self, "--adapter hci0").machine.adapter == "hci0")
    #expect(doctor.machine.name == "M")
    let replay = try parsed(Replay.self, "t.csv --dry-run --apron 3 --json")
    #expect(replay.path == "t.csv" && replay.dryRun && replay.court.apron == 3)
  }

  @Test(arguments: ["--speed 0", "--speed -1", "--speed nan", "--speed 1001", "--seed -1"])
  func simulateRefusesWhatCannotBeMeant(_ line: String) {
    #expect(throws: ParserExit.self) { try parsed(Simulate.self, line) }
  }

  @Test(arguments: [
    ("110001060014004500", "110001060014004500"),
    ("--zone 1-1", "110001060014004500"),
    ("--zone 5", "110001060014004500"),
    ("--upper 11000 --lower 10600 --pitch 1400 --yaw 4500", "110001060014004500"),
    ("--upper 0 --lower 0 --pitch 0 --yaw 0", "000000000000000000"),
  ])
  func sendUnderstandsThreeForms(_ line: String, _ digits: String) throws {
    #expect(
      try parsed(Send.self, line).requestedCommand(from: CommandTableFile.builtIn).text == digits
    )
  }

  @Test(arguments: [
    "", "--zone 1 110001060014004500", "--upper 1", "--upper 1 --lower 1 --pitch 1",
    "--upper 100000 --lower 1 --pitch 1 --yaw 1", "--upper -1 --lower 1 --pitch 1 --yaw 1",
    "11000106001400450", "1100010600140045000", "11000106001400450000", "+11000106001400450",
    "11000106001400450x", "１１０００１０６００１４００４５００", "--zone 16", "--zone 1-4", "--zone +1",
  ])
  func sendRefusesWhatIsNoCommand(_ line: String) {
    #expect(throws: ParserExit.self) { try parsed(Send.self, line) }
  }

  @Test(arguments: [
    "", "--x 1", "--y 1", "--x 1 --y 2 --zone 1", "--zone 1 110001060014004500", "--x 51 --y 1",
    "4.1", "4.1 9.8 --zone 1", "4.1 9.8 7", "--x 1 4.1 9.8", "4.1 --x 1", "51 1", "4.1 y",
    "110001060014004500 9.8", "4.1 110001060014004500", "--u 1 4.1 9.8",
  ])
  func explainWantsExactlyOneQuestion(_ line: String) {
    #expect(throws: ParserExit.self) { try parsed(Explain.self, line) }
  }

  @Test(arguments: ["4.1 9.8", "4.1 --y 9.8", "--y 9.8 4.1", "--x 4.1 --y 9.8"])
  func explainTakesAPositionAsItIsSaid(_ line: String) throws {
    let lines = try parsed(Explain.self, line).explanation().lines
    #expect(lines.prefix(2) == ["position x 4.1 m, y 9.8 m", "zone     3-1 (id 13)"])
  }

  @Test func drillAndLevelWithoutOneShowIt() throws {
    let drill = try parsed(LoadDrill.self, "--simulate")
    #expect(drill.name == nil && !drill.none && drill.service.simulate)
    #expect(try parsed(SetLevel.self, "").level == nil)
  }

  @Test(arguments: ["--level beginner", "--seed 1", "run --none", "--none --level beginner"])
  func drillRefusesWhatCannotBeMeant(_ line: String) {
    #expect(throws: ParserExit.self) { try parsed(LoadDrill.self, line) }
  }

  @Test func sessionsAreOfOnePlace() throws {
    #expect(try parsed(Sessions.self, "--simulate").logs.simulate)
    #expect(try parsed(ShowSession.self, "last --simulate").logs.simulate)
    #expect(throws: ParserExit.self) { try parsed(Sessions.self, "--simulate --logs logs") }
    #expect(throws: ParserExit.self) { try parsed(ShowSession.self, "1 --simulate --logs logs") }
  }
}
