import Clocks
import CourtLogic

/// What was seen of the player, and what of that holds balls back.
struct PlayerSight: Hashable, Sendable {
  private(set) var lastSeen: MonotonicInstant?
  private var movement = PlayerMovement()
  private var lastJump: MonotonicInstant?
  private var average: PlayerPosition?
  /// Whether the last position was of a detector that repeats itself.
  private(set) var isRepeated = false

  /// - Parameters:
  ///   - isRepeated: whether the detector repeats itself.
  ///   - greatestSpeed: in metres a second; a faster player seems to have jumped.
  mutating func saw(
    _ position: PlayerPosition,
    isRepeated: Bool,
    at instant: MonotonicInstant,
    greatestSpeed: Double
  ) {
    lastSeen = max(lastSeen ?? instant, instant)
    self.isRepeated = isRepeated
    if let speed = movement.saw(position, at: instant), speed > greatestSpeed {
      lastJump = instant
    }
  }

  /// - Parameter position: the mean of the last second's.
  mutating func averaged(_ position: PlayerPosition) { average = position }

  /// What holds balls back, the most important first.
  func holds(at now: MonotonicInstant, under rules: SafetyRules) -> [SafetyHold] {
    guard isWithinTheWindow(lastSeen, at: now), let average else { return [.notSeen] }
    var holds: [SafetyHold] = isRepeated ? [.detectorRepeats] : []
    if average.y < 0 {
      holds.append(.behindNet)
    } else if average.y < rules.leastNetDistance {
      holds.append(.nearNet(limit: rules.leastNetDistance))
    }
    // Until the mean includes no position from before the jump.
    if isWithinTheWindow(lastJump, at: now) {
      holds.append(.impossibleJump(limit: rules.greatestSpeed))
    }
    return holds
  }

  /// When time alone begins or ends a hold.
  func nextChange(after now: MonotonicInstant) -> MonotonicInstant? {
    [lastSeen, lastJump].compactMap(\.self).filter { isWithinTheWindow($0, at: now) }.min()?
      .advanced(by: LogicManager.window + .nanoseconds(1))
  }

  private func isWithinTheWindow(
    _ instant: MonotonicInstant?,
    at now: MonotonicInstant
  ) -> Bool {
    instant.map { $0.duration(to: now) <= LogicManager.window } ?? false
  }
}
