/// One verb: its grammar as people read it, and the parser of its operands.
struct VerbForm: Sendable {
  var name: String
  var operands: String
  var meaning: String
  var parse: @Sendable (inout Words) throws(MockSyntaxError) -> MockVerb

  init(
    _ name: String,
    _ operands: String,
    _ meaning: String,
    parse: @escaping @Sendable (inout Words) throws(MockSyntaxError) -> MockVerb
  ) {
    self.name = name
    self.operands = operands
    self.meaning = meaning
    self.parse = parse
  }
}

extension MockVerb {
  /// Parses a line; nil when it is blank or a comment.
  package init?(parsing line: String, number: Int = 1) throws(MockSyntaxError) {
    var words = try Words(line, line: number)
    guard !words.rest.isEmpty else { return nil }
    let name = try words.next("a verb")
    guard let form = VerbForm.all.first(where: { $0.name == name }) else {
      throw words.error("\"\(name)\" is not a verb; \"help\" lists them")
    }
    do {
      self = try form.parse(&words)
      try words.end()
    } catch {
      throw words.error("\(error.message) (\(name) \(form.operands))")
    }
  }

  /// The first words of all verbs.
  package static var names: [String] { VerbForm.all.map(\.name) }

  /// Every verb with its operands and its meaning, in two columns.
  package static var helpText: String {
    let lines = VerbForm.all.map { ("\($0.name) \($0.operands)", $0.meaning) }
    return """
      MACHINE is an address or an advertised name; TIMES is "times N", "always" or nothing (once);
      S is seconds; PROFILE is one of
        \(MockProfile.allCases.map(\.rawValue).joined(separator: " "))

      \(lines.map { "  \($0)\n      \($1)" }.joined(separator: "\n"))

      """
  }
}

/// A file of verbs, one a line.
package enum MockScript {
  package static func parse(_ text: String) throws(MockSyntaxError) -> [MockVerb] {
    var verbs: [MockVerb] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      if let verb = try MockVerb(parsing: String(line), number: index + 1) { verbs.append(verb) }
    }
    return verbs
  }
}
