import Glibc
import Host
import JSON
import Programs

/// What the doctors of the programs beside this one find. The bridge knows nothing of cameras, phones
/// and brokers: it passes their findings on.
enum OtherExamination {
  /// A camera that hangs must not keep the doctor.
  private static let timeout = Duration.seconds(15)

  /// - Parameter calibration: of the bridge's configuration; nil: no camera is expected.
  static func findings(_ calibration: String?) async -> [Finding] {
    async let camera = findings(
      "camera",
      if: calibration != nil,
      ["--calibration", calibration ?? ""]
    )
    async let fleet = findings("mqtt", if: await isWanted("mqtt"))
    async let page = findings("web", if: await isWanted("web"))
    return await camera + fleet + page
  }

  /// Whether a program's service starts with the box, or was started.
  private static func isWanted(_ program: String) async -> Bool {
    let unit = await SystemdUnit.named("ballmachine-\(program).service")
    guard let unit else { return false }
    return unit.file == "enabled" || unit.active != "inactive"
  }

  private static func findings(
    _ name: String,
    if isExpected: Bool,
    _ options: [String] = []
  ) async -> [Finding] {
    guard isExpected, let program = OtherProgram.path(of: name) else { return [] }
    let arguments = [program, "doctor", "--json"] + options
    // One that hangs in the kernel can't be killed.
    let records = try? await waiting(atMost: timeout) {
      await OtherProgram.records(of: arguments, within: timeout)
    }
    return ((records ?? nil) ?? []).filter { $0["event"]?.string == "finding" }
      .compactMap { try? $0.decoded(as: Finding.self) }
  }
}
