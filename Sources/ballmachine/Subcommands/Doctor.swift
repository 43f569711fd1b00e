import Bridge
import MachineLink

/// `ballmachine doctor`: what stands between this box and its machine.
struct Doctor: Subcommand {
  var configuration = ConfigurationOptions()
  var machine = MachineOptions()
  var connects = false
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "doctor",
    summary: "Tell what keeps the machine from being reached",
    options: ConfigurationOptions.options.within(\.configuration)
      + MachineOptions.linkOptions.within(\.machine) + [
        .flag(
          "connect",
          \.connects,
          "Also scan for the machine and connect to it, without sending it anything"
        )
      ] + OutputOptions.options.within(\.output),
    details: """
      It looks at the configuration and its command table, the D-Bus daemon, bluetoothd, the \
      kernel's Bluetooth adapters, the switches that block them (rfkill), the adapters as \
      bluetoothd shows them, the machine, the lock of a bridge that runs, stop commands that are \
      owed, the service, its sockets and groups, and the room for its logs. `ok' is as it should \
      be, `note' worth knowing, and a `problem' something that does not work; below it stands what \
      to do.

      It only looks: nothing is scanned for, switched or written. So it can't tell whether the \
      machine is on and in range. With --connect it can: it scans, connects, looks at what the \
      machine has for commands, and disconnects; it writes nothing to the machine, and leaves all \
      that alone while a bridge runs or another program is connected to it.

      It ends with 0 when there is no problem; else as the first problem says: 78 for the \
      configuration and its table, 77 when only the permission is missing, 69 for all others.
      """
  )

  func validate() throws(UsageError) {
    try machine.validate()
  }

  func run(_ output: Output) async throws {
    let endSignals = try EndSignals()
    defer { withExtendedLifetime(endSignals) {} }
    let signals = endSignals.signals
    let examination = Examination(
      configuration: configuration,
      machine: machine,
      connects: connects
    )
    let result = await withTaskGroup(of: Examination.Result?.self) { group in
      group.addTask { await examination.result() }
      group.addTask {
        for await _ in signals { return nil }
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      // A connection that was being tried is ended first.
      await group.waitForAll()
      return first
    }
    guard let result else { throw Failure(.temporary, "ended before it was through") }
    for finding in result.findings { try await output.write(FindingReport(finding: finding)) }
    let summary = DoctorSummary(result.findings, isSimulated: result.isSimulated)
    if summary.problems == 0 || output.style == .json { try await output.write(summary) }
    try summary.check()
  }
}

/// One thing that the doctor looked at.
struct FindingReport: Report {
  var finding: Finding

  /// The verdict, the subject, and the words within 80 columns; below them what to do.
  var text: String {
    let label =
      "\(padded(finding.verdict.rawValue, to: 8)) \(padded(finding.subject.rawValue, to: 11)) "
    let lines = [finding.text, finding.remedy.map { "→ \($0)" }].compactMap(\.self)
      .flatMap { wrapped($0.printable, to: 79 - label.count) }
    let indent = String(repeating: " ", count: label.count)
    return ([label + lines[0]] + lines.dropFirst().map { indent + $0 }).joined(separator: "\n")
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
    try object.encodeIfPresent(finding.remedy, forKey: .remedy)
  }
}

/// What the doctor's findings come to.
struct DoctorSummary: Report {
  var event = "summary"
  var mode: String?
  var ok: Int
  var notes: Int
  var problems: Int
  /// Whether a link can be made, as far as this box is concerned.
  var canLink: Bool
  private var code: ExitCode

  init(_ findings: [Finding], isSimulated: Bool?) {
    func count(_ verdict: Finding.Verdict) -> Int { findings.count { $0.verdict == verdict } }
    mode = isSimulated.map { $0 ? "SIM" : "REAL" }
    ok = count(.ok)
    notes = count(.note)
    problems = count(.problem)
    canLink = !findings.contains { $0.verdict == .problem && $0.subject.isOnTheWay }
    code = findings.first { $0.verdict == .problem }.map(ExitCode.init(for:)) ?? .ok
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
  /// As the program ends that meets this problem.
  fileprivate init(for problem: Finding) {
    self =
      if problem.isRefusal {
        .noPermission
      } else {
        [.configuration, .table].contains(problem.subject) ? .configuration : .unavailable
      }
  }
}
