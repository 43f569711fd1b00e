package import Calibrations
import CourtMapping

/// Whether the player is seen, or why not.
package struct SightRecord: Codable, Hashable, Sendable {
  package enum State: String, Codable, Sendable {
    /// The player is seen, and positions are sent.
    case player
    /// Nothing is sent: a doubt, or no calibration.
    case nothing
    /// There are no frames.
    case noCamera
  }

  /// One of `player` (he is seen, and positions are sent), `nothing` (a doubt, or no calibration) and
  /// `noCamera`.
  package var state: State
  /// Why nothing is sent: a ``Doubt``'s or a ``CameraProblem``'s. With the state `player`, what a person
  /// should know of the positions: a ``SightHint``'s.
  package var code: String?
  /// The same in words.
  package var reason: String?
}

extension SightRecord {
  init(_ doubt: Doubt) {
    self.init(state: .nothing, code: doubt.code, reason: "\(doubt)")
  }

  init(_ problem: CameraProblem) {
    self.init(state: .noCamera, code: problem.code.rawValue, reason: "\(problem)")
  }

  init(seenWith hint: SightHint?) {
    self.init(state: .player, code: hint?.code, reason: hint.map { "\($0)" })
  }
}

/// What the camera's service sees, its answer to `status`.
package struct CameraStatus: Codable, Hashable, Sendable {
  /// Whether the player is seen, or why not.
  package var sight: SightRecord
  /// What can be the camera: the configured one first, then the phone that is in its place.
  package var cameras: [CameraSource]
  /// The path of the camera or of a file of frames, the address of a camera at the network, or the name
  /// of the program that gives the frames; nil while there is none, or frames are handed over.
  package var device: String?
  /// Width and height of its frames, in pixels.
  package var size: [Int]?
  /// How its frames are encoded, in four characters.
  package var format: String?
  /// Frames a second, in the last second.
  package var rate: Double
  /// What became of the frames since the program was started.
  package var frames: FrameCounts
  /// What it knows of the camera's place.
  package var calibration: CalibrationState
  /// Where the positions go.
  package var feed: Feed

  /// The calibration that is used.
  package struct CalibrationState: Codable, Hashable, Sendable {
    /// The file's path.
    package var file: String
    /// Where the camera stands; nil without a usable calibration.
    package var camera: String?
    /// When it was made, on the wall clock.
    package var made: String?
    /// Why it can't be used.
    package var reason: String?
  }

  /// How positions get to the bridge.
  package struct Feed: Codable, Hashable, Sendable {
    /// The path of the bridge's socket.
    package var socket: String
    /// Positions that the bridge has taken.
    package var sent: Int
    /// Why nothing can be sent.
    package var reason: String?
  }
}

/// Something that can be the camera.
package struct CameraSource: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, Sendable {
    case device, network, command, phone
  }

  package enum State: String, Codable, Sendable {
    /// Its frames come.
    case frames
    /// It is the camera, and no frames come.
    case silent
    /// A phone is the camera.
    case rests
  }

  /// One of `device` (a video device), `network` (an address), `command` (a program that writes
  /// frames) and `phone`.
  package var kind: Kind
  /// The device, the address, the command, or what its owner calls the phone.
  package var name: String
  /// What the page calls the phone.
  package var id: String?
  /// Whether it is the camera.
  package var isUsed: Bool
  /// One of `frames` (they come), `silent` (it is the camera, and no frames come) and `rests` (a
  /// phone is the camera).
  package var state: State
  /// Why no frames come.
  package var code: String?
  /// The same in words.
  package var reason: String?
  /// Seconds since its last frame; nil if there was none since it was chosen.
  package var last: Double?
  /// Width and height of its frames, in pixels.
  package var size: [Int]?
  /// How its frames are encoded, in four characters.
  package var format: String?
  /// Frames a second, in the last second.
  package var rate: Double?
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
