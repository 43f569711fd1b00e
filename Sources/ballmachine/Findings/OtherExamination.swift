import Glibc
import Host
import JSON
import Programs

/// What the doctors of the programs beside this one find. The bridge knows nothing of cameras and phones:
/// it passes their findings on.
enum OtherExamination {
  /// A camera that hangs must not keep the doctor.
  private static let timeout = Duration.seconds(15)

  /// - Parameter calibration: of the bridge's configuration; nil: no camera is expected.
  static func findings(_ calibration: String?) async -> [OtherFinding] {
    async let camera = findings(
      "camera",
      if: calibration != nil,
      ["--calibration", calibration ?? ""]
    )
    async let page = findings("web", if: await isPageWanted())
    return await camera + page
  }

  /// Whether the page's service starts with the box, or was started.
  private static func isPageWanted() async -> Bool {
    guard let unit = await SystemdUnit.named("ballmachine-web.service") else { return false }
    return unit.file == "enabled" || unit.active != "inactive"
  }

  private static func findings(
    _ name: String,
    if isExpected: Bool,
    _ options: [String] = []
  ) async -> [OtherFinding] {
    guard isExpected, let program = OtherProgram.path(of: name) else { return [] }
    let arguments = [program, "doctor", "--json"] + options
    let lines = try? await waiting(atMost: timeout) { try await run(arguments) }
    return (lines ?? []).compactMap { line in
      (try? JSONValue(text: Array(line.utf8))).flatMap(OtherFinding.init)
    }
  }

  private static func run(_ arguments: [String]) async throws -> [Substring] {
    var template = Array("/tmp/ballmachine-doctor-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("make a folder") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = folder + "/findings"
    defer {
      _ = unlink(path)
      _ = rmdir(folder)
    }
    _ = try await ChildProcess.run(arguments, output: path)
    let bytes = try InputFile.bytes(path, longest: 1 << 20) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}

/// A finding of another program's doctor, as it came.
struct OtherFinding: Report {
  private let record: JSONValue
  let verdict: String

  init?(_ record: JSONValue) {
    guard record["event"]?.string == "finding", let verdict = record["verdict"]?.string else {
      return nil
    }
    self.record = record
    self.verdict = verdict
  }

  var text: String {
    let label = "\(padded(verdict, to: 8)) \(padded(record["check"]?.string ?? "", to: 11)) "
    let words = [record["text"]?.string, record["remedy"]?.string.map { "→ \($0)" }]
    let lines = words.compactMap(\.self).flatMap { wrapped($0.printable, to: 79 - label.count) }
    return hanging(label, lines)
  }

  func encode(to encoder: any Encoder) throws { try record.encode(to: encoder) }
}
