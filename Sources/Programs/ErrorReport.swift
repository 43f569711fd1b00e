import Glibc
import Host
import JSON

/// Why the program fails: the last line of a run with `--json` that does.
package struct ErrorReport: LinedReport {
  package var event = "error"
  /// The service's word for its refusal; otherwise the word for the exit code.
  package var code: String
  /// The program's exit code.
  package var exitStatus: Int32
  /// What standard error says.
  package var reason: String

  private let told: [String]

  package var lines: [String] { told }

  private enum CodingKeys: CodingKey { case event, code, exitStatus, reason }

  package init(_ error: any Error) {
    let status = ExitCode(for: error)
    code = (error as? any ExitCoded)?.errorCode ?? "\(status)"
    exitStatus = status.rawValue
    let cause: any Error =
      switch error {
      case ParserExit.refused(let error): error
      case ParserExit.answerLost(let error): error
      default: error
      }
    told = linesForPeople(cause)
    reason = told.joined(separator: "\n")
  }
}

extension Output {
  /// What a command line asks for, even one that can't be parsed.
  package init(for arguments: [String]) {
    let options = arguments.prefix { $0 != "--" }
    self.init(isJSON: options.contains(where: Self.isJSONOption))
  }

  /// The parser takes abbreviations.
  package static func isJSONOption(_ word: String) -> Bool {
    word.count > 2 && "--json".hasPrefix(word)
  }

  /// Prints why the program fails, and nothing for an error that is none.
  ///
  /// - Returns: the exit code.
  package func fail(_ error: any Error, in program: String) -> ExitCode {
    let code = ExitCode(for: error)
    guard code != .ok else { return code }
    let report = ErrorReport(error)
    // The parser has printed its own error.
    if case ParserExit.refused = error {} else { Self.complain(program, error) }
    // A line of a reader that takes nothing may be half written.
    if style == .json, !(error is ReaderStuck), let line = try? Self.json(report) {
      try? writeAll(line + "\n", to: descriptor, within: OutputThread.readerTimeout)
    }
    return code
  }
}
