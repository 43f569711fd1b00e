import Bridge
import MachineLink

/// `ballmachine doctor`: what stands between this box and its machine.
struct Doctor: Subcommand {
  var configuration = ConfigurationOptions()
  var machine = MachineOptions()
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "doctor",
    summary: "Tell what keeps the machine from being reached",
    options: ConfigurationOptions.options.within(\.configuration)
      + [MachineOptions.busOption, MachineOptions.adapterOption].within(\.machine)
      + MachineOptions.identityOptions.within(\.machine) + OutputOptions.options.within(\.output),
    details: """
      It looks at the D-Bus daemon, bluetoothd, the kernel's Bluetooth adapters, the switches that \
      block them (rfkill), the adapters as bluetoothd shows them, the machine, and the lock of a \
      bridge that runs. `ok' is as it should be, `note' worth knowing, and a `problem' keeps every \
      link from being made; below it stands what to do.

      It only looks: nothing is scanned for, switched or written. So it can't tell whether the \
      machine is on and in range; `ballmachine scan' can.

      It ends with 0 when a link can be made, else with 69, or 77 when only the permission is \
      missing.
      """
  )

  func run(_ output: Output) async throws {
    let settings = try configuration.effective(machine: machine).values.machine
    var link = settings.link
    link.remembered = await MachineMemory(of: "doctor").recall(onlyLooking: true)
    let diagnosis = await Diagnosis(
      through: BlueZCentral(bus: settings.bus),
      configuration: link,
      holder: MachineLock.holder()
    )
    let findings = diagnosis.findings
    for finding in findings { try output.write(FindingReport(finding: finding)) }
    let summary = DoctorSummary(findings, isSimulated: diagnosis.isSimulated)
    if summary.canLink || output.style == .json { try output.write(summary) }
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
    case event, check, verdict, text, remedy
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("finding", forKey: .event)
    try object.encode(finding.subject.rawValue, forKey: .check)
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
    canLink = problems == 0
    let isRefusal = findings.contains { $0.verdict == .problem && $0.isRefusal }
    code = canLink ? .ok : isRefusal ? .noPermission : .unavailable
  }

  private enum CodingKeys: CodingKey {
    case event, mode, ok, notes, problems, canLink
  }

  var text: String {
    let counts = "\(counted(problems, "problem")), \(counted(notes, "note"))"
    return canLink ? "a link can be made; \(counts)" : "no link can be made; \(counts)"
  }

  func check() throws {
    guard canLink else { throw Failure(code, text) }
  }
}
