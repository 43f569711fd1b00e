package import Camera
import CourtMapping
import Glibc
import Host
package import Programs

/// `ballmachine-camera`, which `ballmachine camera` runs.
@main
enum CameraProgram: Program {
  static let name = "ballmachine camera"
  static let summary = "Finds the player in a camera's picture and feeds the bridge"
  static let groups: [(title: String, members: [any Subcommand.Type])] = [
    ("Set up", [List.self, StillPicture.self, Calibrate.self]),
    ("Run", [Run.self, ShowStatus.self, HandOver.self]),
    ("Find out what is wrong", [CameraDoctor.self, Help<CameraProgram>.self]),
  ]
}

extension ProgramPlaces {
  static let camera = ProgramPlaces(of: "ballmachine-camera", unless: "BALLMACHINE_CAMERA_DIR")

  /// The socket of the camera's service.
  var socket: String { runtime + "/" + CameraSocket.name }
  /// The socket at which the fleet's client asks for a picture.
  var picture: String { runtime + "/" + PictureSocket.name }
  /// The socket at which other programs hand frames over to the camera's service.
  var frames: String { runtime + "/" + HandedFrames.name }
}

/// Where the camera's configuration is, and what overrides it.
struct CameraOptions {
  var config: String?
  var device: String?
  var source: String?
  var size: PictureSize?
  var rate: Int?
  var calibration: String?

  static let options: [Option<CameraOptions>] = [
    .value(
      "config",
      .text("FILE"),
      \.config,
      "Read this configuration (default: \(CameraSettings.standardPath) if there is one)"
    ),
    .value("device", .text("PATH"), \.device, "Use this video device"),
    .value("source", .text("ADDRESS"), \.source, "Use the camera at this address of the network"),
    .value("size", .pictureSize, \.size, "Ask the camera for pictures of this size"),
    .value("rate", .integer("NUMBER", in: 5...60), \.rate, "Frames a second to work on"),
    .value("calibration", .text("FILE"), \.calibration, "Read this calibration"),
  ]

  func settings() throws -> CameraSettings {
    var settings = try CameraSettings.load(config, orElse: CameraSettings.standardPath)
    guard device == nil || source == nil else {
      throw Failure(.usage, "give only one of --device and --source")
    }
    if device != nil || source != nil {
      (settings.device, settings.source, settings.command) = (device, try address(), nil)
      if source == nil { settings.passwordFile = nil }
    }
    settings.size = size ?? settings.size
    settings.rate = rate ?? settings.rate
    settings.calibration = calibration ?? settings.calibration
    if let problem = settings.problem { throw Failure(.configuration, problem) }
    return settings
  }

  /// Checked here: an option's complaint would repeat a password in it.
  private func address() throws -> StreamAddress? {
    guard let source else { return nil }
    do throws(StreamAddress.Refusal) { return try StreamAddress(source) } catch {
      throw Failure(.usage, "--source: the address \(error)")
    }
  }
}

extension CameraProblem: ExitCoded {
  package var exitCode: ExitCode {
    switch code {
    case .missing, .gone, .busy: .unavailable
    case .denied: .noPermission
    case .notACamera, .badFile: .badData
    case .needsLibcamera, .needsProgram, .programEnded, .unreachable, .noSuchStream, .late, .frozen:
      .unavailable
    case .wrongPassword: .noPermission
    case .formatRefused, .needsDecoder, .passwordFile: .configuration
    case .streamFailed: .inputOutput
    }
  }

  package var errorCode: String? { code.rawValue }
}
