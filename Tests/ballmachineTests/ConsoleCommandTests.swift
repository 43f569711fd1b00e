import ControlProtocol
import CourtLogic
import Programs
import Testing

@testable import ballmachine

/// What the console's prompt takes.
struct ConsoleCommandTests {
  private static let ball = ControlRequest.ManualCommand.command(
    try! MachineCommand(digits: "110001060014004500")
  )

  @Test(arguments: [
    ("status", ConsoleCommand.request(.status)), ("  stop  ", .stop), ("STOP", .stop),
    ("Stop", .stop), ("stop now", .stop), ("STOP!!!", .stop), ("stop, please", .stop),
    ("quit", .quit), ("exit", .quit), ("disarm", .request(.disarm)),
    ("reload", .request(.reload())), ("reload --empty", .request(.reload(empty: true))),
    ("arm", .request(.arm())), ("arm 5", .request(.arm(countdown: .seconds(5)))),
    ("arm 0", .request(.arm(countdown: .zero))), ("resume", .request(.resume())),
    ("resume 10", .request(.resume(countdown: .seconds(10)))), ("table show", .request(.table)),
    ("table", .request(.table)), ("?", .help),
    ("zone 5", .send(.zone(Zone(id: 5)!))), ("zone 1-1", .send(.zone(Zone(id: 5)!))),
    ("send 110001060014004500", .send(ball)), ("fields 11000 10600 1400 4500", .send(ball)),
    ("send 110001060014004500 # the middle", .send(ball)),
    ("send 000000000000000000", .stop), ("fields 0 0 0 0", .stop),
    ("drills", .request(.drills)), ("drill none", .request(.drill(nil))),
    ("drill", .loaded(.drill)), ("level # which?", .loaded(.level)),
    ("drill run", .request(.drill(.init("run")))),
    ("drill run 7", .request(.drill(.init("run", seed: 7)))),
    ("drill run advanced 7", .request(.drill(.init("run", level: .advanced, seed: 7)))),
    ("level beginner", .request(.level(.beginner))), ("level none", .request(.level(nil))),
  ])
  func aLineIsOneCommand(_ line: String, _ command: ConsoleCommand) throws {
    #expect(try ConsoleCommand(line) == command)
  }

  @Test(arguments: ["", "   ", "# nothing"])
  func anEmptyLineIsNone(_ line: String) throws {
    #expect(try ConsoleCommand(line) == nil)
  }

  @Test(arguments: [
    ("sotp", "did you mean 'stop'? NOTHING was stopped;"),
    ("halt", "did you mean 'stop'? NOTHING was stopped;"),
    ("s", "did you mean 'stop'? NOTHING was stopped;"), ("statu", "did you mean 'status'?;"),
    ("stopp", "did you mean 'stop'? NOTHING was stopped;"), ("arm 61", "is not between 0 and 60"),
    ("arm 3 4", "unexpected '4' after 'arm'"),
    ("zone", "ZONE is missing"), ("zone 16", "ZONE 16: is not a zone"), ("send 11", "COMMAND 11: "),
    ("fields 1 2 3", "yaw is missing"), ("fields 1 2 3 x", "yaw x: is not a whole number"),
    ("repeat 2 3 zone 1", "there is no verb 'repeat': use 'ballmachine send'"),
    ("wait 3", "there is no verb 'wait': use 'ballmachine send'"),
    ("drill run expert", "LEVEL expert: is not one of beginner"),
    ("drill run 7 advanced", "unexpected 'advanced' after 'drill run'"),
    ("drill run -1", "LEVEL -1: is not one of"), ("drill none 7", "unexpected '7' after 'drill'"),
    ("level expert", "LEVEL expert: is not one of beginner"),
    ("table drop", "unexpected 'drop' after 'table'"),
    ("reload --all", "unexpected '--all' after 'reload'"),
  ])
  func whatCannotBeMeantSaysWhatWould(_ line: String, _ text: String) {
    #expect { try ConsoleCommand(line) } throws: { "\($0)".contains(text) }
  }

  @Test(arguments: [
    ("re", ["resume", "reset", "reload"]), ("sto", ["stop"]), ("xyz", []),
    ("zone 1-", ["1-0", "1-1", "1-2", "1-3"]), ("zone 1-1 ", []), ("table ", ["show"]),
    ("drill t", ["three-to-the-backhand", "two-corners"]), ("level a", ["advanced"]),
    ("reload ", ["--empty"]), ("arm ", []),
  ])
  func theLastWordIsCompleted(_ line: String, _ words: [String]) {
    #expect(ConsoleVerb.completions(of: line) == words)
  }

  /// Each entry of the table gives the command, and the line of the help that has its name.
  @Test(
    arguments: [
      ("status", .request(.status)), ("arm", .request(.arm())), ("disarm", .request(.disarm)),
      ("pause", .request(.pause)), ("resume", .request(.resume())), ("stop", .stop),
      ("reset", .request(.reset)), ("drills", .request(.drills)), ("drill", .loaded(.drill)),
      ("level", .loaded(.level)),
      ("zone", nil), ("send", nil), ("fields", nil), ("table", .request(.table)),
      ("reload", .request(.reload())), ("help", .help), ("quit", .quit),
    ] as [(String, ConsoleCommand?)]
  )
  func aLineOfTheHelpBeginsWithWhatIsUnderstood(_ name: String, _ command: ConsoleCommand?) throws {
    #expect(ConsoleVerb.help.count(where: { $0.split(separator: " ").first ?? "" == name }) == 1)
    guard command == nil else { return #expect(try ConsoleCommand(name) == command) }
    // Its function asks for more words.
    #expect { try ConsoleCommand(name) } throws: { "\($0)".hasSuffix(" is missing") }
  }

  @Test func noVerbIsLeftOutOfTheHelp() {
    #expect(ConsoleVerb.help.count == 17 && ConsoleVerb.help.allSatisfy { $0.count < 80 })
  }

  /// The shell has the same verbs, or says what they are there.
  @Test(arguments: ConsoleVerb.all.map(\.name))
  func theShellHasIt(_ verb: String) {
    guard BallMachine.named(verb) == nil else { return }
    #expect("\(BallMachine.unknownSubcommand(verb))".contains("did you mean '"))
  }
}
