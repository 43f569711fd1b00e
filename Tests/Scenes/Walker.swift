import CourtMapping
import Glibc

/// A rectangle on the ground.
struct Field: Sendable {
  let x: ClosedRange<Double>
  let y: ClosedRange<Double>
}

/// A person who runs from place to place in a field, stops, and goes on.
struct Walker {
  /// How fast this person runs at most, and gains speed, in metres and seconds.
  struct Legs {
    var speed: Double
    var acceleration: Double
  }

  private(set) var place: CourtPoint
  /// Which way the body faces, in radians from the x axis; towards the net at first.
  private(set) var heading = -Double.pi / 2
  /// Of the gait.
  private(set) var phase = 0.0
  private(set) var speed = 0.0

  private let field: Field
  private let legs: Legs
  private var random: Random
  private var velocity = CourtPoint(0, 0)
  private var target: CourtPoint
  private var pace: Double
  private var wait: Double
  private var clock = 0.0
  /// From then on the next stop takes 25 s: not at a zone's edge, where a coin's toss would decide
  /// the figures of half a minute.
  private var longStop: Double?
  private let first: CourtPoint
  /// After the first stop this person goes there, and has left.
  private let exit: CourtPoint?

  /// This person is away from the first place, by more than the arms' reach.
  private(set) var hasMoved = false
  var hasLeft: Bool { exit.map { hypot($0.x - place.x, $0.y - place.y) < 0.5 } ?? false }

  /// - Parameter firstStop: in seconds.
  init(
    field: Field,
    legs: Legs,
    seed: UInt64,
    longStop: Double? = nil,
    firstStop: Double = 1.5,
    exit: CourtPoint? = nil
  ) {
    self.field = field
    self.legs = legs
    self.longStop = longStop
    self.exit = exit
    wait = firstStop
    random = Random(seed: seed)
    place = CourtPoint(
      (field.x.lowerBound + field.x.upperBound) / 2,
      (field.y.lowerBound + field.y.upperBound) / 2
    )
    first = place
    target = place
    pace = legs.speed
  }

  mutating func step(_ time: Double) {
    clock += time
    if wait > 0 { pause(time) } else { run(time) }
    place.x += velocity.x * time
    place.y += velocity.y * time
    hasMoved = hasMoved || hypot(place.x - first.x, place.y - first.y) > 1.5
    speed = hypot(velocity.x, velocity.y)
    if speed > 0.2 { phase += time * (1.5 + speed * 2.2) * 1.6 }
    if speed > 0.5 {
      turn(to: atan2(velocity.y, velocity.x), by: 0.4)
    } else {
      turn(to: -.pi / 2, by: 0.15)
    }
  }

  private mutating func pause(_ time: Double) {
    wait -= time
    velocity.x *= 0.6
    velocity.y *= 0.6
    guard wait <= 0 else { return }
    target = CourtPoint(
      random.uniform(field.x.lowerBound, field.x.upperBound),
      random.uniform(field.y.lowerBound, field.y.upperBound)
    )
    pace = random.uniform(0.4, 1) * legs.speed
    if let from = longStop, clock > from { target = CourtPoint(3.1, 10.4) }
    if let exit { target = exit }
  }

  private mutating func run(_ time: Double) {
    let (dx, dy) = (target.x - place.x, target.y - place.y)
    let distance = hypot(dx, dy)
    // As fast as still lets it stop there.
    let speed = min(pace, (2 * legs.acceleration * max(distance - 0.05, 0)).squareRoot())
    let (ax, ay) = (
      dx / max(distance, 1e-6) * speed - velocity.x, dy / max(distance, 1e-6) * speed - velocity.y
    )
    let share = min(1, legs.acceleration * time * 1.5 / max(hypot(ax, ay), 1e-6))
    velocity.x += ax * share
    velocity.y += ay * share
    guard distance < 0.25 else { return }
    wait = random.uniform(0.3, 2)
    if let from = longStop, clock > from, hypot(place.x - 3.1, place.y - 10.4) < 0.3 {
      wait = 25
      longStop = nil
    }
  }

  private mutating func turn(to angle: Double, by share: Double) {
    heading += atan2(sin(angle - heading), cos(angle - heading)) * share
  }
}
