import CourtMapping
import Glibc
import Scenes

/// A camera whose picture of the ground is known, by its own way: through angles and rotations, not
/// through a homography.
struct KnownCamera {
  /// The same camera without the lens.
  private let straight: SceneCamera
  /// As in ``Calibration/lens``.
  let lens: Double

  var size: PictureSize { straight.size }
  var place: Vector { straight.place }
  var focal: Double { straight.focalLength }

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
    self.lens = lens
    straight = SceneCamera(
      place: Vector(place.0, place.1, place.2),
      aim: Vector(target.0, target.1, 0),
      view: fieldOfView,
      roll: roll,
      size: size
    )
  }
}

extension KnownCamera {
  /// Where a place is seen, up to `above` metres over the ground; nil behind the camera and beside
  /// the picture.
  func picture(_ point: CourtPoint, above: Double = 0) -> PicturePoint? {
    guard let seen = straight.sees(Vector(point.x, point.y, above))?.point else { return nil }
    let unit = hypot(Double(size.width), Double(size.height)) / 2
    let u = (seen.u - Double(size.width) / 2) / unit
    let v = (seen.v - Double(size.height) / 2) / unit
    // The distance in a bent picture, by trying: the lens's own formula is what is tested.
    let distance = hypot(u, v)
    var bent = distance
    for _ in 0..<60 { bent = distance * (1 + lens * bent * bent) }
    let scale = distance == 0 ? 1 : bent / distance
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
