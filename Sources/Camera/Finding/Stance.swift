import CourtMapping
import Glibc

/// How far from the lowest pixels the middle between both feet is, by what the legs do.
///
/// A player who waits stands with the feet apart, and the nearer one is lower in the picture. One who
/// runs lifts them. Fitted to the scenes that parameters are chosen on.
enum Stance {
  /// From this speed on, in metres a second, a player runs.
  private static let running = 2.5
  /// How much farther from the camera than its foot point the player's middle is, in pixels of the
  /// small picture.
  private static let pixels = (waiting: 0.15, running: -0.25)
  /// How much farther the middle is of a player seen from the side, who faces the net, in metres.
  private static let sideways = 0.1

  static func middle(of track: Track, _ exactness: Exactness) -> CourtPoint {
    let run = min(hypot(track.velocity.x, track.velocity.y) / running, 1)
    let error = exactness.error(at: track.place)
    let (direction, pixel) = (error.direction, error.along / Exactness.pixels)
    let farther =
      pixel * (pixels.waiting * (1 - run) + pixels.running * run)
      + sideways * abs(direction.x) * (1 - run)
    return CourtPoint(
      track.place.x + direction.x * farther,
      track.place.y + direction.y * farther
    )
  }
}
