import CourtLogic

/// Tells whether the player seems to move faster than anybody can: the positions are then of two
/// people, or of none.
///
/// Compared are the means of short slots, one after the other: a detector's tremble and a feeder
/// whose lines arrive in bursts average out, a leap doesn't. Whose positions they are makes no
/// difference: a second source that takes over sees the same player.
struct PlayerMovement: Hashable, Sendable {
  /// Short against the second that a decision averages, long against a camera's frame.
  static let slot = Duration.milliseconds(200)

  private struct Slot: Hashable, Sendable {
    let start: MonotonicInstant
    private var x = 0.0
    private var y = 0.0
    private var count = 0.0

    init(at start: MonotonicInstant) {
      self.start = start
    }

    mutating func add(_ position: PlayerPosition) {
      x += position.x
      y += position.y
      count += 1
    }

    /// In metres; both slots hold a position or more.
    func distance(to other: Slot) -> Double {
      let (dx, dy) = (other.x / other.count - x / count, other.y / other.count - y / count)
      return (dx * dx + dy * dy).squareRoot()
    }
  }

  private var previous: Slot?
  private var current: Slot?

  /// Takes the player's next position.
  ///
  /// - Returns: how fast he seems to move, in metres a second; nil when there is nothing to compare.
  mutating func saw(_ position: PlayerPosition, at now: MonotonicInstant) -> Double? {
    if current.map({ $0.start.duration(to: now) >= Self.slot }) ?? true {
      previous = current
      current = Slot(at: now)
    }
    current?.add(position)
    guard let previous, let current else { return nil }
    return previous.distance(to: current)
      / (previous.start.duration(to: current.start) / .seconds(1))
  }
}
