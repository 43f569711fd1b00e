import CourtLogic
import CourtMapping
import Glibc

/// What never moves: the court with its lines, the net, the fence, trees and the sky.
struct Surroundings {
  /// Painted and unpainted ground.
  struct Paint: Sendable {
    var surround = Colour(74, 120, 86)
    var court = Colour(140, 88, 62)
    /// Of places about 2 m across; nil if there are none.
    var worn: Colour?
  }

  /// What one ray of sight meets.
  struct Hit {
    var colour: Colour
    var isTree = false
  }

  private static let line = Colour(grey: 235)
  /// The fence, in metres; planes across x and across y.
  private static let fenceX = (low: -9.5, high: 17.7)
  private static let fenceY = (low: -20.0, high: 26.0)
  private static let fenceHeight = 4.0

  let camera: Vector
  let paint: Paint
  let texture: Texture

  /// The ground's colour, with lines 5 cm wide and baselines of 10 cm.
  func ground(_ x: Double, _ y: Double) -> Colour {
    let left = -CourtMark.alley, right = Court.width + CourtMark.alley
    let far = abs(y)
    let tint = Colour(grey: texture.smooth(x * 2, y * 2) * 7)
    guard x > left - 0.025, x < right + 0.025, far < Court.length + 0.025 else {
      return paint.surround + tint
    }
    let centre = Court.width / 2
    let across =
      far > Court.length - 0.1
      || abs(far - CourtMark.serviceLine) < 0.025 && x > 0 && x < Court.width
    let along =
      abs(x) < 0.025 || abs(x - Court.width) < 0.025 || abs(x - left) < 0.025
      || abs(x - right) < 0.025 || abs(x - centre) < 0.025 && far < CourtMark.serviceLine
      || abs(x - centre) < 0.025 && far > Court.length - 0.2
    if across || along { return Self.line }
    if let worn = paint.worn, texture.smooth(x / 2.5, y / 2.5) > 0.35 { return worn + tint }
    return paint.court + tint
  }

  /// The nearest fence in the ray's way.
  private struct Way {
    var distance: Double
    var height = 0.0
    var along = 0.0
  }

  func look(along ray: Vector) -> Hit {
    let ground = ray.z < -1e-6 ? -camera.z / ray.z : Double.infinity
    var way = Way(distance: ground)
    meet(ray.x > 0 ? Self.fenceX.high : Self.fenceX.low, ray, acrossX: true, &way)
    meet(ray.y > 0 ? Self.fenceY.high : Self.fenceY.low, ray, acrossX: false, &way)
    guard way.distance < ground else {
      return Hit(colour: self.ground(camera.x + ground * ray.x, camera.y + ground * ray.y))
    }
    return background(way.along, way.height)
  }

  private func meet(_ fence: Double, _ ray: Vector, acrossX: Bool, _ way: inout Way) {
    let distance = acrossX ? (fence - camera.x) / ray.x : (fence - camera.y) / ray.y
    guard distance > 0, distance < way.distance else { return }
    way.distance = distance
    way.height = camera.z + distance * ray.z
    way.along = acrossX ? camera.y + distance * ray.y : camera.x + distance * ray.x
  }

  private func background(_ along: Double, _ height: Double) -> Hit {
    let crowns = 6.5 + 1.5 * sin(along * 0.7) + 0.8 * sin(along * 2.3)
    let leaves =
      Colour(45, 80, 50)
      + Colour(grey: (texture.smooth(along * 3, height * 3) + texture.smooth(along, height)) * 22)
    if height < Self.fenceHeight {
      let mesh = Colour(grey: sin(along * 40) * sin(height * 40) * 6)
      return Hit(colour: (Colour(58, 70, 50) + mesh).under(leaves, 0.25), isTree: true)
    }
    return height < crowns ? Hit(colour: leaves, isTree: true) : Hit(colour: Colour(215, 190, 165))
  }
}

/// The net between the posts, as a veil over what is behind it.
struct Net {
  struct Veil {
    var share: Double
    var grey: Double
  }

  /// Measured from the middle; the ITF's heights of the centre and of the posts.
  static func top(_ x: Double) -> Double { 0.914 + 0.156 * abs(x - Court.width / 2) / 6.4 }

  /// - Returns: nil where the ray passes beside the net or above it.
  static func veil(from camera: Vector, along ray: Vector) -> Veil? {
    guard abs(ray.y) > 1e-9 else { return nil }
    let way = -camera.y / ray.y
    guard way > 0 else { return nil }
    let (x, z) = (camera.x + way * ray.x, camera.z + way * ray.z)
    guard x > -2.28, x < 10.51, z > 0, z < top(x) else { return nil }
    return z > top(x) - 0.06 ? Veil(share: 1, grey: 230) : Veil(share: 0.42, grey: 30)
  }
}
