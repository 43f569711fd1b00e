package import CourtMapping
import Glibc

/// What is true of a frame.
package struct Truth: Sendable {
  /// Where the player stands, between both feet; nil while the court is empty.
  package let foot: CourtPoint?
  /// Of all who play, or stood on the court while it was learnt.
  package let feet: [CourtPoint]
  /// The foot's place is in the picture.
  package let isVisible: Bool
}

/// A court with a player, seen by a camera: the same frames for the same setting and seed.
///
/// Camera, clothes, sun, gait and ways differ with the seed. What spoils the pictures changes none of
/// them but the sun.
package final class Scene {
  package static let rate = 15.0

  package let setting: Setting
  package let camera: SceneCamera
  /// Seconds since the first frame.
  package private(set) var time = 0.0
  /// The second from which on the player is to be found.
  package private(set) var start: Double

  let backdrop: Backdrop
  let weather: Weather
  let pixels: Bytes
  let mirror: Bytes
  var shadow: Canvas
  var reflection: Canvas
  var painting: Canvas
  var random: Random
  var cast: [Person]
  let style: Style
  private let step: Double
  private let spoiler: Spoiler?
  private var overlay: Overlay?

  /// Of the light and of the court.
  struct Style {
    var sun = Vector(0.55, 0.35, 1)
    var hasShadows = true
    var shadow = 0.45
    var mirror = 0.0
    var rains = false
    var swing = 1.0
    var ball = 4.1
  }

  struct Person {
    var walker: Walker
    var look: Look
    /// In seconds.
    var enters: Double
    var isPlayer = false

    func isThere(at time: Double) -> Bool { time >= enters && !walker.hasLeft }
  }

  /// - Parameters:
  ///   - rate: frames a second.
  ///   - spoiling: nil for clean pictures.
  ///   - sun: how far the shadow of something a metre high falls, in metres; nil leaves it to chance.
  package init(
    _ setting: Setting,
    seed: UInt64,
    size: PictureSize,
    rate: Double = Scene.rate,
    spoiling: Spoiling? = nil,
    sun: CourtPoint? = nil
  ) {
    self.setting = setting
    step = 1 / rate
    // Settings must not share what is by chance.
    let number = UInt64(Setting.allCases.firstIndex(of: setting) ?? 0)
    var random = Random(seed: seed &* 1000 &+ number)
    camera = Self.camera(setting, size, &random)
    var paint = Surroundings.Paint()
    if setting == .grey {
      paint = .init(surround: Colour(grey: 125), court: Colour(105, 108, 108))
    }
    let texture = Texture(seed: UInt32(truncatingIfNeeded: seed))
    if setting == .pale { paint.worn = Colour.sand }
    backdrop = Backdrop(
      camera: camera,
      surroundings: Surroundings(camera: camera.place, paint: paint, texture: texture)
    )
    let noise: [Setting: Double] = [.dusk: 7, .night: 5]
    weather = Weather(
      width: size.width,
      height: size.height,
      noise: noise[setting] ?? 3,
      seed: seed &+ number
    )
    if setting == .dusk { weather.dim(to: random.uniform(0.3, 0.45)) }
    if setting == .night { weather.dim(to: random.uniform(0.05, 0.1)) }
    style = Self.style(setting, spoiling, sun, &random)
    cast = Self.cast(setting, seed, &random)
    if spoiling == .neighbours { cast += Self.neighbours(seed) }
    spoiler = spoiling.map { Spoiler($0, width: size.width, height: size.height) }
    overlay = spoiling == .overlays ? Overlay() : nil
    start = setting == .staying ? .infinity : 1 + Self.entrance(setting, seed)
    let (width, height) = (size.width, size.height)
    pixels = Bytes(width * height * 3)
    mirror = Bytes(width * height * 3)
    painting = Canvas(width: width, height: height, pixels: pixels, mask: nil)
    shadow = Canvas(width: width, height: height, pixels: nil, mask: Bytes(width * height))
    reflection = Canvas(width: width, height: height, pixels: mirror, mask: Bytes(width * height))
    self.random = random
  }

  /// The next frame, in bytes of blue, green and red, row by row.
  package func next(into bytes: inout [UInt8]) -> Truth {
    let (width, height) = (camera.size.width, camera.size.height)
    precondition(bytes.count == width * height * 3)
    pixels.copy(backdrop.pixels)
    if setting == .wind { weather.rustle(pixels, backdrop, at: time) }
    drawPeople()
    let ball = drawBall()
    if setting == .clouds { weather.cloud(pixels, at: time) }
    if style.rains { drawRain() }
    shake()
    bytes.withUnsafeMutableBufferPointer { weather.finish(pixels, into: $0.baseAddress!) }
    if overlay != nil {
      overlay?.follow(ball)
      pixels.base.update(from: bytes, count: bytes.count)
      overlay?.draw(on: &painting, at: time)
      bytes.withUnsafeMutableBufferPointer { target in
        target.baseAddress?.update(from: pixels.base, count: target.count)
      }
    }
    spoiler?.spoil(&bytes, at: time)
    let truth = self.truth
    if start == .infinity, cast[0].walker.hasMoved { start = time + 1 }
    time += step
    for index in cast.indices where cast[index].isThere(at: time) { cast[index].walker.step(step) }
    return truth
  }

  private var truth: Truth {
    let feet = cast.filter { $0.isPlayer && $0.isThere(at: time) }.map(\.walker.place)
    guard let foot = feet.first else { return Truth(foot: nil, feet: [], isVisible: false) }
    let size = camera.size
    let isVisible =
      camera.sees(Vector(foot.x, foot.y, 0)).map {
        (0..<Double(size.width)).contains($0.point.u)
          && (0..<Double(size.height)).contains($0.point.v)
      } ?? false
    return Truth(foot: foot, feet: feet, isVisible: isVisible)
  }
}
