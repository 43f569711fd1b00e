package import Clocks

/// Whose positions are the player's: one source's, until it has been silent for longer than
/// ``LogicManager/window``.
package struct PlayerSelection: Sendable {
  package private(set) var player: SourceID?
  /// When the player was seen last.
  private var seen: MonotonicInstant?
  private var latest: MonotonicInstant?

  package init() {}

  /// Whether a position of this source at this instant is the player's.
  package mutating func admits(_ source: SourceID, at instant: MonotonicInstant) -> Bool {
    let now = latest.map { max($0, instant) } ?? instant
    latest = now
    if source != player, let seen, seen.duration(to: now) <= LogicManager.window { return false }
    player = source
    seen = now
    return true
  }
}
