import Glibc
import Host

/// Where the console's lines come from: a person at a terminal, or a script.
enum ConsoleInput {
  case terminal(LineEditor)
  case script(AsyncStream<String>.Iterator)

  /// - Parameter editor: the terminal's; nil for a script.
  static func standard(_ editor: LineEditor?) -> ConsoleInput {
    editor.map { .terminal($0) } ?? .script(InputLines.standardInput.makeAsyncIterator())
  }

  /// - Returns: nil without a terminal.
  static func editor() -> LineEditor? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    let directory = try? StateDirectory().prepared()
    return LineEditor(
      historyPath: directory?.path(of: "console_history"),
      complete: ConsoleVerb.completions
    )
  }

  var isTerminal: Bool {
    if case .terminal = self { true } else { false }
  }

  /// The next line; nil at the end.
  mutating func line(_ prompt: String) async -> String? {
    switch self {
    case .terminal(let editor): return await editor.line(prompt)
    case .script(var lines):
      defer { self = .script(lines) }
      return await lines.next(isolation: #isolation)
    }
  }

  /// The lines that were typed before a question. None of a script.
  func waitingLines() async -> [String] {
    guard case .terminal(let editor) = self else { return [] }
    return await editor.waitingLines()
  }

  /// The answer of the person at the terminal, none of a script.
  func answer(to question: String) async -> String? {
    guard case .terminal(let editor) = self else { return nil }
    return await editor.line(question + " ", isQuestion: true)
  }
}
