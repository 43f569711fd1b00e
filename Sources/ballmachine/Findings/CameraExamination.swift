import Glibc
import Host
import JSON
import Programs

/// What the camera's own doctor finds, where the bridge has a calibration. The bridge knows nothing of
/// cameras: it passes the findings on.
enum CameraExamination {
  /// A camera that hangs must not keep the doctor.
  private static let timeout = Duration.seconds(15)

  /// - Parameter calibration: of the bridge's configuration; nil: no camera is expected.
  static func findings(_ calibration: String?) async -> [CameraFinding] {
    guard let calibration, let program = OtherProgram.path(of: "camera") else { return [] }
    let arguments = [program, "doctor", "--json", "--calibration", calibration]
    let lines = try? await waiting(atMost: timeout) { try await run(arguments) }
    return (lines ?? []).compactMap { line in
      (try? JSONValue(text: Array(line.utf8))).flatMap(CameraFinding.init)
    }
  }

  private static func run(_ arguments: [String]) async throws -> [Substring] {
    var template = Array("/tmp/ballmachine-camera-XXXXXX".utf8CString)
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

/// A finding of the camera's doctor, as it came.
struct CameraFinding: Report {
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
