import ControlProtocol
import CourtLogic
import Drills
import Host
import Options

/// A verb of the console: all that dispatch, help and completion know of it.
struct ConsoleVerb: Sendable {
  var name: String
  var alias: String?
  var arguments = ""
  var help: String
  /// The possible next words, if they can be listed.
  var candidates: [String] = []
  /// Takes the words behind the verb.
  var command: @Sendable (inout ConsoleWords) throws -> ConsoleCommand

  /// The verbs in the order of the help.
  static let all: [ConsoleVerb] = [
    ConsoleVerb(name: "status", help: "show the state of the service") { _ in .request(.status) },
    ConsoleVerb(name: "arm", arguments: "[SECONDS]", help: "let balls fly after a countdown") {
      .request(.arm(countdown: try $0.countdown()))
    },
    ConsoleVerb(name: "disarm", help: "end the session") { _ in .request(.disarm) },
    ConsoleVerb(name: "pause", help: "no balls until 'resume'") { _ in .request(.pause) },
    ConsoleVerb(name: "resume", arguments: "[SECONDS]", help: "continue, after a countdown") {
      .request(.resume(countdown: try $0.countdown()))
    },
    ConsoleVerb(name: "stop", help: "stop the machine, until 'reset'") {
      // People say more, such as `stop now`.
      $0.passAll()
      return .stop
    },
    ConsoleVerb(name: "reset", help: "unlatch a stop; the service stays disarmed") { _ in
      .request(.reset)
    },
    ConsoleVerb(name: "drills", help: "list the drills that can be loaded") { _ in
      .request(.drills)
    },
    ConsoleVerb(
      name: "drill",
      arguments: "[DRILL [LEVEL] [SEED]]",
      help: "load a drill for the next session, or none",
      candidates: drills + ["none"]
    ) { $0.isAtEnd ? .loaded(.drill) : .request(.drill(try $0.drill())) },
    ConsoleVerb(
      name: "level",
      arguments: "[LEVEL]",
      help: "beginner, intermediate, advanced or none",
      candidates: SkillLevel.allCases.map(\.rawValue) + ["none"]
    ) { $0.isAtEnd ? .loaded(.level) : .request(.level(try $0.level())) },
    ConsoleVerb(
      name: "zone",
      arguments: "ZONE",
      help: "send a zone's command",
      candidates: Zone.allCases.map(\.description)
    ) { .send(.zone(try $0.next("ZONE", .zone))) },
    ConsoleVerb(
      name: "send",
      arguments: "COMMAND",
      help: "send 18 digits, or upper,lower,pitch,yaw,feed"
    ) { .byHand(try $0.next("COMMAND", .command)) },
    ConsoleVerb(
      name: "fields",
      arguments: "UPPER LOWER PITCH YAW",
      help: "send a command of these raw values"
    ) { .byHand(try $0.fields()) },
    ConsoleVerb(
      name: "table",
      arguments: "show",
      help: "show the commands in force",
      candidates: ["show"]
    ) {
      _ = $0.pass("show")
      return .request(.table)
    },
    ConsoleVerb(
      name: "reload",
      arguments: "[--empty]",
      help: "make the service read its configuration again",
      candidates: ["--empty"]
    ) { .request(.reload(empty: $0.pass("--empty"))) },
    ConsoleVerb(name: "help", alias: "?", help: "show this list") { _ in .help },
    ConsoleVerb(
      name: "quit",
      alias: "exit",
      help: "leave, as Ctrl-D does; the service keeps running"
    ) { _ in .quit },
  ]

  /// The drills that are built in: the service's own are not known before it is asked.
  private static let drills = (try? DrillLibrary(folders: []).names().drills) ?? []

  static func named(_ word: String) -> ConsoleVerb? {
    let name = ControlMethod.isStop(word) ? ControlMethod.stop.rawValue : word
    return all.first { $0.name == name || $0.alias == name }
  }

  static var help: [String] {
    let width = all.map { $0.usage.count }.max() ?? 0
    return all.map { "\(padded($0.usage, to: width))  \($0.help)" }
  }

  private var usage: String { arguments.isEmpty ? name : "\(name) \(arguments)" }

  /// The completions of a line's last word.
  ///
  /// - Parameter line: the line up to the cursor.
  static func completions(of line: String) -> [String] {
    var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let word = words.popLast() ?? ""
    words.removeAll(where: \.isEmpty)
    let candidates =
      switch words.count {
      case 0: all.map(\.name)
      case 1: named(words[0])?.candidates ?? []
      default: [String]()
      }
    return candidates.filter { $0.hasPrefix(word) }
  }
}
