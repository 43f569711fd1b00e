import Host

/// One thing that a program's doctor looked at. `ballmachine doctor` lists those of the programs
/// beside it, too.
package struct ProgramFinding: LinedReport, Decodable {
  package enum Verdict: String, Codable, Sendable { case ok, note, problem }

  private var event = "finding"
  /// What was looked at: `adapter`; the word of a program beside the bridge: `camera`.
  fileprivate var check: String
  private let code: String
  package let verdict: Verdict
  private let finding: String
  private let remedy: String?

  private enum CodingKeys: String, CodingKey {
    case event, check, code, verdict, remedy
    case finding = "text"
  }

  package init(
    _ code: String,
    _ verdict: Verdict,
    _ text: String,
    _ remedy: String?,
    check: String = ""
  ) {
    self.check = check
    self.code = code
    self.verdict = verdict
    finding = text
    self.remedy = remedy
  }

  package static func ok(_ code: String, _ text: String) -> ProgramFinding {
    ProgramFinding(code, .ok, text, nil)
  }
  package static func note(
    _ code: String,
    _ text: String,
    _ remedy: String? = nil
  ) -> ProgramFinding {
    ProgramFinding(code, .note, text, remedy)
  }
  package static func problem(_ code: String, _ text: String, _ remedy: String?) -> ProgramFinding {
    ProgramFinding(code, .problem, text, remedy)
  }

  package var lines: [String] { lines(showingCheck: false) }

  /// Within 80 columns, the remedy below.
  package func lines(showingCheck: Bool) -> [String] {
    let label =
      padded(verdict.rawValue, to: 8) + (showingCheck ? " \(padded(check, to: 11)) " : " ")
    let parts = finding.split(separator: "\n").map(String.init)
    let lines = (parts + [remedy.map { "→ \($0)" }].compactMap(\.self))
      .flatMap { wrapped($0, to: 79 - label.count) }
    return hanging(label, lines)
  }
}

extension Output {
  /// Writes what a program's doctor has found.
  ///
  /// - Parameter check: the program's word.
  /// - Throws: ``Failure`` if there is a problem.
  package func write(_ findings: [ProgramFinding], by check: String) async throws {
    for var finding in findings {
      finding.check = check
      try await write(finding)
    }
    let problems = findings.count { $0.verdict == .problem }
    guard problems == 0 else { throw Failure(.unavailable, counted(problems, "problem")) }
  }
}
