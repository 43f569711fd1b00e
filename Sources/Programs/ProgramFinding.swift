import Host

/// One thing that the doctor of a program beside the bridge looked at. `ballmachine doctor` passes it on.
package struct ProgramFinding: Report {
  package enum Verdict: String, Encodable, Sendable { case ok, note, problem }

  private var event = "finding"
  /// The program's word: `camera`.
  private var check = ""
  private let code: String
  package let verdict: Verdict
  private let finding: String
  private let remedy: String?

  private enum CodingKeys: String, CodingKey {
    case event, check, code, verdict, remedy
    case finding = "text"
  }

  private init(_ code: String, _ verdict: Verdict, _ text: String, _ remedy: String?) {
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

  package var text: String {
    let label = "\(padded(verdict.rawValue, to: 8)) "
    let parts = finding.split(separator: "\n").map(String.init)
    let lines = (parts + [remedy.map { "→ \($0)" }].compactMap(\.self))
      .flatMap { wrapped($0.printable, to: 79 - label.count) }
    return hanging(label, lines)
  }

  fileprivate func found(by check: String) -> ProgramFinding {
    var finding = self
    finding.check = check
    return finding
  }
}

extension Output {
  /// Writes what a program's doctor has found.
  ///
  /// - Parameter check: the program's word.
  /// - Throws: ``Failure`` if there is a problem.
  package func write(_ findings: [ProgramFinding], by check: String) async throws {
    for finding in findings { try await write(finding.found(by: check)) }
    let problems = findings.count { $0.verdict == .problem }
    guard problems == 0 else { throw Failure(.unavailable, counted(problems, "problem")) }
  }
}
