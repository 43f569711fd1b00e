import Bridge
import Doctor
import Host
import Programs

/// One thing that the doctor looked at.
struct FindingReport: Report {
  var finding: Finding

  /// The verdict, the subject and the text within 80 columns; the remedy below.
  var text: String {
    let label =
      "\(padded(finding.verdict.rawValue, to: 8)) \(padded(finding.subject.rawValue, to: 11)) "
    let lines = [finding.text, finding.advice.map { "→ \($0)" }].compactMap(\.self)
      .flatMap { wrapped($0.printable, to: 79 - label.count) }
    return hanging(label, lines)
  }
}

extension FindingReport: Encodable {
  private enum Key: CodingKey {
    case event, check, code, verdict, text, remedy
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("finding", forKey: .event)
    try object.encode(finding.subject.rawValue, forKey: .check)
    try object.encode(finding.code.rawValue, forKey: .code)
    try object.encode(finding.verdict.rawValue, forKey: .verdict)
    try object.encode(finding.text, forKey: .text)
    try object.encodeIfPresent(finding.advice, forKey: .remedy)
  }
}

extension Finding {
  /// The remedy; for a link's fault, with this program's own options.
  fileprivate var advice: String? { fault.map(\.advice) ?? remedy }
}

/// The summary of the doctor's findings.
struct DoctorSummary: Report {
  var event = "diagnosis"
  var mode: String?
  var ok: Int
  var notes: Int
  var problems: Int
  /// Whether a link can be made, as far as this box is concerned.
  var canLink: Bool
  private var code: ExitCode

  init(_ result: Examination.Result) {
    self.init(result.findings, others: result.others, isSimulated: result.isSimulated)
  }

  init(_ findings: [Finding], others: [OtherFinding] = [], isSimulated: Bool?) {
    func count(_ verdict: Finding.Verdict) -> Int {
      findings.count { $0.verdict == verdict }
        + others.count { $0.verdict == verdict.rawValue }
    }
    mode = isSimulated.map { $0 ? "SIM" : "REAL" }
    ok = count(.ok)
    notes = count(.note)
    problems = count(.problem)
    canLink = !findings.contains { $0.verdict == .problem && $0.subject.isOnTheWay }
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
