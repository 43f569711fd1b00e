package import Calibrations
import CourtMapping

/// What the camera makes of its frames at the moment.
package struct SightRecord: Codable, Hashable, Sendable {
  package enum State: String, Codable, Sendable {
    /// The player is seen, and positions are sent.
    case player
    /// Nothing is sent: a doubt, or no calibration.
    case nothing
    /// There are no frames.
    case noCamera
  }

  package var state: State
  /// Why nothing is sent: a ``Doubt``'s or a ``CameraProblem``'s.
  package var code: String?
  package var reason: String?
}

extension SightRecord {
  init(_ doubt: Doubt) {
    self.init(state: .nothing, code: doubt.code, reason: "\(doubt)")
  }
}

/// The answer to `status`.
package struct CameraStatus: Codable, Hashable, Sendable {
  package var sight: SightRecord
  package var device: String?
  package var size: [Int]?
  package var format: String?
  /// Frames a second, in the last second.
  package var rate: Double
  /// Since the program was started.
  package var frames: FrameCounts
  package var calibration: CalibrationState
  package var feed: Feed

  package struct CalibrationState: Codable, Hashable, Sendable {
    package var file: String
    /// Where the camera stands; nil without a usable calibration.
    package var camera: String?
    package var made: String?
    package var reason: String?
  }

  package struct Feed: Codable, Hashable, Sendable {
    package var socket: String
    package var sent: Int
    /// Why nothing can be sent.
    package var reason: String?
  }
}

/// So many bytes of JPEG follow.
package struct StillRecord: Codable, Hashable, Sendable {
  package var bytes: Int
}

/// Points that a person tries.
package struct CheckRequest: Codable, Hashable, Sendable {
  package var size: [Int]
  package var points: [String: [Double]]
  package var lens: Double?
  /// Whether they move to the painted lines.
  package var snap: Bool?
}

/// A new calibration, as an operator sends it.
package struct CalibrationRequest: Codable, Hashable, Sendable {
  package var size: [Int]
  package var points: [String: [Double]]
  package var lens: Double?
  /// The share of the court's lines that was seen, 0…1; nil if it isn't known.
  package var lines: Double?
  /// The sentence that a person has compared with the camera.
  package var confirmed: String
  package var source: String

  package init(_ file: CalibrationFile) {
    let calibration = file.calibration
    size = [calibration.size.width, calibration.size.height]
    points = [:]
    for (mark, point) in calibration.marks { points[mark.rawValue] = [point.u, point.v] }
    lens = calibration.lens
    lines = file.lines
    confirmed = file.confirmed ?? ""
    source = file.source ?? ""
  }
}
