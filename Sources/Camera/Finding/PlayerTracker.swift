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
  /// After a gap of more seconds, what is seen outside the reach of play is taken for another person, and
  /// the player is lost.
  static let longestStep = 0.3
  /// Fewer sightings may be a bird or a ball.
  static let leastSightings = 4
  /// What is less of a person's shape is a part of one.
  static let leastShape = 0.05
  /// A rival that looks more like the player for so many seconds is the player.
  static let patience = 0.7
  /// What ends so far above the feet, in heights of a person, is a part of that person.
  static let aboveFeet = 0.2
  /// The track hasn't stirred for so long while a rival does: it may be a thing.
  static let stillness = 2.0

  private(set) var player: Track?
  private(set) var second = SecondPerson()

  private let exactness: Exactness
  private let rules: FinderRules
  private var rivalry = 0.0

  init(calibration: Calibration, scale: Double, rules: FinderRules) {
    exactness = Exactness(calibration: calibration, scale: scale)
    self.rules = rules
  }

  mutating func step(_ candidates: [Candidate], at time: Double) -> Finding {
    guard let track = player, time - track.seen < Self.memory else {
      return start(candidates, at: time)
    }
    // What isn't believed is the ghost of the person who moves beside it.
    if !track.isBelieved, time - track.stirred > 0.1, let origin = track.origin,
      let other = candidates.first(where: {
        $0.stir > CandidateJudge.ghostStir && $0.fit > 0.2 && $0.box.share(in: origin) == 0
          && rules.reach.contains($0.court) && !Self.isPart($0, of: candidates)
      })
    {
      player = Track(other, at: time)
      player?.origin = origin
      return .nothing(.unconfirmed)
    }
    guard let best = nearest(candidates, to: track, at: time) else {
      player?.slow()
      return .nothing(.noPlayer)
    }
    let pixel = exactness.metresPerPixel(at: track.place)
    if exactness.isLow, player?.losesFeet(best, at: time, pixel: pixel) == true {
      player?.slow()
      return .nothing(.unconfirmed)
    }
    let passed = time - track.seen
    player?.follow(best, at: time, error: exactness.error(at: best.court))
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
    if rules.refusesSecondPerson {
      second.watch(candidates, beside: followed, isPair: best.isPair, at: time, exactness, rules)
      if second.isThere { return .nothing(.secondPerson) }
    }
    guard followed.sightings >= Self.leastSightings else { return .nothing(.unconfirmed) }
    return .player(
      Stance.middle(of: followed, exactness),
      confidence: min(1, 0.5 + best.fit / 2)
    )
  }

  /// Where the player is expected, if none of the candidates is the player.
  func missed(_ candidates: [Candidate], at time: Double) -> CourtPoint? {
    guard let player, time - player.seen < Self.memory,
      nearest(candidates, to: player, at: time) == nil
    else { return nil }
    return player.expected(at: time)
  }

  /// - Returns: where the player was seen first, once the player has left that place.
  mutating func leaveOrigin() -> PixelBox? { player?.leaveOrigin() }

  /// - Parameter isClear: the player looks clearly like a person in this frame.
  mutating func believe(_ isClear: Bool) { player?.believe(isClear) }

  /// Forgets the player, as after a disturbance.
  mutating func reset() {
    player = nil
    second = SecondPerson()
    rivalry = 0
  }

  private mutating func start(_ candidates: [Candidate], at time: Double) -> Finding {
    player = nil
    rivalry = 0
    var best: Candidate?
    // What doesn't stir is a thing, or a place where a person stood.
    for candidate in candidates
    where candidate.stir > Track.leastStir && rules.reach.contains(candidate.court) {
      // Much of a person is hidden at dusk. But only a whole person beside the court is worth a look.
      guard candidate.fit > 0.2 || candidate.fit > 0.1 && candidate.fit > 0.9 * candidate.shape
      else { continue }
      if let one = best, one.fit * one.area >= candidate.fit * candidate.area { continue }
      if Self.isPart(candidate, of: candidates) { continue }
      best = candidate
    }
    guard let best else { return .nothing(.noPlayer) }
    player = Track(best, at: time)
    return .nothing(.unconfirmed)
  }

  private func nearest(_ candidates: [Candidate], to track: Track, at time: Double) -> Candidate? {
    let passed = time - track.seen
    let guess = track.expected(at: time)
    // Two pixels of noise, at that place.
    let reach = 0.5 + Track.fastest * passed + 2 * exactness.metresPerPixel(at: track.place)
    var best: Candidate?
    var bestScore = 0.0
    for candidate in candidates {
      // Legs alone are the player's only where the player is expected.
      let isPart = candidate.shape < Self.leastShape
      let distance = candidate.court.distance(to: guess) / (isPart ? reach / 2 : reach)
      guard distance < 1, passed < Self.longestStep || rules.reach.contains(candidate.court)
      else { continue }
      // A player who runs is hardly a thing in the next frame.
      let isThing = track.isRunning && candidate.stir <= Track.leastStir
      let score = (candidate.fit + 0.2) * exp(-2.56 * distance * distance) * (isThing ? 0.1 : 1)
      if score > bestScore { (best, bestScore) = (candidate, score) }
    }
    return best
  }

  /// It is a part of one that looks more like a person: a track would begin with the wrong feet.
  private static func isPart(_ candidate: Candidate, of candidates: [Candidate]) -> Bool {
    candidates.contains {
      $0.fit > candidate.fit && $0.box != candidate.box
        && candidate.rests(onArmOf: $0.box, above: aboveFeet)
    }
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
}
