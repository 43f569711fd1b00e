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
    let settings = try CameraSettings.load(config, orElse: CameraSettings.standardPath)
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

/// A video device or another source, or why it can't be used.
struct ListedReport: LinedReport {
  private var device: String
  private var name: String?
  private var driver: String?
  private var modes: [Mode]
  private var code: String?
  private var reason: String?

  struct Mode: Encodable, Sendable {
    var format: String
    var size: [Int]
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
    return ["\(device)  \(name) (\(driver))"] + lines
      + [reason.map { "  \($0)" }].compactMap(\.self)
  }
}
