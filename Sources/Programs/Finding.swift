import Host

/// One thing that a doctor looked at, and its state. `ballmachine doctor` lists those of the programs
/// beside it, too.
package struct Finding: LinedReport, Decodable, Hashable {
  package enum Verdict: String, Codable, Sendable {
    case ok
    /// Worth knowing, but things work all the same.
    case note
    /// Something does not work.
    case problem
  }

  private var event = "finding"
  /// What was looked at, such as `adapter`; of a program beside the bridge its word, such as `camera`.
  package fileprivate(set) var check: String
  /// What was found, such as `adapter.off`. It stays the same: scripts read it.
  package let code: String
  /// What is to be said of it.
  package let verdict: Verdict
  /// The state, for people.
  package let text: String
  /// What to do about it; nil where there is nothing to do, or nothing that is known.
  package let remedy: String?
  /// Whether the cause is this user's missing rights. No report has it.
  package var isRefusal = false

  private enum CodingKeys: CodingKey {
    case event, check, code, verdict, text, remedy
  }

  package init(
    _ code: String,
    _ verdict: Verdict,
    _ text: String,
    _ remedy: String? = nil,
    check: String = ""
  ) {
    self.check = check
    self.code = code
    self.verdict = verdict
    self.text = text
    self.remedy = remedy
  }

  package static func ok(_ code: String, _ text: String) -> Finding { Finding(code, .ok, text) }

  package static func note(_ code: String, _ text: String, _ remedy: String? = nil) -> Finding {
    Finding(code, .note, text, remedy)
  }

  package static func problem(_ code: String, _ text: String, _ remedy: String?) -> Finding {
    Finding(code, .problem, text, remedy)
  }

  package var lines: [String] { lines(showingCheck: false) }

  /// Within 80 columns, the remedy below.
  package func lines(showingCheck: Bool) -> [String] {
    let label =
      padded(verdict.rawValue, to: 8) + (showingCheck ? " \(padded(check, to: 11)) " : " ")
    let parts = text.split(separator: "\n").map(String.init)
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
  package func write(_ findings: [Finding], by check: String) async throws {
    for var finding in findings {
      finding.check = check
      try await write(finding)
    }
    let problems = findings.count { $0.verdict == .problem }
    guard problems == 0 else { throw Failure(.unavailable, counted(problems, "problem")) }
  }
}
