import CourtLogic
import CourtMapping

/// Watches for a second person inside the player's lines: balls would be thrown at both.
struct SecondPerson {
  /// What is nearer to the player is a part of the player, in metres: less where it stands beside as a whole
  /// person, with feet of its own.
  static let apart = (anywhere: 1.2, beside: 0.8)
  static let leastShape = (anywhere: 0.5, beside: 0.3)
  /// Who is nearer than so many metres is in the way of a ball, wherever the player is.
  static let inTheWay = 2.5
  /// How far outside the sidelines a player plays, in metres; behind the baseline, twice as far.
  static let apron = 0.75
  /// So long, in seconds, the second person must be seen before it counts.
  static let leastSeen = 0.5
  /// A second person who is hidden by the player, or hides the player, is believed to be there so
  /// long, in seconds.
  static let longestHiding = 10.0

  /// The least height above the feet at which a racket is held, in heights of a person.
  static let racket = 0.5
  /// Of one who stands beside the player in the picture: how much of the breadth both may share, how much
  /// lower or higher the feet may be, and the least height; in shares of the player's.
  static let beside = (overlap: 0.25, feet: 0.3, height: 0.7)
  /// What holds more than this share of the player's box is the player, joined with what lies
  /// beside.
  static let joined = 0.5

  private(set) var track: Track?
  /// How long the second person was seen, in seconds; time without a sight counts against it.
  private var seen = 0.0
  private var last: Double?

  var isThere: Bool { seen > Self.leastSeen }

  /// - Parameter isPair: the player hangs together with another person.
  mutating func watch(
    _ candidates: [Candidate],
    beside player: Track,
    isPair: Bool,
    at time: Double,
    _ exactness: Exactness,
    _ rules: FinderRules
  ) {
    let passed = min(time - (last ?? time), 0.5)
    last = time
    let isHidden = track.map { Self.isHiding($0, behind: player, at: time) } ?? false
    if let track, time - track.seen > PlayerTracker.memory, !isHidden { self.track = nil }
    if let best = best(candidates, beside: player, at: time, rules) {
      if track == nil { track = Track(best, at: time) }
      track?.follow(best, at: time, error: exactness.error(at: best.court))
      seen += passed
    } else if isPair {
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
    at time: Double,
    _ rules: FinderRules
  ) -> Candidate? {
    var best: Candidate?
    for candidate in candidates where Self.isOther(candidate, than: player, rules) {
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

  private static func isOther(
    _ candidate: Candidate,
    than player: Track,
    _ rules: FinderRules
  ) -> Bool {
    // Parts of the player, and the racket, may look like a person too.
    let isBeside = stands(candidate, beside: player.box)
    let distance = candidate.court.distance(to: player.place)
    guard candidate.shape > (isBeside ? leastShape.beside : leastShape.anywhere),
      distance > (isBeside ? apart.beside : apart.anywhere),
      candidate.box.share(in: player.box) < 0.5,
      isBeside || candidate.lowest.share(in: player.box.withArms) < 0.5
    else { return false }
    let (one, other) = (candidate.court, player.place)
    if distance < inTheWay, rules.reach.contains(one), rules.reach.contains(other) { return true }
    // It is unknown which of both is the player, so both count.
    return isInside(one, around: 0) && isInside(other, around: apron)
      || isInside(one, around: apron) && isInside(other, around: 0)
  }

  /// A whole person, at the same height in the picture.
  private static func stands(_ candidate: Candidate, beside player: PixelBox) -> Bool {
    let box = candidate.box
    let shared = min(box.right, player.right) - max(box.left, player.left) + 1
    let high = Double(player.height)
    return Double(shared) < beside.overlap * Double(min(box.width, player.width))
      && abs(Double(candidate.lowest.bottom - player.bottom)) < beside.feet * high
      && Double(box.height) > beside.height * high
  }

  private static func isInside(_ place: CourtPoint, around: Double) -> Bool {
    place.x > -around && place.x < Court.width + around && place.y < Court.length + 2 * around
  }
}
