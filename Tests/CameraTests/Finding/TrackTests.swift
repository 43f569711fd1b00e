import CourtMapping
import Glibc
import Testing

@testable import Camera

/// A place is smoothed by how exactly it is seen.
@Suite struct TrackTests {
  private func error(_ along: Double) -> SightError {
    SightError(direction: CourtPoint(0, -1), along: along, across: along / 4)
  }

  @Test func aRunnerOfConstantSpeedIsFollowedWithoutLag() {
    var track = Track(.person(at: 1, 10), at: 0)
    for step in 1...45 {
      let time = Double(step) / 15
      track.follow(.person(at: 1 + 2 * time, 10 - 2 * time), at: time, error: error(0.3))
    }
    #expect(hypot(track.place.x - 7, track.place.y - 4) < 0.05, "\(track.place)")
    #expect(abs(track.velocity.x - 2) < 0.1 && abs(track.velocity.y + 2) < 0.1)
  }

  @Test func whatIsSeenBadlyMovesThePlaceLess() {
    var exact = Track(.person(at: 4, 8), at: 0)
    var vague = exact
    exact.follow(.person(at: 4, 9), at: 0.1, error: error(0.02))
    vague.follow(.person(at: 4, 9), at: 0.1, error: error(1))
    #expect(exact.place.y > 8.7)
    #expect(vague.place.y < 8.5 && vague.place.y > 8)
    #expect(exact.place.x == 4 && vague.place.x == 4)
  }

  @Test func acrossTheLineOfSightIsSeenBetterThanAlongIt() {
    var track = Track(.person(at: 4, 8), at: 0)
    track.follow(.person(at: 5, 9), at: 0.1, error: error(0.5))
    #expect(track.place.x - 4 > track.place.y - 8)
  }

  @Test func nothingRunsFasterThanAPerson() {
    var track = Track(.person(at: 0, 0), at: 0)
    for step in 1...10 {
      track.follow(.person(at: Double(step) * 3, 0), at: Double(step) / 15, error: error(0.02))
    }
    #expect(hypot(track.velocity.x, track.velocity.y) <= Track.fastest + 1e-9)
  }

  @Test func whatDoesNotStirIsRemembered() {
    var track = Track(.person(at: 4, 8), at: 0)
    track.follow(.person(at: 4, 8), at: 1, error: error(0.1))
    track.follow(.person(at: 4, 8, stir: 0), at: 2, error: error(0.1))
    #expect(track.stirred == 1 && track.seen == 2 && track.sightings == 3)
  }

  @Test func atItsOriginItIsBelievedOnlyWhileItLooksLikeAPerson() {
    var track = Track(.person(at: 4, 8), at: 0)
    for isClear in [true, true, false, true, true] { track.believe(isClear) }
    #expect(!track.isBelieved)
    track.believe(true)
    for _ in 0..<3 { track.believe(false) }
    #expect(track.isBelieved)
    track.believe(false)
    #expect(!track.isBelieved)
  }
}
