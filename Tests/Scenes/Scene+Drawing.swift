import CourtMapping
import Glibc

/// Draws what moves, upon the backdrop.
extension Scene {
  func drawPeople() {
    let people = cast.filter { $0.isThere(at: time) }.map {
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
  ///
  /// - Returns: where it is in the picture.
  func drawBall() -> PicturePoint? {
    let phase = time.truncatingRemainder(dividingBy: 3) / 1.1
    guard phase < 1 else { return nil }
    let flight = (time / 3).rounded(.down)
    let place = Vector(
      style.ball + 1.5 * sin(flight),
      -11 + 20 * phase,
      1 + 2.2 * sin(phase * .pi)
    )
    guard let sight = camera.sees(place) else { return nil }
    painting.draw(
      .init(
        from: sight.point,
        to: sight.point,
        radius: 0.033 * camera.focalLength / sight.depth
      ),
      Colour(90, 230, 220)
    )
    return sight.point
  }

  func drawRain() {
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

  func shake() {
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
