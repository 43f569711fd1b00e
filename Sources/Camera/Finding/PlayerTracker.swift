import CourtLogic
import CourtMapping
import Glibc

/// Which of the candidates is the player: the one of a person's size within reach of the last place.
struct PlayerTracker {
  enum Finding: Hashable, Sendable {
    case player(CourtPoint, confidence: Double)
    case nothing(Doubt)
  }

  /// After so many seconds without a sight of the player, anywhere is in reach.
  static let memory = 1.5
  /// Fewer sightings may be a bird or a ball.
  static let leastSightings = 4
  /// What is less of a person's shape is a part of one.
  static let leastShape = 0.05
  /// A rival that looks more like the player for so many seconds is the player.
  static let patience = 0.7
  /// The track hasn't stirred for so long while a rival does: it may be a thing.
  static let stillness = 2.0
  /// A second person is nearer than this where the player's own parts are, in metres.
  static let apart = 1.2
  /// A second person who is hidden by the player, or hides the player, is believed to be there so
  /// long, in seconds.
  static let longestHiding = 10.0
  /// How far outside the sidelines a player plays, in metres; behind the baseline, twice as far.
  static let apron = 0.75
  /// So long, in seconds, a second person must be seen before it counts.
  static let secondSeen = 0.5

  private(set) var player: Track?
  /// The second person inside the player's lines.
  private(set) var other: Track?

  private let calibration: Calibration
  private let rules: FinderRules
  /// Pixels of the calibration for one of the small picture.
  private let scale: Double
  private var rivalry = 0.0
  private var otherSeen = 0.0

  init(calibration: Calibration, scale: Double, rules: FinderRules) {
    self.scale = scale
    self.calibration = calibration
    self.rules = rules
  }

  mutating func step(_ candidates: [Candidate], at time: Double) -> Finding {
    guard let track = player, time - track.seen < Self.memory else {
      return start(candidates, at: time)
    }
    guard let best = nearest(candidates, to: track, at: time) else {
      player?.slow()
      return .nothing(.noPlayer)
    }
    let passed = time - track.seen
    let exactness = error(at: best.court)
    player?.follow(best, at: time, error: exactness)
    guard let followed = player else { return .nothing(.noPlayer) }
    if time - followed.stirred > rules.longestStill {
      // Let the background learn it.
      player = nil
      return .nothing(.lifeless)
    }
    if hasRival(followed, best, candidates, at: time, passed) {
      player = nil
      return .nothing(.unconfirmed)
    }
    if rules.refusesSecondPerson, watchOther(candidates, player: followed, at: time, passed) {
      return .nothing(.secondPerson)
    }
    guard followed.sightings >= Self.leastSightings else { return .nothing(.unconfirmed) }
    return .player(followed.place, confidence: min(1, 0.5 + best.fit / 2))
  }

  /// Forgets the player, as after a disturbance.
  mutating func reset() {
    player = nil
    other = nil
    rivalry = 0
    otherSeen = 0
  }

  private mutating func start(_ candidates: [Candidate], at time: Double) -> Finding {
    reset()
    var best: Candidate?
    // What doesn't stir is a thing, or a place where a person stood.
    for candidate in candidates where candidate.fit > 0.2 && candidate.stir > Track.leastStir {
      if let one = best, one.fit * one.area >= candidate.fit * candidate.area { continue }
      best = candidate
    }
    guard let best else { return .nothing(.noPlayer) }
    player = Track(best, at: time)
    return .nothing(.unconfirmed)
  }

  private func nearest(_ candidates: [Candidate], to track: Track, at time: Double) -> Candidate? {
    let passed = time - track.seen
    let guess = track.expected(at: time)
    // Six pixels of noise, at that place.
    let reach = 0.5 + Track.fastest * passed + metresPerPixel(at: track.place) * 2
    var best: Candidate?
    var bestScore = 0.0
    for candidate in candidates {
      // Legs alone are the player's only where the player is expected.
      let isPart = candidate.shape < Self.leastShape
      let distance = candidate.court.distance(to: guess) / (isPart ? reach / 2 : reach)
      guard distance < 1 else { continue }
      let score = (candidate.fit + 0.2) * exp(-2.56 * distance * distance)
      if score > bestScore { (best, bestScore) = (candidate, score) }
    }
    return best
  }

  /// Of the small picture; 1 m where the calibration doesn't say.
  private func metresPerPixel(at place: CourtPoint) -> Double {
    calibration.metresPerPixel(at: place).map { $0 * scale } ?? 1
  }

  private func error(at place: CourtPoint) -> SightError {
    let along = metresPerPixel(at: place) * Track.error
    guard let camera = calibration.camera else {
      return SightError(direction: CourtPoint(0, 1), along: along, across: along)
    }
    let (dx, dy) = (place.x - camera.ground.x, place.y - camera.ground.y)
    let distance = max(hypot(dx, dy), 0.1)
    // A pixel upwards is further on the ground than one aside, the more so the lower the camera.
    return SightError(
      direction: CourtPoint(dx / distance, dy / distance),
      along: along,
      across: along * min(1, camera.height / distance)
    )
  }

  /// Something else has looked more like the player for too long.
  private mutating func hasRival(
    _ track: Track,
    _ best: Candidate,
    _ candidates: [Candidate],
    at time: Double,
    _ passed: Double
  ) -> Bool {
    let isStill = time - track.stirred > Self.stillness
    let isOutdone = candidates.contains { rival in
      guard rival.box != best.box, rival.fit > 0.4 else { return false }
      return rival.fit > 2 * best.fit
        || isStill && rival.stir > Track.leastStir && rival.fit > 0.7 * best.fit
    }
    rivalry = isOutdone ? rivalry + passed : max(0, rivalry - passed)
    guard rivalry > Self.patience else { return false }
    rivalry = 0
    return true
  }

  private mutating func watchOther(
    _ candidates: [Candidate],
    player: Track,
    at time: Double,
    _ passed: Double
  ) -> Bool {
    let isHidden = other.map { isHiding($0, behind: player, at: time) } ?? false
    if let track = other, time - track.seen > Self.memory, !isHidden { other = nil }
    if let best = bestOther(candidates, than: player, at: time) {
      let exactness = error(at: best.court)
      if other == nil { other = Track(best, at: time) }
      other?.follow(best, at: time, error: exactness)
      otherSeen += passed
    } else if !isHidden {
      otherSeen -= passed / 4
    }
    otherSeen = min(max(otherSeen, 0), 2 * Self.secondSeen)
    if let track = other, time - track.stirred > rules.longestStill { other = nil }
    return otherSeen > Self.secondSeen
  }

  private func bestOther(
    _ candidates: [Candidate],
    than player: Track,
    at time: Double
  ) -> Candidate? {
    var best: Candidate?
    for candidate in candidates where isOther(candidate, than: player) {
      if let track = other {
        let reach = 0.5 + Track.fastest * (time - track.seen)
        guard candidate.court.distance(to: track.place) < reach else { continue }
      } else {
        guard candidate.stir > Track.leastStir else { continue }
      }
      if let one = best, one.shape >= candidate.shape { continue }
      best = candidate
    }
    return best
  }

  /// The second person was last seen where the player is in the picture now: one hides the other.
  private func isHiding(_ track: Track, behind player: Track, at time: Double) -> Bool {
    time - track.seen < Self.longestHiding && track.box.share(in: player.box.withArms) > 0.2
  }

  private func isOther(_ candidate: Candidate, than player: Track) -> Bool {
    // Parts of the player, and the racket, may look like a person too.
    guard candidate.shape > 0.5, candidate.box.share(in: player.box) < 0.5,
      candidate.lowest.share(in: player.box.withArms) < 0.5,
      candidate.court.distance(to: player.place) > Self.apart
    else { return false }
    // Which of both is the player can't be told, so both count.
    return Self.isInside(candidate.court, around: 0)
      && Self.isInside(player.place, around: Self.apron)
      || Self.isInside(candidate.court, around: Self.apron)
        && Self.isInside(player.place, around: 0)
  }

  private static func isInside(_ place: CourtPoint, around: Double) -> Bool {
    place.x > -around && place.x < Court.width + around && place.y < Court.length + 2 * around
  }
}
