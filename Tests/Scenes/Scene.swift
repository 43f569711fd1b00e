package import CourtMapping
import Glibc

/// What is true of a frame.
package struct Truth: Sendable {
  /// Where the player stands, between both feet; nil while the court is empty.
  package let foot: CourtPoint?
  /// The foot's place is in the picture.
  package let isVisible: Bool
}

/// A court with a player, seen by a camera: the same frames for the same setting and seed.
///
/// Camera, clothes, sun, gait and ways differ with the seed.
package final class Scene {
  package static let rate = 15.0

  package let setting: Setting
  package let camera: SceneCamera
  /// Seconds since the first frame.
  package private(set) var time = 0.0

  private let backdrop: Backdrop
  private let weather: Weather
  private let pixels: Bytes
  private let mirror: Bytes
  private var shadow: Canvas
  private var reflection: Canvas
  private var painting: Canvas
  private var random: Random
  private var cast: [Person]
  private let style: Style
  private let step: Double

  /// Of the light and of the court.
  private struct Style {
    var sun = Vector(0.55, 0.35, 1)
    var hasShadows = true
    var shadow = 0.45
    var mirror = 0.0
    var rains = false
    var swing = 1.0
    var ball = 4.1
  }

  private struct Person {
    var walker: Walker
    var look: Look
    /// In seconds.
    var enters: Double
    var isPlayer = false
  }

  /// - Parameter rate: frames a second.
  package init(
    _ setting: Setting,
    seed: UInt64,
    size: PictureSize,
    rate: Double = Scene.rate
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
    style = Self.style(setting, &random)
    cast = Self.cast(setting, &random)
    let (width, height) = (size.width, size.height)
    pixels = Bytes(width * height * 3)
    mirror = Bytes(width * height * 3)
    painting = Canvas(width: width, height: height, pixels: pixels, mask: nil)
    shadow = Canvas(width: width, height: height, pixels: nil, mask: Bytes(width * height))
    reflection = Canvas(width: width, height: height, pixels: mirror, mask: Bytes(width * height))
    self.random = random
  }

  private static func camera(
    _ setting: Setting,
    _ size: PictureSize,
    _ random: inout Random
  ) -> SceneCamera {
    var (place, aim, view) = (Vector(4.115, 19.9, 3), CourtPoint(4.115, 6), 70.0)
    switch setting {
    case .low: place.z = 1.5
    case .high: place.z = 6
    case .machine: (place, view) = (Vector(4.115, -12.5, 3), 45)
    case .side: (place, aim, view) = (Vector(-5.5, 8, 3), CourtPoint(4, 7.5), 95)
    case .corner: (place, aim, view) = (Vector(11.5, 16.5, 3), CourtPoint(4, 5.5), 80)
    default: break
    }
    place.x += random.uniform(-0.4, 0.4)
    place.y += random.uniform(-0.4, 0.4)
    place.z *= random.uniform(1, 1.1)
    aim.x += random.uniform(-0.3, 0.3)
    aim.y += random.uniform(-0.3, 0.3)
    return SceneCamera(place: place, aim: aim, view: view + random.uniform(-1, 3), size: size)
  }

  private static func style(_ setting: Setting, _ random: inout Random) -> Style {
    let angle = random.uniform(0, 2 * .pi)
    let slant = random.uniform(0.4, 1.1)
    return Style(
      sun: Vector(cos(angle) * slant, sin(angle) * slant, 1),
      hasShadows: ![.dusk, .dull, .night, .wet].contains(setting),
      shadow: random.uniform(0.38, 0.5),
      mirror: setting == .wet ? random.uniform(0.16, 0.3) : 0,
      rains: setting == .wet && random.below(2) == 0,
      swing: random.uniform(1.4, 2.4),
      ball: random.uniform(3.5, 4.7)
    )
  }

  private static func cast(_ setting: Setting, _ random: inout Random) -> [Person] {
    var look = Look(
      shirt: random.one(of: Colour.shirts),
      shorts: random.one(of: Colour.shorts),
      skin: random.one(of: Colour.skins),
      height: random.uniform(1.6, 1.95)
    )
    if setting == .camouflage {
      (look.shirt, look.shorts) = (Colour(138, 90, 66), Colour(120, 76, 56))
    }
    if setting == .grey { (look.shirt, look.shorts) = (Colour(grey: 205), Colour(grey: 60)) }
    // A camera at the side is so near that it doesn't see behind the baseline.
    let way = setting == .side ? 2.5...11.8 : 3.0...13.2
    var cast: [Person] = []
    if setting != .empty {
      let walker = Walker(
        field: Field(x: -0.3...8.5, y: way),
        legs: .init(speed: 5, acceleration: 5),
        seed: random.seed(),
        longStop: setting == .waiting ? 14 : nil
      )
      cast.append(
        Person(walker: walker, look: look, enters: setting == .present ? 0 : 3, isPlayer: true)
      )
    }
    if setting == .company {
      let boy = Walker(
        field: Field(x: 10.3...11.5, y: -1...9),
        legs: .init(speed: 3, acceleration: 4),
        seed: random.seed()
      )
      let other = Walker(
        field: Field(x: 1...7, y: -10 ... -4),
        legs: .init(speed: 4, acceleration: 4),
        seed: random.seed()
      )
      cast.append(
        Person(
          walker: boy,
          look: Look(
            shirt: Colour(60, 60, 200),
            shorts: Colour(60, 45, 40),
            height: 1.55,
            racket: false
          ),
          enters: 0
        )
      )
      cast.append(
        Person(
          walker: other,
          look: Look(shirt: Colour(200, 90, 60), shorts: Colour(60, 45, 40)),
          enters: 0
        )
      )
    }
    if setting == .intruder {
      let walker = Walker(
        field: Field(x: 0.5...7.7, y: 3...11.5),
        legs: .init(speed: 2, acceleration: 3),
        seed: random.seed()
      )
      cast.append(
        Person(
          walker: walker,
          look: Look(shirt: random.one(of: Colour.shirts), shorts: random.one(of: Colour.shorts)),
          enters: 20
        )
      )
    }
    return cast
  }

  /// The next frame, in bytes of blue, green and red, row by row.
  package func next(into bytes: inout [UInt8]) -> Truth {
    let (width, height) = (camera.size.width, camera.size.height)
    precondition(bytes.count == width * height * 3)
    pixels.copy(backdrop.pixels)
    if setting == .wind { weather.rustle(pixels, backdrop, at: time) }
    drawPeople()
    drawBall()
    if setting == .clouds { weather.cloud(pixels, at: time) }
    if style.rains { drawRain() }
    shake()
    bytes.withUnsafeMutableBufferPointer { weather.finish(pixels, into: $0.baseAddress!) }
    let truth = self.truth
    time += step
    for index in cast.indices where time >= cast[index].enters { cast[index].walker.step(step) }
    return truth
  }

  private var truth: Truth {
    guard let player = cast.first(where: \.isPlayer), time >= player.enters else {
      return Truth(foot: nil, isVisible: false)
    }
    let foot = player.walker.place
    let size = camera.size
    let isVisible =
      camera.sees(Vector(foot.x, foot.y, 0)).map {
        (0..<Double(size.width)).contains($0.point.u)
          && (0..<Double(size.height)).contains($0.point.v)
      } ?? false
    return Truth(foot: foot, isVisible: isVisible)
  }

  private func drawPeople() {
    let people = cast.filter { time >= $0.enters }.map {
      (person: $0, limbs: $0.look.limbs(of: $0.walker, swing: sin(time * style.swing) * 1.2 + 0.6))
    }
    shadow.clear()
    reflection.clear()
    for (_, limbs) in people {
      if style.hasShadows { for limb in limbs { castShadow(of: limb) } }
      if style.mirror > 0 { draw(limbs, on: &reflection, mirrored: true, behind: nil) }
    }
    darken()
    blendReflection()
    let far = people.sorted { one, other in
      distance(one.person) > distance(other.person)
    }
    for (person, limbs) in far {
      let isBehindNet = (person.walker.place.y < 0) != (camera.place.y < 0)
      draw(limbs, on: &painting, mirrored: false, behind: isBehindNet ? backdrop : nil)
    }
  }

  private func distance(_ person: Person) -> Double {
    (Vector(person.walker.place.x, person.walker.place.y, 0) - camera.place).length
  }

  private func draw(
    _ limbs: [Limb],
    on canvas: inout Canvas,
    mirrored: Bool,
    behind veil: Backdrop?
  ) {
    func flip(_ point: Vector) -> Vector { mirrored ? Vector(point.x, point.y, -point.z) : point }
    var strokes: [(depth: Double, stroke: Canvas.Stroke, colour: Colour)] = []
    for limb in limbs {
      guard let from = camera.sees(flip(limb.from)), let to = camera.sees(flip(limb.to)) else {
        continue
      }
      let depth = (from.depth + to.depth) / 2
      strokes.append(
        (
          depth,
          Canvas.Stroke(
            from: from.point,
            to: to.point,
            radius: limb.radius * camera.focalLength / depth
          ),
          limb.colour
        )
      )
    }
    strokes.sort { $0.depth > $1.depth }
    for stroke in strokes { canvas.draw(stroke.stroke, stroke.colour, behind: veil) }
  }

  private func castShadow(of limb: Limb) {
    func fall(_ point: Vector) -> Vector { point - style.sun * point.z }
    guard let from = camera.sees(fall(limb.from)), let to = camera.sees(fall(limb.to)) else {
      return
    }
    // Flat on the ground, so thinner in the picture.
    let radius = 0.6 * limb.radius * camera.focalLength / ((from.depth + to.depth) / 2)
    shadow.draw(.init(from: from.point, to: to.point, radius: radius), Colour(grey: 0))
  }

  /// Skylight is bluer than the sun: a shadow takes less of blue.
  private func darken() {
    let bounds = shadow.bounds
    guard let mask = shadow.mask, bounds.right >= bounds.left else { return }
    let shares = [0.85, 1, 1.05].map { Int($0 * style.shadow * 256) }
    for row in bounds.top...bounds.bottom {
      for column in bounds.left...bounds.right {
        let index = row * camera.size.width + column
        let cover = Int(mask[index])
        guard cover > 0 else { continue }
        // The net in front of it stays as it is.
        let net = Int(backdrop.veil[index]) * Int(backdrop.veilGrey[index]) / 255
        for channel in 0..<3 {
          let value = Int(pixels[index * 3 + channel])
          let ground = max(value - net, 0)
          pixels[index * 3 + channel] = UInt8(value - ground * cover * shares[channel] / 65280)
        }
      }
    }
  }

  private func blendReflection() {
    let bounds = reflection.bounds
    guard let mask = reflection.mask, bounds.right >= bounds.left else { return }
    let strength = Int(style.mirror * 256)
    for row in bounds.top...bounds.bottom {
      for column in bounds.left...bounds.right {
        let index = row * camera.size.width + column
        let cover = Int(mask[index]) * strength
        guard cover > 0 else { continue }
        for channel in 0..<3 {
          let at = index * 3 + channel
          let sum = Int(pixels[at]) * (65280 - cover) + Int(mirror[at]) * cover
          pixels[at] = UInt8(sum / 65280)
        }
      }
    }
  }

  /// Every three seconds a ball flies from the machine, in 1.1 s.
  private func drawBall() {
    let phase = time.truncatingRemainder(dividingBy: 3) / 1.1
    guard phase < 1 else { return }
    let flight = (time / 3).rounded(.down)
    let place = Vector(
      style.ball + 1.5 * sin(flight),
      -11 + 20 * phase,
      1 + 2.2 * sin(phase * .pi)
    )
    guard let sight = camera.sees(place) else { return }
    painting.draw(
      .init(
        from: sight.point,
        to: sight.point,
        radius: 0.033 * camera.focalLength / sight.depth
      ),
      Colour(90, 230, 220)
    )
  }

  private func drawRain() {
    let scale = Double(camera.size.width) / 1280
    for _ in 0..<160 {
      let start = PicturePoint(
        random.uniform(0, Double(camera.size.width)),
        random.uniform(0, Double(camera.size.height))
      )
      let length = random.uniform(8, 26) * scale
      painting.draw(
        .init(
          from: start,
          to: PicturePoint(start.u + 2 * scale, start.v + length),
          radius: 0.5 * scale
        ),
        Colour(grey: 200)
      )
    }
  }

  private func shake() {
    let scale = Double(camera.size.width) / 1280
    if setting == .wind {
      weather.shift(
        pixels,
        right: (1.2 * sin(time * 4.1) + 0.6 * sin(time * 9.7)) * scale,
        down: 0.7 * sin(time * 5.9 + 1) * scale
      )
    } else if setting == .swinging, time > 20 {
      weather.shift(
        pixels,
        right: 120 * sin(time * 9) * scale,
        down: 60 * sin(time * 13) * scale
      )
    }
  }
}
