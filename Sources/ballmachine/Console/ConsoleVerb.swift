import CourtLogic
import Drills
import Host

/// A verb of the console, for its help and for completion.
struct ConsoleVerb: Sendable {
  var name: String
  var parameters = ""
  var help: String
  /// The possible next words, if they can be listed.
  var candidates: [String] = []

  /// The verbs in the order of the help.
  static let all: [ConsoleVerb] = [
    ConsoleVerb(name: "status", help: "show the state of the service"),
    ConsoleVerb(name: "arm", parameters: "[SECONDS]", help: "let balls fly after a countdown"),
    ConsoleVerb(name: "disarm", help: "end the session"),
    ConsoleVerb(name: "pause", help: "no balls until 'resume'"),
    ConsoleVerb(name: "resume", parameters: "[SECONDS]", help: "continue, after a countdown"),
    ConsoleVerb(name: "stop", help: "stop the machine, until 'reset'"),
    ConsoleVerb(name: "reset", help: "unlatch a stop; the service stays disarmed"),
    ConsoleVerb(name: "drills", help: "list the drills that can be loaded"),
    ConsoleVerb(
      name: "drill",
      parameters: "DRILL [LEVEL] [SEED]",
      help: "load a drill for the next session, or none",
      candidates: drills + ["none"]
    ),
    ConsoleVerb(
      name: "level",
      parameters: "LEVEL",
      help: "beginner, intermediate, advanced or none",
      candidates: SkillLevel.allCases.map(\.rawValue) + ["none"]
    ),
    ConsoleVerb(name: "zone", parameters: "ZONE", help: "send a zone's command", candidates: zones),
    ConsoleVerb(
      name: "send",
      parameters: "COMMAND",
      help: "send 18 digits, or upper,lower,pitch,yaw,feed"
    ),
    ConsoleVerb(
      name: "fields",
      parameters: "UPPER LOWER PITCH YAW",
      help: "send a command of these raw values"
    ),
    ConsoleVerb(
      name: "table",
      parameters: "show",
      help: "show the commands in force",
      candidates: ["show"]
    ),
    ConsoleVerb(
      name: "reload",
      parameters: "[--empty]",
      help: "make the service read its configuration again",
      candidates: ["--empty"]
    ),
    ConsoleVerb(name: "help", help: "show this list"),
    ConsoleVerb(name: "quit", help: "leave, as Ctrl-D does; the service keeps running"),
  ]

  /// The drills that are built in: the service's own are not known before it is asked.
  private static let drills = (try? DrillLibrary(folders: []).names().drills) ?? []
  private static let zones = Zone.allCases.map(\.description)

  static var help: [String] {
    let width = all.map { $0.usage.count }.max() ?? 0
    return all.map { "\(padded($0.usage, to: width))  \($0.help)" }
  }

  private var usage: String { parameters.isEmpty ? name : "\(name) \(parameters)" }

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

  private static func named(_ name: String) -> ConsoleVerb? { all.first { $0.name == name } }
}
