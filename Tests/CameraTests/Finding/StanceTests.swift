import CourtMapping
import Scenes
import Testing

@testable import Camera

/// The middle between both feet is farther from the camera the more the feet are apart.
@Suite struct StanceTests {
  private func exactness(_ setting: Setting) throws -> Exactness {
    let marks = Scene(setting, seed: 7, size: smallSize).camera.marks(
      in: fullSize,
      error: 0,
      seed: 1
    )
    return Exactness(calibration: try Calibration(marks: marks, size: fullSize), scale: 4)
  }

  /// Along the x axis, in the frames of a player who runs away from a camera at the side.
  private func track(speed: Double) -> Track {
    let error = SightError(direction: CourtPoint(1, 0), along: 0.01, across: 0.01)
    var track = Track(.person(at: 2, 8), at: 0)
    for step in 1...15 {
      let time = Double(step) / 15
      track.follow(.person(at: 2 + speed * time, 8), at: time, error: error)
    }
    return track
  }

  @Test func aWaitingPlayersFeetAreApartAsSeenFromTheSide() throws {
    let waiting = track(speed: 0)
    let side = Stance.middle(of: waiting, try exactness(.side))
    #expect(side.x - waiting.place.x > 0.1 && side.x - waiting.place.x < 0.2)
    // From behind, the feet are beside one another.
    let behind = Stance.middle(of: waiting, try exactness(.sun))
    #expect(waiting.place.y - behind.y > 0 && waiting.place.y - behind.y < 0.1)
  }

  @Test func aRunnersLiftedFeetLookFartherAway() throws {
    let running = track(speed: 4)
    let side = Stance.middle(of: running, try exactness(.side))
    #expect(side.x < running.place.x && side.x > running.place.x - 0.2)
  }
}
