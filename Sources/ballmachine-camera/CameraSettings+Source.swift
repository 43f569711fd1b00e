import Camera
import Glibc
import Host

extension CameraSettings {
  /// Opens what is configured, or the first device that captures.
  func capture(clock: SystemClock) throws(CameraProblem) -> any FrameSource {
    if let command {
      return try FrameStream.running(command, rate: Double(rate), clock: clock)
    }
    if let source {
      return try FrameStream.connecting(
        to: source,
        try passwordFile.map { (path) throws(CameraProblem) in try CameraLogin(path: path) },
        size: size,
        rate: Double(rate),
        clock: clock
      )
    }
    let request = CaptureRequest(size: size, rate: Double(rate))
    if let device { return try CameraCapture(device, request, clock: clock) }
    var problem = CameraProblem.none
    for camera in ListedCamera.all() {
      do throws(CameraProblem) {
        return try CameraCapture(camera.get().path, request, clock: clock)
      } catch {
        problem = error
      }
    }
    throw problem
  }
}

/// A source that is no video device, as it is configured.
struct ConfiguredSource {
  /// The address, or the program's name.
  let path: String
  /// What it is, for people.
  let name: String
  /// What reads it.
  let program: String
  /// Why it can't be used; nil as far as that shows without it.
  let problem: CameraProblem?
}

extension CameraSettings {
  var configuredSource: ConfiguredSource? {
    if let source {
      return ConfiguredSource(
        path: source.description,
        name: "camera at the network",
        program: FFmpeg.program,
        problem: sourceProblem
      )
    }
    guard let program = command?.first else { return nil }
    return ConfiguredSource(
      path: program,
      name: "frames of a program",
      program: program,
      problem: .ofMissing(program)
    )
  }

  private var sourceProblem: CameraProblem? {
    do throws(CameraProblem) {
      if let passwordFile { _ = try CameraLogin(path: passwordFile) }
      return .ofMissing(FFmpeg.program)
    } catch {
      return error
    }
  }
}
