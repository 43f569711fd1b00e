import Camera
import CourtMapping
import JSON
import Programs

/// `ballmachine camera list`: the cameras of this box, and what else is configured.
struct List: Subcommand {
  var config: String?

  static let usage = Usage<Self>(
    name: "list",
    summary: "List the cameras and what they offer",
    options: [
      .value("config", .text("FILE"), \.config, "Read the configured source from this file")
    ],
    details: """
      It begins with the configured address or command, if there is one. It ends with 69 if there is \
      no camera. A camera that is in use is listed as well.
      """
  )

  func run(_ output: Output) async throws {
    let settings = try CameraOptions(config: config).settings()
    let source = settings.configuredSource
    if let source { try await output.write(ListedReport(source)) }
    let cameras = ListedCamera.all()
    for camera in cameras { try await output.write(ListedReport(camera)) }
    guard source?.problem != nil || !cameras.contains(where: { (try? $0.get()) != nil }) else {
      return
    }
    if let source, source.problem == nil { return }
    throw cameras.isEmpty && source == nil
      ? CameraProblem.none : Failure(.unavailable, "none of these can be opened")
  }
}

/// A video device, or the address or command that is configured, or why it can't be used.
struct ListedReport: LinedReport {
  var event = "listedCamera"
  /// The device's path, the address, or the program's name.
  var device: String
  /// What it calls itself.
  var name: String?
  /// The kernel's driver, or the program that reads it.
  var driver: String?
  /// What a video device offers.
  var modes: [Mode]
  /// Why it can't be used.
  var code: String?
  /// The same in words.
  var reason: String?

  /// What a video device offers.
  struct Mode: Encodable, Sendable {
    /// How its frames are encoded, in four characters.
    var format: String
    /// Width and height of its frames, in pixels.
    var size: [Int]
    /// Frames a second, the highest first; empty if the device doesn't say.
    var rates: [Double]

    init(_ mode: CaptureMode) {
      format = "\(mode.pixelFormat)"
      size = [mode.size.width, mode.size.height]
      rates = mode.rates.map { $0.rounded(places: 1) }
    }
  }

  init(_ camera: Result<ListedCamera, CameraProblem>) {
    switch camera {
    case .success(let camera):
      device = camera.path
      name = camera.name
      driver = camera.driver
      modes = camera.modes.map(Mode.init)
      code = camera.problem?.code.rawValue
      reason = camera.problem?.description
    case .failure(let problem):
      device = problem.path
      modes = []
      code = problem.code.rawValue
      reason = "\(problem)"
    }
  }

  init(_ source: ConfiguredSource) {
    device = source.path
    name = source.name
    driver = source.program
    modes = []
    code = source.problem?.code.rawValue
    reason = source.problem.map { "\($0)" }
  }

  var lines: [String] {
    guard let name, let driver else { return [reason ?? device] }
    let lines = modes.map { mode in
      let rates = mode.rates.map { $0.fixed(0) }.joined(separator: ", ")
      return "  \(mode.format) \(mode.size[0]) × \(mode.size[1])"
        + (rates.isEmpty ? "" : ", \(rates) frames/s")
    }
    return ["\(device)  \(name) (\(driver))"] + lines + (reason.map { ["  \($0)"] } ?? [])
  }
}
