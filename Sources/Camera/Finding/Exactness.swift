import CourtMapping
import Glibc

/// How exactly a place is known: worse along the line of sight than across it.
struct SightError: Hashable, Sendable {
  /// From the camera to the place, of length 1.
  var direction: CourtPoint
  /// The error along that direction, in metres, one sigma; ``across`` is the one at right angles.
  var along: Double
  var across: Double
}

/// How exactly the small picture shows the places on the ground.
struct Exactness {
  /// How exactly a foot is seen in the small picture, in its pixels, one sigma.
  static let pixels = 0.9

  let calibration: Calibration
  /// Pixels of the calibration for one of the small picture.
  let scale: Double

  /// Whether the camera is at about head height. From there a person who is farther away, and a near one
  /// whose feet are hidden, look the same.
  var isLow: Bool { calibration.camera.map { $0.height < 1.25 * CandidateJudge.height } ?? false }

  /// The metres that one pixel of the small picture covers; 1 m where the calibration doesn't say.
  func metresPerPixel(at place: CourtPoint) -> Double {
    calibration.metresPerPixel(at: place).map { $0 * scale } ?? 1
  }

  func error(at place: CourtPoint) -> SightError {
    let along = metresPerPixel(at: place) * Self.pixels
    guard let camera = calibration.camera else {
      return SightError(direction: CourtPoint(0, 1), along: along, across: along)
    }
    let (dx, dy) = (place.x - camera.ground.x, place.y - camera.ground.y)
    let distance = max(hypot(dx, dy), 0.1)
    // A pixel upwards is further on the ground than one aside, the more so the lower the camera.
    return SightError(
      direction: CourtPoint(dx / distance, dy / distance),
      along: along,
      across: along * min(1, camera.height / distance)
    )
  }
}
