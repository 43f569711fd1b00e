import Clocks
import CourtLogic
import Glibc
import Host
import JSON

/// The player once a second, as lines of the phone app's `player_positions.csv`:
/// `timestamp,x,y`, the timestamp as `yyyy-MM-dd HH:mm:ss` in local time, metres.
///
/// The wall clock is read when the service begins and when a session does; from then on the
/// monotonic clock counts. So a file can still be played when the clock is set meanwhile, or summer
/// time ends.
struct PlayerPositionLines: Sendable {
  private var start: MonotonicInstant
  /// The local time at the start, as seconds since 1970 as if local time were UTC.
  private var localStart: Int
  private var selection = PlayerSelection()
  private var lastSecond: Int?

  /// - Parameter secondsSince1970: the wall clock at `start`.
  init(from start: MonotonicInstant, secondsSince1970: Int) {
    self.start = start
    localStart = Self.local(secondsSince1970)
  }

  private static func local(_ secondsSince1970: Int) -> Int {
    var seconds = time_t(secondsSince1970)
    var local = tm()
    localtime_r(&seconds, &local)
    return secondsSince1970 + local.tm_gmtoff
  }

  /// Reads the wall clock again.
  ///
  /// - Returns: whether it was set since the last reading; then the next lines need a new file.
  mutating func setClock(at now: MonotonicInstant, secondsSince1970: Int) -> Bool {
    let local = Self.local(secondsSince1970)
    // One second of difference may be due to rounding.
    guard abs(local - second(at: now)) > 1 else { return false }
    (start, localStart, lastSecond) = (now, local, nil)
    return true
  }

  private func second(at instant: MonotonicInstant) -> Int {
    localStart + Int(start.duration(to: instant).components.seconds)
  }

  /// The position's line; nil when this second has a line, or the position isn't the player's.
  mutating func line(
    _ position: PlayerPosition,
    from source: SourceID,
    at instant: MonotonicInstant
  ) -> String? {
    guard selection.admits(source, at: instant) else { return nil }
    let second = second(at: instant)
    guard second > lastSecond ?? .min else { return nil }
    lastSecond = second
    let time = WallTime(secondsSince1970: second).iso8601.dropLast()
      .split(separator: "T").joined(separator: " ")
    return "\(time),\(position.x.rounded(places: 3)),\(position.y.rounded(places: 3))\n"
  }
}
