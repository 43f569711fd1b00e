package import CourtMapping
import Glibc

/// A camera without distortion: where it stands, what it looks at, and how wide it sees.
package struct SceneCamera: Sendable {
  package let place: Vector
  package let size: PictureSize
  /// In pixels.
  package let focalLength: Double

  private let right: Vector
  private let down: Vector
  private let forward: Vector

  /// - Parameters:
  ///   - aim: the place at which it looks.
  ///   - view: how wide it sees, in degrees.
  ///   - roll: how far its right side hangs down, in degrees.
  package init(place: Vector, aim: Vector, view: Double, roll: Double = 0, size: PictureSize) {
    self.place = place
    self.size = size
    focalLength = Double(size.width) / 2 / tan(view / 2 * .pi / 180)
    forward = (aim - place).unit
    // The court's axes with z up are left-handed: x right, y towards the viewer.
    let level = Vector(0, 0, 1).cross(forward).unit
    let below = level.cross(forward)
    let (cosine, sine) = (cos(roll * .pi / 180), sin(roll * .pi / 180))
    right = level * cosine + below * sine
    down = below * cosine - level * sine
  }

  /// A point in the picture, and how far in front of the camera it is.
  package struct Sight: Sendable {
    package let point: PicturePoint
    package let depth: Double
  }

  /// - Returns: nil for what is less than 0.3 m in front of the camera.
  package func sees(_ point: Vector) -> Sight? {
    let offset = point - place
    let depth = offset.dot(forward)
    guard depth > 0.3 else { return nil }
    let scale = focalLength / depth
    return Sight(
      point: PicturePoint(
        Double(size.width) / 2 + offset.dot(right) * scale,
        Double(size.height) / 2 + offset.dot(down) * scale
      ),
      depth: depth
    )
  }

  /// The direction in which a point of the picture lies.
  func ray(_ u: Double, _ v: Double) -> Vector {
    forward + right * ((u - Double(size.width) / 2) / focalLength)
      + down * ((v - Double(size.height) / 2) / focalLength)
  }

  /// The marks that a person would tap who is off by `error` pixels (one sigma) of a picture 1280
  /// wide, as that picture has them.
  package func marks(in size: PictureSize, error: Double, seed: UInt64) -> [CourtMark: PicturePoint]
  {
    var random = Random(seed: seed)
    let scale = Double(size.width) / Double(self.size.width)
    let pixel = error * Double(size.width) / 1280
    var marks: [CourtMark: PicturePoint] = [:]
    for mark in CourtMark.allCases {
      let (du, dv) = (random.normal() * pixel, random.normal() * pixel)
      guard let sight = sees(Vector(mark.point.x, mark.point.y, 0)) else { continue }
      let point = PicturePoint(sight.point.u * scale + du, sight.point.v * scale + dv)
      guard (0..<Double(size.width)).contains(point.u), (0..<Double(size.height)).contains(point.v)
      else { continue }
      marks[mark] = point
    }
    return marks
  }

  /// Where the marks would be if it stood farther from the net by some metres.
  package func marks(in size: PictureSize, along metres: Double) -> [CourtMark: PicturePoint] {
    let scale = Double(size.width) / Double(self.size.width)
    var marks: [CourtMark: PicturePoint] = [:]
    for mark in CourtMark.allCases {
      guard let seen = sees(Vector(mark.point.x, mark.point.y - metres, 0))?.point else { continue }
      let point = PicturePoint(seen.u * scale, seen.v * scale)
      guard (0..<Double(size.width)).contains(point.u), (0..<Double(size.height)).contains(point.v)
      else { continue }
      marks[mark] = point
    }
    return marks
  }
}
