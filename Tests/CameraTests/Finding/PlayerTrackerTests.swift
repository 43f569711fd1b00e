import CourtMapping
import Scenes
import Testing

@testable import Camera

/// Which candidate is the player, and which one a second person.
@Suite struct PlayerTrackerTests {
  private var tracker: PlayerTracker
  /// A player on the court, in the small picture.
  private static let player = PixelBox(left: 149, right: 166, top: 75, bottom: 104)
  /// The player's racket, and a person of the machine's half above it in the picture.
  private static let racketAndPerson = PixelBox(left: 130, right: 146, top: 57, bottom: 84)
  private static let upperHalf = PixelBox(left: 149, right: 166, top: 75, bottom: 92)

  init() throws {
    let marks = Scene(.sun, seed: 7, size: smallSize).camera.marks(in: fullSize, error: 0, seed: 1)
    let calibration = try Calibration(marks: marks, size: fullSize)
    tracker = PlayerTracker(calibration: calibration, scale: 4, rules: FinderRules())
  }

  /// What is found in the last of so many frames with these candidates.
  private mutating func find(
    _ candidates: [Candidate],
    from start: Double = 0,
    frames: Int
  ) -> PlayerTracker.Finding {
    var finding = PlayerTracker.Finding.nothing(.noPlayer)
    for frame in 0..<frames {
      finding = tracker.step(candidates, at: start + Double(frame) / 15)
    }
    return finding
  }

  /// Seen in the scenes *company*, where the place was six metres from the player, and *dusk*, where
  /// shorts of the court's colour cut the player in two.
  @Test(arguments: [
    Candidate.person(at: 2.5, 2.3, fit: 0.7, box: racketAndPerson),
    Candidate.person(at: 4.1, 4.5, fit: 0.7, box: upperHalf),
  ])
  mutating func aPartOfThePlayerIsNotThePlayer(part: Candidate) {
    let still = Candidate.person(at: 4.1, 8.1, stir: 0, fit: 0.9, box: Self.player)
    #expect(find([still, part], frames: 30) == .nothing(.noPlayer))
    #expect(tracker.player == nil)
    let moving = Candidate.person(at: 4.1, 8.1, fit: 0.9, box: Self.player)
    guard case .player(let place, _) = find([moving, part], from: 2, frames: 30) else {
      Issue.record("no player is found")
      return
    }
    #expect(place.distance(to: CourtPoint(4.1, 8.1)) < 0.3)
  }

  @Test mutating func aRacketBelowAPersonFarAwayIsNoSecondPerson() {
    let alone = Candidate.person(at: 4.1, 8.1, fit: 1, box: Self.player)
    _ = find([alone], frames: 30)
    let above = Candidate.person(at: 2.5, 2.3, fit: 0.7, box: Self.racketAndPerson)
    guard case .player = find([alone, above], from: 2, frames: 30) else {
      Issue.record("a second person is seen")
      return
    }
    // One who stands on the court there is.
    let beside = PixelBox(left: 110, right: 120, top: 62, bottom: 92)
    let second = Candidate.person(at: 1.5, 5.2, fit: 0.9, box: beside)
    #expect(find([alone, second], from: 4, frames: 30) == .nothing(.secondPerson))
  }

  /// Seen in the scene *grey*, where the player's halves were joined with a patch of light.
  @Test mutating func thePlayerTogetherWithAThingIsNoSecondPerson() {
    let box = PixelBox(left: 126, right: 149, top: 88, bottom: 121)
    let alone = Candidate.person(at: 3.3, 10.8, fit: 0.9, box: box)
    var joined = Candidate.person(
      at: 2.5,
      11.9,
      fit: 0.6,
      box: PixelBox(left: 108, right: 145, top: 88, bottom: 129)
    )
    joined.lowest = PixelBox(left: 104, right: 112, top: 91, bottom: 129)
    guard case .player = find([alone, joined], frames: 30) else {
      Issue.record("a second person is seen")
      return
    }
    // One who stands beside the player is.
    joined.box.right = 130
    #expect(find([alone, joined], from: 2, frames: 30) == .nothing(.secondPerson))
  }

  /// Seen in the scene *clouds*, where the edge of a cloud's shadow was followed instead.
  @Test mutating func aPlayerWhoRunsDoesNotBecomeAThing() {
    for frame in 0..<15 {
      _ = find([.person(at: 2 + 0.25 * Double(frame), 8)], from: Double(frame) / 15, frames: 1)
    }
    let player = Candidate.person(at: 5.2, 8, box: Self.player)
    let thing = Candidate.person(at: 5.8, 8, stir: 0, box: Self.racketAndPerson)
    _ = find([thing, player], from: 1, frames: 1)
    #expect(tracker.player.map { $0.place.x < 5.5 } == true)
    // Alone, it may be the player who has stopped.
    _ = find([thing], from: 16.0 / 15, frames: 1)
    #expect(tracker.player?.box == Self.racketAndPerson)
  }

  /// A person on the next court, or the trail of a ball that is drawn there. On real footage both were named
  /// once the player had left.
  @Test(arguments: [CourtPoint(-2.8, 9), CourtPoint(11.2, 9), CourtPoint(4, 18.4)])
  mutating func whoIsOutsideTheReachOfPlayIsNotThePlayer(_ place: CourtPoint) {
    let other = Candidate.person(at: place.x, place.y)
    #expect(find([other], frames: 60) == .nothing(.noPlayer))
    // Nor is it the player who was lost near the edge of the reach.
    let edge = CourtPoint(min(max(place.x, -2), 10.3), min(place.y, 17.5))
    let player = Candidate.person(at: edge.x, edge.y)
    guard case .player = find([player, other], from: 5, frames: 15) else {
      Issue.record("no player is found")
      return
    }
    _ = find([], from: 6, frames: 5)
    #expect(find([other], from: 6.4, frames: 60) == .nothing(.noPlayer))
  }

  @Test mutating func aPlayerWhoRunsOutOfTheReachIsFollowed() {
    for frame in 0..<20 {
      _ = find([.person(at: 6 + 0.28 * Double(frame), 10)], from: Double(frame) / 15, frames: 1)
    }
    guard case .player(let place, _) = find([.person(at: 11.6, 10)], from: 20.0 / 15, frames: 1)
    else {
      Issue.record("the player is lost")
      return
    }
    #expect(place.x > 11)
  }

  @Test func theReachMayBeSet() throws {
    var rules = FinderRules()
    rules.reach = FinderRules.Reach(aside: 1, behind: 2)
    let inside = [CourtPoint(-0.9, 5), CourtPoint(9.1, 5), CourtPoint(4, 13.8)]
    #expect(inside.allSatisfy { rules.reach.contains($0) })
    let outside = [CourtPoint(-1.1, 5), CourtPoint(9.3, 5), CourtPoint(4, 13.9)]
    #expect(outside.allSatisfy { !rules.reach.contains($0) && rules.reach.contains($0, 0.2) })
  }

  /// Two players at the baseline, as near as they come to each other without a collision.
  @Test(arguments: [1.0, 1.5, 2])
  mutating func onePersonBesideThePlayerIsNoticedWithinASecond(_ apart: Double) {
    let across = Int(apart * 17)
    let player = Candidate.person(at: 4, 12.2, box: Self.player)
    var box = Self.player
    (box.left, box.right) = (box.left + across, box.right + across)
    // One who bends has less of a person's height.
    let second = Candidate.person(at: 4 + apart, 12.3, fit: 0.4, box: box)
    _ = find([player], frames: 30)
    guard case .player = find([player, second], from: 2, frames: 5) else {
      Issue.record("too hasty")
      return
    }
    #expect(find([player, second], from: 2 + 5.0 / 15, frames: 9) == .nothing(.secondPerson))
  }

  @Test mutating func twoWhoHangTogetherAreASecondPerson() {
    var player = Candidate.person(at: 4, 10, box: Self.player)
    _ = find([player], frames: 30)
    player.isPair = true
    #expect(find([player], from: 2, frames: 14) == .nothing(.secondPerson))
  }
}
