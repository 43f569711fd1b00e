import Camera
import Host
import JSON
import Programs

/// `ballmachine camera status`: what the camera's service sees.
struct ShowStatus: Subcommand {
  static let usage = Usage<Self>(
    name: "status",
    summary: "Show what the camera's service sees, or why it sees nothing",
    details: "For operators: the group ballmachine-operator."
  )

  func run(_ output: Output) async throws {
    let status = try await CameraClient(path: ProgramPlaces.camera.socket).status()
    try await output.write(RecordReport("camera", status, lines: status.lines))
  }
}

extension CameraStatus {
  fileprivate var lines: [String] {
    let size = size.map { "\($0[0]) × \($0[1])" }
    let picture = [size, format, "\(rate.fixed(1)) frames/s"].compactMap(\.self)
    return [
      "sight        \(sight.text)",
      "camera       \(cameras.first { $0.isUsed }?.name ?? "none")",
      "picture      \(picture.joined(separator: ", "))",
      "frames       \(frames.text)",
      "calibration  \(calibration.reason ?? calibration.camera ?? "none")",
      "feed         \(feed.reason ?? "\(feed.sent) positions sent")",
    ]
  }
}
