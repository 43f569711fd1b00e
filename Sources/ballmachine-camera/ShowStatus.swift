import Camera
import Host
import JSON
import Programs

/// `ballmachine camera status`: what the camera's service sees.
struct ShowStatus: Subcommand {
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "status",
    summary: "Show what the camera's service sees, or why it sees nothing",
    options: OutputOptions.options.within(\.output),
    details: "For operators: the group ballmachine-operator."
  )

  func run(_ output: Output) async throws {
    let status = try await CameraClient(path: ProgramPlaces.camera.socket).status()
    try await output.write(CameraStatusReport(status: status))
  }
}

/// The state of the camera.
struct CameraStatusReport: Report {
  var status: CameraStatus

  var text: String {
    let size = status.size.map { "\($0[0]) × \($0[1])" }
    let picture = [size, status.format, "\(status.rate.fixed(1)) frames/s"].compactMap(\.self)
    let frames = status.frames
    return [
      "sight        \(status.sight.text)",
      "camera       \(status.device ?? "none")",
      "picture      \(picture.joined(separator: ", "))",
      "frames       \(frames.taken) looked at, \(frames.passedOver) passed over, "
        + "\(frames.damaged) damaged, \(frames.old) too old, \(frames.lost) lost",
      "calibration  \(status.calibration.reason ?? status.calibration.camera ?? "none")",
      "feed         \(status.feed.reason ?? "\(status.feed.sent) positions sent")",
    ].joined(separator: "\n")
  }

  func encode(to encoder: any Encoder) throws { try encoder.encode(status, as: "camera") }
}
