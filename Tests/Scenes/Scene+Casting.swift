import CourtMapping
import Glibc

/// Who and what a scene shows, by its setting and by chance.
extension Scene {
  static func camera(
    _ setting: Setting,
    _ size: PictureSize,
    _ random: inout Random
  ) -> SceneCamera {
    var (place, aim, view) = (Vector(4.115, 19.9, 3), CourtPoint(4.115, 6), 70.0)
    switch setting {
    case .low: place.z = 1.5
    case .pale: place.z = 1.55
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
    return SceneCamera(
      place: place,
      aim: Vector(aim.x, aim.y, 0.3),
      view: view + random.uniform(-1, 3),
      size: size
    )
  }

  /// - Parameter sun: how far the shadow of something a metre high falls; nil leaves it to chance.
  static func style(
    _ setting: Setting,
    _ spoiling: Spoiling?,
    _ sun: CourtPoint?,
    _ random: inout Random
  ) -> Style {
    let angle = random.uniform(0, 2 * .pi)
    let slant = random.uniform(0.4, 1.1)
    let isHard = spoiling == .hardSun
    // A low sun is 20° to 40° high.
    let reach = isHard ? -2.5 * slant : -slant
    let fall = sun ?? CourtPoint(cos(angle) * reach, sin(angle) * reach)
    let shadow = random.uniform(0.38, 0.5)
    return Style(
      sun: Vector(-fall.x, -fall.y, 1),
      hasShadows: isHard || ![.dusk, .dull, .night, .wet].contains(setting),
      shadow: isHard ? shadow + 0.2 : shadow,
      mirror: setting == .wet ? random.uniform(0.16, 0.3) : 0,
      rains: setting == .wet && random.below(2) == 0,
      swing: random.uniform(1.4, 2.4),
      ball: random.uniform(3.5, 4.7)
    )
  }

  /// How long a person stands where the court is learnt, in seconds.
  static func stay(_ seed: UInt64) -> Double { [5, 10, 20][Int(seed % 3)] }

  /// When the player enters, or begins to move.
  static func entrance(_ setting: Setting, _ seed: UInt64) -> Double {
    switch setting {
    case .staying: stay(seed)
    case .calibrating: stay(seed) + 4
    default: 3
    }
  }

  static func cast(_ setting: Setting, _ seed: UInt64, _ random: inout Random) -> [Person] {
    var look = Look(
      shirt: random.one(of: Colour.shirts),
      shorts: random.one(of: Colour.shorts),
      skin: random.one(of: Colour.skins),
      height: random.uniform(1.6, 1.95)
    )
    if setting == .camouflage {
      (look.shirt, look.shorts) = (Colour(138, 90, 66), Colour(120, 76, 56))
    }
    if setting == .pale {
      look.skin = Colour.sand
      look.shoes = Colour.sand
    }
    if setting == .grey { (look.shirt, look.shorts) = (Colour(grey: 205), Colour(grey: 60)) }
    // A camera at the side is so near that it doesn't see behind the baseline.
    let way = setting == .side ? 2.5...11.8 : 3.0...13.2
    var cast: [Person] = []
    if setting != .empty {
      var walker = Walker(
        field: Field(x: -0.3...8.5, y: way),
        legs: .init(speed: 5, acceleration: 5),
        seed: random.seed(),
        longStop: setting == .waiting ? 14 : nil,
        firstStop: setting == .staying ? stay(seed) : 1.5
      )
      // Without a racket a person who stands still doesn't stir at all.
      if setting == .staying { look.racket = random.below(2) == 0 }
      if setting == .running { for _ in 0..<300 { walker.step(1 / rate) } }
      let isThere = [.present, .staying, .running].contains(setting)
      let enters = isThere ? 0 : entrance(setting, seed)
      cast.append(Person(walker: walker, look: look, enters: enters, isPlayer: true))
    }
    if setting == .calibrating {
      let (x, y) = (random.uniform(0.5, 7.7), random.uniform(3, 11.5))
      let walker = Walker(
        field: Field(x: x...x, y: y...y),
        legs: .init(speed: 5, acceleration: 3),
        seed: random.seed(),
        firstStop: stay(seed),
        exit: CourtPoint(x < 4 ? -6 : 14, y)
      )
      cast.append(
        Person(
          walker: walker,
          look: Look(
            shirt: random.one(of: Colour.shirts),
            shorts: random.one(of: Colour.shorts),
            racket: random.below(2) == 0
          ),
          enters: 0,
          isPlayer: true
        )
      )
    }
    if setting == .bench {
      let x = random.below(2) == 0 ? -2.6 : 10.8
      let y = random.uniform(3, 10)
      // As high as a person who sits.
      cast.append(
        Person(
          walker: Walker(
            field: Field(x: x - 0.1...x + 0.1, y: y - 0.1...y + 0.1),
            legs: .init(speed: 0.5, acceleration: 1),
            seed: random.seed()
          ),
          look: Look(
            shirt: random.one(of: Colour.shirts),
            shorts: random.one(of: Colour.shorts),
            height: 1.25,
            racket: false
          ),
          enters: 0
        )
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

  /// Two people who play on the next court, 3 to 8 m beside this one.
  static func neighbours(_ seed: UInt64) -> [Person] {
    var random = Random(seed: seed &+ 0x6E65_7874)
    let isLeft = random.below(2) == 0
    return [3.0...12, -12 ... -3].map { way in
      Person(
        walker: Walker(
          field: Field(x: isLeft ? -8 ... -4.4 : 12.6...16.2, y: way),
          legs: .init(speed: 4.5, acceleration: 5),
          seed: random.seed()
        ),
        look: Look(
          shirt: random.one(of: Colour.shirts),
          shorts: random.one(of: Colour.shorts),
          height: random.uniform(1.6, 1.9)
        ),
        enters: 0
      )
    }
  }
}
