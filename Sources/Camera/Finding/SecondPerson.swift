import CourtLogic
import CourtMapping

/// Watches for a second person inside the player's lines: balls would be thrown at both.
struct SecondPerson {
  /// What is nearer to the player is a part of the player, in metres.
  static let apart = 1.2
  /// How far outside the sidelines a player plays, in metres; behind the baseline, twice as far.
  static let apron = 0.75
  /// So long, in seconds, the second person must be seen before it counts.
  static let leastSeen = 0.5
  /// A second person who is hidden by the player, or hides the player, is believed to be there so
  /// long, in seconds.
  static let longestHiding = 10.0

  /// The least height above the feet at which a racket is held, in heights of a person.
  static let racket = 0.5
  /// What holds more than this share of the player's box is the player, joined with what lies
  /// beside.
  static let joined = 0.5

  private(set) var track: Track?
  /// How long the second person was seen, in seconds; time without a sight counts against it.
  private var seen = 0.0
  private var last: Double?

  var isThere: Bool { seen > Self.leastSeen }

  mutating func watch(
    _ candidates: [Candidate],
    beside player: Track,
    at time: Double,
    _ exactness: Exactness,
    _ rules: FinderRules
  ) {
    let passed = min(time - (last ?? time), 0.5)
    last = time
    let isHidden = track.map { Self.isHiding($0, behind: player, at: time) } ?? false
    if let track, time - track.seen > PlayerTracker.memory, !isHidden { self.track = nil }
    if let best = best(candidates, beside: player, at: time) {
      if track == nil { track = Track(best, at: time) }
      track?.follow(best, at: time, error: exactness.error(at: best.court))
      seen += passed
    } else if !isHidden {
      seen -= passed / 4
    }
    seen = min(max(seen, 0), 2 * Self.leastSeen)
    if let track, time - track.stirred > rules.longestStill { self.track = nil }
  }

  private func best(
    _ candidates: [Candidate],
    beside player: Track,
    at time: Double
  ) -> Candidate? {
    var best: Candidate?
    for candidate in candidates where Self.isOther(candidate, than: player) {
      if let track {
        let reach = 0.5 + Track.fastest * (time - track.seen)
        guard candidate.court.distance(to: track.place) < reach else { continue }
      } else {
        guard candidate.stir > Track.leastStir, player.box.share(in: candidate.box) < Self.joined,
          !candidate.rests(onArmOf: player.box, above: Self.racket)
        else { continue }
      }
      if let one = best, one.shape >= candidate.shape { continue }
      best = candidate
    }
    return best
  }

  /// It was last seen where the player is in the picture now: one hides the other.
  private static func isHiding(_ track: Track, behind player: Track, at time: Double) -> Bool {
    time - track.seen < longestHiding && track.box.share(in: player.box.withArms) > 0.2
  }

  private static func isOther(_ candidate: Candidate, than player: Track) -> Bool {
    // Parts of the player, and the racket, may look like a person too.
    guard candidate.shape > 0.5, candidate.box.share(in: player.box) < 0.5,
      candidate.lowest.share(in: player.box.withArms) < 0.5,
      candidate.court.distance(to: player.place) > apart
    else { return false }
    // It is unknown which of both is the player, so both count.
    let (one, other) = (candidate.court, player.place)
    return isInside(one, around: 0) && isInside(other, around: apron)
      || isInside(one, around: apron) && isInside(other, around: 0)
  }

  private static func isInside(_ place: CourtPoint, around: Double) -> Bool {
    place.x > -around && place.x < Court.width + around && place.y < Court.length + 2 * around
  }
}
