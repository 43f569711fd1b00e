import ControlProtocol
import Doctor
import Host
import Programs

/// A finding in the list of all: its text says what was looked at.
struct FindingReport: LinedReport {
  var finding: Finding

  var lines: [String] { finding.lines(showingCheck: true) }

  func encode(to encoder: any Encoder) throws { try finding.encode(to: encoder) }
}

/// The end of the doctor's findings.
struct DoctorSummary: Report {
  var event = "diagnosis"
  /// `SIM` or `REAL`; nil while that is not known.
  var mode: String?
  /// Findings that are fine.
  var ok: Total
  /// Findings to know of.
  var notes: Total
  /// Findings to mend.
  var problems: Total
  /// Whether a link can be made, as far as this box is concerned.
  var canLink: Bool
  private var code: ExitCode

  init(_ result: Examination.Result) {
    self.init(result.findings, others: result.others, isSimulated: result.isSimulated)
  }

  init(_ findings: [Finding], others: [Finding] = [], isSimulated: Bool?) {
    let verdicts = (findings + others).map(\.verdict)
    func count(_ verdict: Finding.Verdict) -> Int { verdicts.count { $0 == verdict } }
    mode = isSimulated.map { $0 ? "SIM" : "REAL" }
    ok = count(.ok)
    notes = count(.note)
    problems = count(.problem)
    canLink = !findings.contains { $0.verdict == .problem && $0.subject?.isOnTheWay == true }
    code =
      findings.first { $0.verdict == .problem }.map(ExitCode.init(for:))
      ?? (problems > 0 ? .unavailable : .ok)
  }

  private enum CodingKeys: CodingKey {
    case event, mode, ok, notes, problems, canLink
  }

  var text: String {
    let counts = "\(counted(problems, "problem")), \(counted(notes, "note"))"
    let mode = mode.map { " (\($0))" } ?? ""
    return "\(canLink ? "a" : "no") link can be made; \(counts)\(mode)"
  }

  func check() throws {
    guard code == .ok else { throw Failure(code, text) }
  }
}

extension ExitCode {
  /// The exit code of a program that meets this problem.
  fileprivate init(for problem: Finding) {
    self =
      if problem.isRefusal {
        .noPermission
      } else {
        [.configuration, .table].contains(problem.subject) ? .configuration : .unavailable
      }
  }
}
