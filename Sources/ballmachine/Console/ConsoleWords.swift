import ControlProtocol
import CourtLogic
import Options
import Programs
import Training

/// The words of a line, one after the other; a `#` begins a comment.
struct ConsoleWords {
  private var rest: ArraySlice<Substring>

  init(_ line: String) {
    let command = line.prefix { $0 != "#" }
    rest = command.split(whereSeparator: \.isWhitespace)[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func next() -> String? { rest.popFirst().map(String.init) }

  mutating func next<Value>(_ label: String, _ kind: ValueKind<Value>) throws -> Value {
    guard let text = next() else { throw UsageError("\(label) is missing") }
    return try value(text, kind, label: label)
  }

  /// Passes over this word.
  ///
  /// - Returns: whether it was the next one.
  mutating func pass(_ word: String) -> Bool {
    guard let next = rest.first, next == word else { return false }
    rest.removeFirst()
    return true
  }

  mutating func passAll() { rest = [] }

  mutating func countdown() throws -> Duration? {
    guard let text = next() else { return nil }
    return try value(text, .countdown)
  }

  /// - Returns: nil for `none`.
  mutating func drill() throws -> ControlRequest.DrillChoice? {
    let name = try next("DRILL", .text("DRILL"))
    guard name != "none" else { return nil }
    var choice = ControlRequest.DrillChoice(name)
    while let word = next() {
      if choice.seed == nil, word.first?.isNumber == true {
        choice.seed = try value(word, .integer("SEED", in: Drill.seeds))
      } else if choice.level == nil, choice.seed == nil {
        choice.level = try value(word, ValueKind<SkillLevel>.choice("LEVEL"))
      } else {
        throw UsageError("unexpected '\(word)' after 'drill \(name)'")
      }
    }
    return choice
  }

  /// - Returns: nil for `none`.
  mutating func level() throws -> SkillLevel? {
    pass("none") ? nil : try next("LEVEL", .choice("LEVEL"))
  }

  mutating func fields() throws -> MachineCommand {
    var values: [Int] = []
    for field in MachineEncoding.digits.fields {
      values.append(try next(field.rawValue, .field(field)))
    }
    let feed = next()
    if let feed { values.append(try value(feed, .field(.feed), label: "feed")) }
    do { return try MachineCommand(MachineEncoding(hasFeed: feed != nil), values) } catch {
      throw UsageError("\(error)")
    }
  }

  private func value<Value>(
    _ text: String,
    _ kind: ValueKind<Value>,
    label: String? = nil
  ) throws -> Value {
    do { return try kind.parse(text) } catch {
      throw UsageError("\(label ?? kind.label) \(text): \(error)")
    }
  }
}
