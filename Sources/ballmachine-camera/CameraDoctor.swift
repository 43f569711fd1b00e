import Calibrations
import Camera
import CourtMapping
import Glibc
import Host
import Programs

/// `ballmachine camera doctor`: why the camera sees nothing.
struct CameraDoctor: Subcommand {
  var camera = CameraOptions()

  static let usage = Usage<Self>(
    name: "doctor",
    summary: "Find out why the camera sees nothing",
    options: CameraOptions.options.within(\.camera),
    details: """
      It looks at the configuration, the cameras, the calibration and the camera's service. Where \
      that does not run, it looks for a frame of a camera at the network itself. `ok' means as it should be, `note' worth knowing, `problem' not working. It ends with 69 if there \
      is a problem.
      """
  )

  func run(_ output: Output) async throws {
    var findings: [Finding] = []
    let settings: CameraSettings
    do {
      settings = try camera.settings()
      findings.append(.ok("camera.configured", "the configuration is valid"))
    } catch {
      settings = CameraSettings()
      findings.append(.problem("camera.configuration", "\(error)", "mend the file"))
    }
    findings += settings.configuredSource.map(Self.source) ?? devices(settings)
    findings += calibration(settings)
    findings += await service(settings)
    try await output.write(findings, by: "camera")
  }

  private static func source(_ source: ConfiguredSource) -> [Finding] {
    if let problem = source.problem { return [.problem("camera.missing", "\(problem)", nil)] }
    return [.ok("camera.found", "\(source.path): \(source.name), read by \(source.program)")]
  }

  private func devices(_ settings: CameraSettings) -> [Finding] {
    let cameras = ListedCamera.all()
    let found = cameras.compactMap { try? $0.get() }
    if let device = settings.device, !found.contains(where: { $0.path == device }) {
      // A name in /dev/v4l/by-id is another name of one of them.
      guard isThere(device) else {
        return [.problem("camera.missing", "\(device): there is no such device", "connect it")]
      }
    }
    if found.isEmpty {
      let problem = cameras.lazy.compactMap { camera -> CameraProblem? in
        if case .failure(let problem) = camera { problem } else { nil }
      }.first
      return [.problem("camera.missing", "\(problem ?? .none)", nil)]
    }
    let isUsable = found.contains { $0.problem == nil }
    return found.map { camera in
      if let problem = camera.problem {
        // Some cameras have a second device, for their video.
        let isWanted = camera.path == settings.device || !isUsable
        return isWanted
          ? .problem("camera.format", "\(problem)", nil) : .note("camera.format", "\(problem)")
      }
      let formats = Set(camera.modes.map { "\($0.pixelFormat)" }).sorted().joined(separator: ", ")
      return .ok("camera.found", "\(camera.path): \(camera.name), \(formats)")
    }
  }

  private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private func calibration(_ settings: CameraSettings) -> [Finding] {
    let file: CalibrationFile
    do throws(CalibrationFileError) {
      file = try CalibrationFile(path: settings.calibration)
    } catch {
      return [.problem("calibration.none", "\(error)", "run `ballmachine camera calibrate'")]
    }
    guard file.isConfirmed else {
      let reason = "\(settings.calibration): \(file.confirmation)"
      return [.problem("calibration.unconfirmed", reason, nil)]
    }
    let age = file.time.map { WallTime().duration(since: $0) / .seconds(86_400) }
    let text = "\(file.calibration.sentence)" + (age.map { ", \(Int($0)) days old" } ?? "")
    let warnings = file.calibration.warnings.map(\.description)
    let finding: Finding =
      warnings.isEmpty
      ? .ok("calibration.valid", text)
      : .note("calibration.doubtful", "\(text): \(warnings.joined(separator: "; "))")
    return file.warnings.contains(.fewLines)
      ? [finding, .note("calibration.unchecked", "\(CalibrationWarning.fewLines)")] : [finding]
  }

  /// Where no service has the camera at the network.
  private func trial(_ settings: CameraSettings) async -> [Finding] {
    guard settings.source != nil, settings.configuredSource?.problem == nil else { return [] }
    do {
      let (layout, counts) = try await OneFrame(settings, clock: SystemClock()).look()
      let size = layout.map { "\($0.size)" } ?? ""
      return [.ok("camera.frames", "a frame of \(size) has come; frames: \(counts.text)")]
    } catch {
      return [.problem("camera.frames", "\(error)", nil)]
    }
  }

  private func service(_ settings: CameraSettings) async -> [Finding] {
    let status: CameraStatus
    do throws(CameraClientError) {
      status = try await CameraClient(path: ProgramPlaces.camera.socket).status()
    } catch {
      return [.note("camera.service", "\(error)")] + (await trial(settings))
    }
    var findings: [Finding] = [.ok("camera.frames", "frames: \(status.frames.text)")]
    switch status.sight.state {
    case .player: findings.append(.ok("camera.sight", status.sight.text))
    case .nothing: findings.append(.note("camera.sight", status.sight.text))
    case .noCamera:
      let unit = status.sight.code == "not-handed-over" ? settings.supplier?.kind.unit : nil
      let remedy = unit.map { "run `systemctl enable --now \($0)'" }
      findings.append(.problem("camera.sight", status.sight.text, remedy))
    }
    if status.sight.state != .noCamera, status.rate < 5 {
      findings.append(
        .problem(
          "camera.slow",
          "\(status.rate) frames/s: too few to follow a player",
          "more light, a smaller size, or another USB port"
        )
      )
    }
    if status.frames.forgiven > 0 {
      findings.append(
        .note(
          "camera.forgiven",
          """
          \(status.frames.forgiven) of \(status.frames.taken) frames had stray bytes, two beginnings \
          or no end, and were read: nothing of the picture was missing
          """
        )
      )
    }
    if let reason = status.feed.reason {
      findings.append(.problem("camera.feed", reason, "start the bridge; check feed.socket"))
    }
    return findings
  }
}

extension FrameCounts {
  /// What became of a source's frames.
  var text: String {
    "\(taken) looked at, \(passedOver) passed over, \(damaged) damaged, \(old) too old, "
      + "\(lost) lost" + (forgiven > 0 ? ", \(forgiven) with faults that cost no pixel" : "")
  }
}
