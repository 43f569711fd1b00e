import CourtMapping
import Glibc

/// A cylinder with round ends.
struct Limb {
  let from: Vector
  let to: Vector
  let radius: Double
  let colour: Colour
}

/// How a person looks.
struct Look: Sendable {
  var shirt: Colour
  var shorts: Colour
  var skin = Colour.skins[0]
  var shoes = Colour(grey: 235)
  var height = 1.8
  var racket = true
}

extension Look {
  /// The limbs of a person in mid-stride, or ready for a ball when standing.
  ///
  /// The proportions are those of a person 1.8 m high; they scale with the height.
  /// - Parameter swing: the racket's angle, in radians from straight ahead.
  func limbs(of walker: Walker, swing: Double) -> [Limb] {
    let ahead = Vector(cos(walker.heading), sin(walker.heading), 0)
    let aside = Vector(-ahead.y, ahead.x, 0)
    let scale = height / 1.8
    let crouch = walker.speed < 0.4 ? 0.5 : 0.15
    let hip = Vector(walker.place.x, walker.place.y, (0.95 - 0.25 * crouch) * scale)
    let neck =
      hip + Vector(0, 0, 0.52 * scale)
      + ahead * ((0.06 + 0.05 * walker.speed / 5 + 0.15 * crouch) * scale)
    var limbs: [Limb] = []
    for side in [1.0, -1.0] {
      let stride = sin(walker.phase) * side * min(walker.speed / 5, 1) * 0.42
      let lift = max(0, cos(walker.phase) * side) * 0.22 * min(walker.speed / 3, 1)
      let ankle =
        Vector(walker.place.x, walker.place.y, 0) + ahead * (stride * scale)
        + aside * (side * (0.13 + 0.22 * crouch) * scale) + Vector(0, 0, (0.07 + lift) * scale)
      let joint = hip + aside * (side * 0.1 * scale)
      let knee = (joint + ankle) * 0.5 + ahead * ((0.06 + 0.22 * crouch + 0.2 * lift) * scale)
      let sole = ankle - Vector(0, 0, 0.02)
      limbs += [
        Limb(from: joint, to: knee, radius: 0.075 * scale, colour: shorts),
        Limb(from: knee, to: ankle, radius: 0.05 * scale, colour: skin),
        Limb(
          from: sole - ahead * 0.06,
          to: sole + ahead * 0.17,
          radius: 0.045 * scale,
          colour: shoes
        ),
      ]
      limbs += arm(
        Arm(neck: neck, ahead: ahead, aside: aside, side: side),
        stride: stride,
        swing: swing
      )
    }
    let waist = hip + Vector(0, 0, 0.12 * scale)
    let head = neck + Vector(0, 0, 0.2 * scale) + ahead * 0.03
    return limbs + [
      Limb(from: hip - Vector(0, 0, 0.05), to: waist, radius: 0.15 * scale, colour: shorts),
      Limb(from: waist, to: neck - Vector(0, 0, 0.08), radius: 0.165 * scale, colour: shirt),
      Limb(
        from: head,
        to: head + Vector(0, 0, 0.03),
        radius: 0.11 * scale,
        colour: Colour(60, 60, 70)
      ),
    ]
  }

  private struct Arm {
    let neck: Vector
    let ahead: Vector
    let aside: Vector
    let side: Double
  }

  private func arm(_ arm: Arm, stride: Double, swing: Double) -> [Limb] {
    let scale = height / 1.8
    let shoulder = arm.neck + arm.aside * (arm.side * 0.19 * scale) - Vector(0, 0, 0.05)
    var elbow = shoulder + Vector(0, 0, -0.25 * scale) + arm.ahead * (-0.1 * stride)
    var hand = elbow + arm.ahead * 0.2 + Vector(0, 0, -0.12)
    var held: [Limb] = []
    if racket, arm.side < 0 {
      elbow = shoulder + arm.aside * (arm.side * 0.18) + Vector(0, 0, -0.15) + arm.ahead * 0.1
      let reach = arm.ahead * cos(swing) + arm.aside * (arm.side * sin(swing))
      hand = elbow + reach * 0.25 + Vector(0, 0, 0.1 * sin(swing))
      held = [
        Limb(from: hand, to: hand + reach * 0.35, radius: 0.015, colour: Colour(grey: 40)),
        Limb(
          from: hand + reach * 0.36,
          to: hand + reach * 0.66,
          radius: 0.1,
          colour: Colour(70, 140, 120)
        ),
      ]
    }
    return held + [
      Limb(from: shoulder, to: elbow, radius: 0.045 * scale, colour: shirt),
      Limb(from: elbow, to: hand, radius: 0.038 * scale, colour: skin),
    ]
  }
}
