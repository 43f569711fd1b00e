import Calibrations
package import Host
import JSON

/// Answers operators: `status`, `still`, `check` and `calibrate`, one request a line.
///
/// An answer is a line of JSON; a still's bytes follow it.
package struct CameraSocket: Sendable {
  package static let name = "camera.sock"
  /// A calibration has 2 kB.
  private static let longestRequest = 16_384

  private let server: LineServer

  package init(path: String, camera: CourtCamera) throws(UnixSocketError) {
    server = try LineServer(path: path, longest: Self.longestRequest) { line in
      let request = line.flatMap { try? JSONValue(text: $0).decoded(as: CameraRequest.self) }
      return await Self.answer(request, by: camera)
    }
  }

  /// Answers until the task is cancelled.
  package func run() async { await server.run() }

  private static func answer(_ request: CameraRequest?, by camera: CourtCamera) async -> [UInt8] {
    do {
      switch request {
      case .status: return try JSONAnswer(result: await camera.status).line
      case .still:
        let picture = try await camera.still()
        return try JSONAnswer(result: StillRecord(bytes: picture.count)).line + picture
      case .check(let request):
        let rough = try CalibrationFile.calibration(
          size: request.size,
          points: request.points,
          lens: request.lens
        )
        return try JSONAnswer(
          result: await camera.check(rough, snaps: request.snap ?? false)
        ).line
      case .calibrate(let request):
        try await camera.calibrate(try CalibrationFile(request))
        return try JSONAnswer(result: await camera.status.calibration).line
      case nil:
        throw CameraRefusal(
          "the request is not status, still, check or calibrate, or it is malformed"
        )
      }
    } catch {
      return (try? JSONAnswer<StillRecord>(error: "\(error)").line) ?? []
    }
  }
}
