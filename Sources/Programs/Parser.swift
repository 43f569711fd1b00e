package import Host

/// What happens on `--help` and on errors.
package enum ParserMode {
  /// Prints the help or the error.
  case interactive
  /// Prints nothing.
  case silent
}

/// Why parsing gave no command.
package enum ParserExit: Error, Equatable {
  /// `--help`, `--usage` or `--version` was given and answered.
  case answered
  /// `--help`, `--usage` or `--version` was given, but the answer could not be written.
  case answerLost(SystemError)
  /// The command line is wrong, and the error is already printed.
  case refused(UsageError)
}

/// Fills a command's properties from `arguments`, with glibc's argp: long options and their
/// unambiguous prefixes, `--name=value`, `--`, options after arguments, `--help`, `--usage` and
/// `--version`.
package func parse<Command: CommandOptions>(
  _ type: Command.Type,
  as program: String = "ballmachine \(Command.usage.name)",
  arguments: [String],
  mode: ParserMode = .interactive
) throws(ParserExit) -> (command: Command, isJSON: Bool) {
  let usage = Command.usage
  var command = Command()
  var isJSON = false
  var given = 0
  let grammar = Grammar(
    synopsis: usage.synopsis,
    before: usage.summary + ".",
    after: usage.details,
    options: usage.options.map { ($0.name, $0.short, $0.label, $0.help) }
  )
  try grammar.parse([program] + arguments, mode: mode) { (event) throws(UsageError) in
    switch event {
    case .option(let index, let text):
      let option = usage.options[index]
      if option.name == Option<Command>.json.name { isJSON = true }
      try option.apply(&command, text)
    case .argument(let text):
      guard given < usage.arguments.count else {
        throw UsageError("unexpected argument '\(text)'")
      }
      try usage.arguments[given].apply(&command, text)
      given += 1
    case .end:
      if given < usage.arguments.count, usage.arguments[given].isRequired {
        throw UsageError("\(usage.arguments[given].label) is missing")
      }
      try command.validate(isJSON: isJSON)
    }
  }
  return (command, isJSON)
}

extension Usage {
  /// The usage lines after `[OPTION...]`.
  package var synopsis: [String] {
    guard alternatives.isEmpty else { return alternatives }
    return [
      arguments.map { $0.isRequired ? $0.label : "[\($0.label)]" }.joined(separator: " ")
    ]
  }
}
