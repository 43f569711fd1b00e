import ControlProtocol
import CourtLogic
import Host
import Programs
import Training

/// A line at the console's prompt.
enum ConsoleCommand: Equatable {
  /// Neither a stop nor a command by hand.
  case request(ControlRequest)
  case stop
  case send(Ball)
  case help
  case quit

  typealias Ball = ControlRequest.ManualCommand
}

extension ConsoleCommand {
  /// - Returns: nil for an empty line or a comment.
  init?(_ line: String) throws(UsageError) {
    var words = ConsoleWords(line)
    guard let verb = words.next() else { return nil }
    if ControlMethod.isStop(verb) {
      self = .stop
      return
    }
    switch verb {
    case "status": self = .request(.status)
    case "disarm": self = .request(.disarm)
    case "pause": self = .request(.pause)
    case "reset": self = .request(.reset)
    case "reload":
      let option = words.next()
      if let option, option != "--empty" {
        throw UsageError("'reload \(option)': write 'reload' or 'reload --empty'")
      }
      self = .request(.reload(empty: option != nil))
    case "drills": self = .request(.drills)
    case "drill": self = .request(.drill(try Self.drill(&words)))
    case "level":
      let word: String = try words.next("LEVEL", .text("LEVEL"))
      let kind = ValueKind<SkillLevel>.choice("LEVEL")
      self = .request(.level(word == "none" ? nil : try words.value(word, kind)))
    case "arm": self = .request(.arm(countdown: try words.countdown()))
    case "resume": self = .request(.resume(countdown: try words.countdown()))
    case "send", "zone", "fields":
      let ball = try Self.ball(verb, &words)
      // All zeros are a stop.
      self = if case .command(let command) = ball, command.isStop { .stop } else { .send(ball) }
    case "table":
      if let word = words.next(), word != "show" {
        throw UsageError("'table \(word)': write 'table show'")
      }
      self = .request(.table)
    case "help", "?": self = .help
    case "quit", "exit": self = .quit
    case "repeat", "wait":
      throw UsageError(
        "there is no verb '\(verb)': use 'ballmachine send' and 'sleep' in a shell script"
      )
    default:
      let meant =
        StopWords.meaning(of: verb) ?? nearMiss(verb, among: ConsoleVerb.all.map(\.name))
      let hint = meant.map { "; did you mean '\($0)'?" } ?? ""
      let warning = meant == StopWords.stop ? " \(StopWords.warning)" : ""
      throw UsageError("there is no verb '\(verb)'\(hint)\(warning); 'help' lists the verbs")
    }
    if let word = words.next() { throw UsageError("unexpected '\(word)' after '\(verb)'") }
  }

  static func isStop(_ line: String) -> Bool { (try? ConsoleCommand(line)) == .stop }

  /// - Returns: nil for `none`.
  private static func drill(
    _ words: inout ConsoleWords
  ) throws(UsageError) -> ControlRequest.DrillChoice? {
    let name: String = try words.next("DRILL", .text("DRILL"))
    guard name != "none" else { return nil }
    var choice = ControlRequest.DrillChoice(name)
    while let word = words.next() {
      if choice.seed == nil, word.first?.isNumber == true {
        choice.seed = try words.value(word, .integer("SEED", in: Drill.seeds))
      } else if choice.level == nil, choice.seed == nil {
        choice.level = try words.value(word, ValueKind<SkillLevel>.choice("LEVEL"))
      } else {
        throw UsageError("unexpected '\(word)' after 'drill \(name)'")
      }
    }
    return choice
  }

  private static func ball(_ verb: String, _ words: inout ConsoleWords) throws(UsageError) -> Ball {
    switch verb {
    case "send": return .command(try words.next("COMMAND", ValueKind<MachineCommand>.command))
    case "zone": return .zone(try words.next("ZONE", ValueKind<Zone>.zone))
    default:
      var values: [Int] = []
      for field in MachineEncoding.digits.fields {
        values.append(try words.next(field.rawValue, ValueKind<Int>.field(field)))
      }
      let feed = words.next()
      if let feed {
        values.append(try words.value(feed, ValueKind<Int>.field(.feed), label: "feed"))
      }
      do {
        return .command(
          try MachineCommand(MachineEncoding(hasFeed: feed != nil), values)
        )
      } catch { throw UsageError("\(error)") }
    }
  }
}

/// The words of a line, one after the other; a `#` begins a comment.
private struct ConsoleWords {
  private var rest: ArraySlice<Substring>

  init(_ line: String) {
    let command = line.prefix { $0 != "#" }
    rest = command.split(whereSeparator: \.isWhitespace)[...]
  }

  mutating func next() -> String? { rest.popFirst().map(String.init) }

  mutating func next<Value>(
    _ label: String,
    _ kind: ValueKind<Value>
  ) throws(UsageError) -> Value {
    guard let text = next() else { throw UsageError("\(label) is missing") }
    return try value(text, kind, label: label)
  }

  mutating func countdown() throws(UsageError) -> Duration? {
    guard let text = next() else { return nil }
    return try value(text, .countdown)
  }

  func value<Value>(
    _ text: String,
    _ kind: ValueKind<Value>,
    label: String? = nil
  ) throws(UsageError) -> Value {
    do throws(UsageError) { return try kind.parse(text) } catch {
      throw UsageError("\(label ?? kind.label) \(text): \(error)")
    }
  }
}
