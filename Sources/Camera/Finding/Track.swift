import CourtMapping
import Glibc

/// Where a person was, and is likely to be next.
struct Track: Hashable, Sendable {
  /// Faster than any player, in metres a second. Source: a sprinter's start, 5 m in 1 s.
  static let fastest = 8.0
  /// How hard a player starts and stops, in metres a second squared.
  static let acceleration = 6.0
  /// The share of pixels that differs between frames by noise alone in a thing that stands there.
  static let leastStir = 0.03

  /// In metres a second: too fast to stand in the next frame, even if the speed is not seen exactly.
  private static let running = 2.5
  /// In so many frames in a row a track looks clearly like a person before it is believed.
  private static let leastClear = 3
  /// How many frames in a row it must not look so before that belief is lost.
  private static let mostUnclear = 4

  private(set) var place: CourtPoint
  private(set) var velocity = CourtPoint(0, 0)
  private(set) var box: PixelBox
  /// When it was seen last, in seconds.
  private(set) var seen: Double
  private(set) var stirred: Double
  /// Where it was seen first, until it has left.
  var origin: PixelBox?
  /// It isn't a ghost: it has left its origin, or looks clearly like a person.
  var isBelieved = false
  /// In how many frames in a row it has looked clearly like a person.
  private var clear = 0
  /// How many frames in a row it has not looked clearly like a person.
  private var unclear = 0
  /// Whether it has lost its feet.
  private var feet: Feet
  /// How often it was seen.
  private(set) var sightings = 1

  init(_ candidate: Candidate, at time: Double) {
    place = candidate.court
    box = candidate.box
    feet = Feet(candidate)
    origin = candidate.body
    origin?.join(candidate.box)
    seen = time
    stirred = time
  }

  var isRunning: Bool { hypot(velocity.x, velocity.y) > Self.running }

  func expected(at time: Double) -> CourtPoint {
    let ahead = min(time - seen, 0.3)
    return CourtPoint(place.x + velocity.x * ahead, place.y + velocity.y * ahead)
  }

  /// - Parameter error: of the candidate's place, one sigma: metres along the camera's line of sight,
  ///   and across it.
  mutating func follow(_ candidate: Candidate, at time: Double, error: SightError) {
    let guess = expected(at: time)
    let step = max(time - seen, 0.02)
    let off = CourtPoint(candidate.court.x - guess.x, candidate.court.y - guess.y)
    let along = off.x * error.direction.x + off.y * error.direction.y
    let across = off.y * error.direction.x - off.x * error.direction.y
    let far = Self.gains(error.along, step)
    let near = Self.gains(error.across, step)
    let (placeAlong, placeAcross) = (far.place * along, near.place * across)
    let (speedAlong, speedAcross) = (far.velocity * along / step, near.velocity * across / step)
    let (x, y) = (error.direction.x, error.direction.y)
    place = CourtPoint(
      guess.x + placeAlong * x - placeAcross * y,
      guess.y + placeAlong * y + placeAcross * x
    )
    velocity.x += speedAlong * x - speedAcross * y
    velocity.y += speedAlong * y + speedAcross * x
    let speed = hypot(velocity.x, velocity.y)
    if speed > Self.fastest {
      velocity.x *= Self.fastest / speed
      velocity.y *= Self.fastest / speed
    }
    box = candidate.box
    feet.follow(candidate)
    seen = time
    if candidate.stir > Self.leastStir { stirred = time }
    sightings += 1
  }

  /// How much of a difference is believed: of a steady Kalman filter for a constant velocity.
  ///
  /// Source: Kalata, "The tracking index" (1984).
  private static func gains(_ error: Double, _ step: Double) -> (place: Double, velocity: Double) {
    let index = acceleration * step * step / max(error, 1e-3)
    let root = (4 + index - (8 * index + index * index).squareRoot()) / 4
    let place = 1 - root * root
    return (place, 2 * (2 - place) - 4 * (1 - place).squareRoot())
  }

  /// Judges whether the track is a person, as long as it is at its origin: its feet may be those of
  /// a ghost that hangs together with it.
  ///
  /// - Parameter isClear: it looks clearly like a person in this frame.
  mutating func believe(_ isClear: Bool) {
    clear = isClear ? clear + 1 : 0
    unclear = isClear ? 0 : unclear + 1
    if clear >= Self.leastClear { isBelieved = true }
    if unclear >= Self.mostUnclear { isBelieved = false }
  }

  /// - Returns: where it was seen first, once it has left that place.
  mutating func leaveOrigin() -> PixelBox? {
    guard let left = origin?.withMargin, left.share(in: box.withArms) == 0 else { return nil }
    origin = nil
    isBelieved = true
    return left
  }

  /// Whether the candidate is this person without the feet: its place would be farther away.
  ///
  /// - Parameter pixel: the metres on the ground that one pixel covers.
  mutating func losesFeet(_ candidate: Candidate, at time: Double, pixel: Double) -> Bool {
    feet.areLost(
      candidate,
      off: candidate.court.distance(to: place),
      after: time - seen,
      pixel: pixel
    )
  }

  /// What was expected wasn't there.
  mutating func slow() {
    velocity.x *= 0.8
    velocity.y *= 0.8
  }
}

extension CourtPoint {
  func distance(to other: CourtPoint) -> Double { hypot(x - other.x, y - other.y) }
}
