import CourtMapping
import Glibc

/// A camera whose picture of the ground is known, by its own way: through angles and rotations, not
/// through a homography.
struct KnownCamera {
  let size: PictureSize
  let place: SIMD3<Double>
  let focal: Double
  /// Of the lens, as in ``Calibration/lens``.
  let lens: Double
  private let right: SIMD3<Double>
  private let down: SIMD3<Double>
  private let ahead: SIMD3<Double>

  /// - Parameters:
  ///   - place: x, y and the height, in metres.
  ///   - target: the place on the ground that it looks at.
  ///   - fieldOfView: horizontally, in degrees.
  ///   - roll: in degrees.
  init(
    at place: (Double, Double, Double),
    lookingAt target: (Double, Double),
    fieldOfView: Double,
    roll: Double = 0,
    lens: Double = 0,
    size: PictureSize = PictureSize(width: 1280, height: 720)!
  ) {
    self.size = size
    self.place = SIMD3(place.0, place.1, place.2)
    self.lens = lens
    focal = Double(size.width) / 2 / tan(fieldOfView * .pi / 360)
    func unit(_ vector: SIMD3<Double>) -> SIMD3<Double> {
      vector / (vector * vector).sum().squareRoot()
    }
    let forward = unit(SIMD3(target.0 - place.0, target.1 - place.1, -place.2))
    // Up is +z here; x, y and up are left-handed, as the court is drawn.
    let level = unit(SIMD3(forward.y, -forward.x, 0) * -1)
    let below = unit(
      SIMD3(
        level.y * forward.z - level.z * forward.y,
        level.z * forward.x - level.x * forward.z,
        level.x * forward.y - level.y * forward.x
      )
    )
    let angle = roll * .pi / 180
    let downwards = below.z < 0 ? below : -below
    right = level * cos(angle) + downwards * sin(angle)
    down = downwards * cos(angle) - level * sin(angle)
    ahead = forward
  }
}

extension KnownCamera {
  /// Where a place is seen, up to `above` metres over the ground; nil behind the camera and beside
  /// the picture.
  func picture(_ point: CourtPoint, above: Double = 0) -> PicturePoint? {
    let from = SIMD3(point.x, point.y, above) - place
    let depth = (from * ahead).sum()
    guard depth > 0.1 else { return nil }
    let unit = hypot(Double(size.width), Double(size.height)) / 2
    let u = (from * right).sum() / depth * focal / unit
    let v = (from * down).sum() / depth * focal / unit
    // The distance in a bent picture, by trying: the lens's own formula is what is tested.
    let straight = hypot(u, v)
    var bent = straight
    for _ in 0..<60 { bent = straight * (1 + lens * bent * bent) }
    let scale = straight == 0 ? 1 : bent / straight
    let shown = PicturePoint(
      Double(size.width) / 2 + u * scale * unit,
      Double(size.height) / 2 + v * scale * unit
    )
    let isInside =
      (0...Double(size.width)).contains(shown.u) && (0...Double(size.height)).contains(shown.v)
    return isInside ? shown : nil
  }

  /// The marks that it sees, or those of `names`.
  func marks(_ names: [CourtMark] = CourtMark.allCases) -> [CourtMark: PicturePoint] {
    var marks: [CourtMark: PicturePoint] = [:]
    for name in names { marks[name] = picture(name.point) }
    return marks
  }
}

extension [CourtMark: PicturePoint] {
  /// As a person points to them who is off by `pixels`, as a standard deviation of u and v each.
  func tapped(off pixels: Double, _ generator: inout some RandomNumberGenerator) -> Self {
    var tapped = self
    // In a fixed order: a dictionary's own differs from run to run.
    for name in CourtMark.allCases {
      guard let point = self[name] else { continue }
      tapped[name] = PicturePoint(
        point.u + generator.normal() * pixels,
        point.v + generator.normal() * pixels
      )
    }
    return tapped
  }
}

extension RandomNumberGenerator {
  /// A standard normal number.
  mutating func normal() -> Double {
    let distance = (-2 * log(Double.random(in: .leastNonzeroMagnitude...1, using: &self)))
      .squareRoot()
    return distance * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}

/// The eight marks of the player's half that a person would choose.
let eightMarks: [CourtMark] = [
  .netLeft, .netRight, .singlesLeftService, .centreService, .singlesRightService, .baselineLeft,
  .baselineCentre, .baselineRight,
]
let sixMarks: [CourtMark] = [
  .netLeft, .netRight, .singlesLeftService, .singlesRightService, .baselineLeft, .baselineRight,
]
let fourMarks: [CourtMark] = [.netLeft, .netRight, .baselineLeft, .baselineRight]

/// Behind the player's baseline, as most people would put it.
let behindBaseline = KnownCamera(
  at: (4.115, 19.9, 3),
  lookingAt: (4.115, 6),
  fieldOfView: 70
)
