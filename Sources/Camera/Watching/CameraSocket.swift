import Calibrations
import ControlProtocol
import CourtMapping
package import Host
import JSON

/// Answers operators: `status`, `sources`, `use`, `still`, `check` and `calibrate`, as JSON-RPC 2.0, one
/// request a line.
///
/// A still's bytes follow the line of its answer: as text they would be a third longer, and longer
/// than a line may be.
package struct CameraSocket: Sendable {
  package static let name = "camera.sock"
  /// A calibration has 2 kB.
  private static let longestRequest = 16_384

  private enum Method: String, CaseIterable {
    case status, sources, use, still, check, calibrate
  }

  private let server: LineServer

  package init(path: String, camera: CourtCamera) throws(UnixSocketError) {
    server = try LineServer(path: path, longest: Self.longestRequest) { line in
      do {
        return try await Self.carryOut(line, by: camera)
      } catch let problem as CalibrationProblem {
        throw ControlError(problem)
      }
    }
  }

  /// Answers until the task is cancelled.
  package func run() async { await server.run() }

  private static func carryOut(
    _ line: ControlLine,
    by camera: CourtCamera
  ) async throws -> RequestResult {
    switch try line.method(of: Method.self) {
    case .status: return RequestResult(await camera.status)
    case .sources: return RequestResult(await camera.sources)
    case .use:
      guard line.parameters["kind"]?.string == "configured" else {
        throw ControlError.invalidParameters(
          "kind is not configured: a phone becomes the camera at its page"
        )
      }
      await camera.useConfigured()
      return RequestResult(await camera.sources)
    case .still:
      let picture = try await camera.still()
      return RequestResult(StillRecord(bytes: picture.count), bytes: picture)
    case .check:
      let request: CheckRequest = try line.decoded()
      let rough = try CalibrationFile.calibration(
        size: request.size,
        points: request.points,
        lens: request.lens
      )
      return RequestResult(try await camera.check(rough, snaps: request.snap ?? false))
    case .calibrate:
      try await camera.calibrate(try CalibrationFile(try line.decoded()))
      return RequestResult(await camera.status.calibration)
    }
  }
}

extension ControlError {
  /// Why points make no calibration, with the marks that are wrong, if it is known which.
  fileprivate init(_ problem: CalibrationProblem) {
    let marks = problem.marks.map { JSONValue.string($0.rawValue) }
    self.init(
      .refused,
      "\(problem)",
      data: ["code": .string(problem.code), "marks": .array(marks)]
    )
  }
}
