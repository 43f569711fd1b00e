import Clocks
import CourtLogic

/// Shows whether the player seems to move faster than a person can: the positions are then of two
/// people, or of none.
///
/// It compares the means of consecutive short slots: a detector's jitter and a feeder whose lines
/// arrive in bursts average out, a jump doesn't. The source makes no difference: a second source
/// that takes over sees the same player.
struct PlayerMovement: Hashable, Sendable {
  /// Short against the second that a decision averages, long against a camera's frame.
  static let slot = Duration.milliseconds(200)

  private struct Slot: Hashable, Sendable {
    let start: MonotonicInstant
    private var time = Duration.zero
    private var x = 0.0
    private var y = 0.0
    private var count = 0.0

    init(at start: MonotonicInstant) {
      self.start = start
    }

    mutating func add(_ position: PlayerPosition, at instant: MonotonicInstant) {
      time += start.duration(to: instant)
      x += position.x
      y += position.y
      count += 1
    }

    private var meanTime: MonotonicInstant { start.advanced(by: time / count) }

    /// In metres a second; both slots hold a position or more.
    func speed(to next: Slot) -> Double {
      let (dx, dy) = (next.x / next.count - x / count, next.y / next.count - y / count)
      // At least a whole slot: the first positions of a slot give no better mean.
      let time = max(meanTime.duration(to: next.meanTime), PlayerMovement.slot)
      return (dx * dx + dy * dy).squareRoot() / time.seconds
    }
  }

  private var previous: Slot?
  private var current: Slot?

  /// Takes the player's next position.
  ///
  /// - Returns: the apparent speed in metres a second; nil when there is nothing to compare.
  mutating func saw(_ position: PlayerPosition, at now: MonotonicInstant) -> Double? {
    if current.map({ $0.start.duration(to: now) >= Self.slot }) ?? true {
      previous = current
      current = Slot(at: now)
    }
    current?.add(position, at: now)
    guard let previous, let current else { return nil }
    return previous.speed(to: current)
  }
}
