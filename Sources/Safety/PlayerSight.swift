import Clocks
import CourtLogic

/// What was seen of the player, and what of that holds balls back.
struct PlayerSight: Hashable, Sendable {
  private(set) var lastSeen: MonotonicInstant?
  private var movement = PlayerMovement()
  private var lastJump: MonotonicInstant?
  private var average: PlayerPosition?
  /// Why the last position may not be the player's.
  private(set) var doubt: SourceDoubt?

  /// - Parameters:
  ///   - doubt: why the player may not be there.
  ///   - greatestSpeed: in metres a second; a faster player seems to have jumped.
  mutating func saw(
    _ position: PlayerPosition,
    doubt: SourceDoubt?,
    at instant: MonotonicInstant,
    greatestSpeed: Double
  ) {
    lastSeen = max(lastSeen ?? instant, instant)
    self.doubt = doubt
    if let speed = movement.saw(position, at: instant), speed > greatestSpeed {
      lastJump = instant
    }
  }

  /// - Parameter position: the mean of the last second's.
  mutating func averaged(_ position: PlayerPosition) { average = position }

  /// What holds balls back, the most important first.
  func holds(at now: MonotonicInstant, under rules: SafetyRules) -> [SafetyHold] {
    guard isWithinTheWindow(lastSeen, at: now), let average else { return [.notSeen] }
    var holds = doubt.map { [$0.hold] } ?? []
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

extension SourceDoubt {
  fileprivate var hold: SafetyHold {
    switch self {
    case .repeats: .detectorRepeats
    case .notMetres(let misfit): .notMetres(misfit)
    }
  }
}
