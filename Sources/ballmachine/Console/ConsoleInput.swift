import Glibc
import Host

/// Where the console's lines come from: a person at a terminal, or a script.
enum ConsoleInput {
  case terminal(LineEditor)
  case script(AsyncStream<String>)

  /// - Parameter editor: the terminal's; nil for a script.
  static func standard(_ editor: LineEditor?) -> ConsoleInput {
    editor.map { .terminal($0) } ?? .script(InputLines.standardInput)
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

  /// The next line, or all lines of a paste but the empty ones; nil at the end.
  ///
  /// - Parameter isQuestion: the answer doesn't go into the history.
  func lines(_ prompt: String, isQuestion: Bool = false) async -> [String]? {
    switch self {
    case .terminal(let editor):
      guard let line = await editor.line(prompt, isQuestion: isQuestion) else { return nil }
      // A stop doesn't wait for what may come behind it.
      let gap = ConsoleCommand.isStop(line) ? 0 : LineEditor.pasteGap
      let lines = [line] + (await editor.waitingLines(within: gap))
      return lines.filter { $0.contains { !$0.isWhitespace } }
    case .script(let lines):
      for await line in lines { return [line] }
      return nil
    }
  }
}
