import ControlProtocol
import CourtLogic
import Programs
import Testing

@testable import ballmachine

/// What the console's prompt takes.
struct ConsoleCommandTests {
  private static let ball = ConsoleCommand.Ball.command(
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
    (
      "repeat 5 4 zone 1-1", .repeat(count: 5, interval: .seconds(4), .zone(Zone(id: 5)!))
    ),
    ("drills", .request(.drills)), ("drill none", .request(.drill(nil))),
    ("drill run", .request(.drill(.init("run")))),
    ("drill run 7", .request(.drill(.init("run", seed: 7)))),
    ("drill run advanced 7", .request(.drill(.init("run", level: .advanced, seed: 7)))),
    ("level beginner", .request(.level(.beginner))), ("level none", .request(.level(nil))),
    ("wait 0.5", .wait(.milliseconds(500))), ("wait 0 # no time", .wait(.zero)),
    ("repeat 100 3 fields 11000 10600 1400 4500", .repeat(count: 100, interval: .seconds(3), ball)),
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
    ("repeat 0 3 zone 1", "is not between 1 and 100"),
    ("repeat 101 3 zone 1", "is not between 1 and 100"),
    ("repeat 2 2.9 zone 1", "is not between 3 and 600"),
    ("repeat 2 3", "give the command to repeat"),
    ("repeat 2 3 repeat 2 3 zone 1", "give the command to repeat"),
    ("repeat 2 3 send 000000000000000000", "the stop is not repeated"),
    ("drill", "DRILL is missing"), ("drill run expert", "LEVEL expert: is not one of beginner"),
    ("drill run 7 advanced", "unexpected 'advanced' after 'drill run'"),
    ("drill run -1", "LEVEL -1: is not one of"), ("drill none 7", "unexpected '7' after 'drill'"),
    ("level", "LEVEL is missing"),
    ("table drop", "write 'table show'"), ("wait", "SECONDS is missing"),
    ("wait 3601", "is not between 0 and 3600"), ("wait 3 zone 1", "unexpected 'zone' after 'wait'"),
  ])
  func whatCannotBeMeantSaysWhatWould(_ line: String, _ text: String) {
    #expect { try ConsoleCommand(line) } throws: { "\($0)".contains(text) }
  }

  @Test(arguments: [
    ("re", ["resume", "reset", "repeat", "reload"]), ("sto", ["stop"]), ("xyz", []),
    ("zone 1-", ["1-0", "1-1", "1-2", "1-3"]), ("zone 1-1 ", []), ("table ", ["show"]),
    ("drill t", ["three-to-the-backhand", "two-corners"]), ("level a", ["advanced"]),
    ("repeat 2 3 z", ["zone"]), ("repeat 2 3 zone 3-3", ["3-3"]), ("repeat ", []), ("arm ", []),
  ])
  func theLastWordIsCompleted(_ line: String, _ words: [String]) {
    #expect(ConsoleVerb.completions(of: line) == words)
  }

  @Test func everyVerbOfTheHelpIsUnderstood() {
    for verb in ConsoleVerb.all {
      do { _ = try ConsoleCommand(verb.name) } catch {
        #expect(!"\(error)".contains("there is no"), "\(verb.name): \(error)")
      }
      #expect(ConsoleVerb.help.contains { $0.hasSuffix(verb.help) })
    }
    #expect(ConsoleVerb.help.allSatisfy { $0.count < 80 })
  }
  /// The shell has the same verbs, or says what they are there.
  @Test(arguments: ConsoleVerb.all.map(\.name))
  func theShellHasIt(_ verb: String) {
    guard BallMachine.named(verb) == nil else { return }
    #expect("\(BallMachine.unknownSubcommand(verb))".contains("did you mean '"))
  }
}
