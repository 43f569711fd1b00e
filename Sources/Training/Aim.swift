package import CourtLogic

/// A strategy at work in a set: where it is, what was thrown last, and the generator.
///
/// It is a value: ``next(playerAt:on:)`` gives the next target and the aim after that ball. The owner keeps
/// the old aim until the ball has left, so that a ball which is held back or lost changes nothing.
package struct Aim: Hashable, Sendable {
  package let strategy: AimingStrategy
  /// Whether no zone comes twice running.
  private let avoidsRepeats: Bool
  private var generator: SeededGenerator
  private var last: Zone?
  /// The entry of ``AimingStrategy/plan(_:)`` whose turn it is; ``ballsLeft`` says how many of its
  /// balls are left.
  private var entry = 0
  private var ballsLeft: Int?
  /// Whether the next ball of ``AimingStrategy/sides(left:right:)`` goes to the right.
  private var isRightNext = false

  package init(_ strategy: AimingStrategy, avoidsRepeats: Bool, seed: UInt64) {
    self.strategy = strategy
    self.avoidsRepeats = avoidsRepeats
    generator = SeededGenerator(seed: seed)
  }

  /// A copy with the same generator that begins the strategy again: a set begins.
  package var atBegin: Aim {
    var aim = self
    aim.last = nil
    aim.entry = 0
    aim.ballsLeft = nil
    aim.isRightNext = false
    return aim
  }

  /// - Parameters:
  ///   - player: the mean position; it matters to `follow` and `away` alone.
  ///   - court: has the zones.
  /// - Returns: what to aim at, nil for the player's own zone; and the aim after that ball.
  package func next(playerAt player: PlayerPosition, on court: Court) -> (Target?, Aim) {
    var aim = self
    let target = aim.nextTarget(player, court)
    aim.last = target?.zone
    return (target, aim)
  }

  private mutating func nextTarget(_ player: PlayerPosition, _ court: Court) -> Target? {
    switch strategy {
    case .follow: return nil
    case .random(let targets): return draw(targets)
    case .away(let targets, let distance):
      return reachable(allowed(targets), within: distance, of: player, on: court).draw(&generator)
    case .sides(let left, let right):
      defer { isRightNext.toggle() }
      return draw(isRightNext ? right : left)
    case .plan(let shots):
      var left = ballsLeft ?? shots[entry].balls.random(&generator)
      let target = draw(shots[entry].targets)
      left -= 1
      ballsLeft = left
      if left == 0 {
        entry = (entry + 1) % shots.count
        ballsLeft = nil
      }
      return target
    }
  }

  private mutating func draw(_ targets: WeightedTargets) -> Target {
    allowed(targets).draw(&generator)
  }

  /// A drill that avoids repeats has an alternative for each of its shots.
  private func allowed(_ targets: WeightedTargets) -> WeightedTargets {
    guard avoidsRepeats, let last else { return targets }
    return targets.filtered { $0.zone != last } ?? targets
  }

  /// The targets in the range of distances; if there are none, those that miss it by the least.
  private func reachable(
    _ targets: WeightedTargets,
    within range: ClosedRange<Double>,
    of player: PlayerPosition,
    on court: Court
  ) -> WeightedTargets {
    func miss(_ target: Target) -> Double {
      let distance = court.middle(of: target.zone).distance(to: player)
      return max(range.lowerBound - distance, distance - range.upperBound, 0)
    }
    let least = targets.targets.map(miss).min() ?? 0
    return targets.filtered { miss($0) == least } ?? targets
  }
}

extension ClosedRange<Int> {
  /// One of them. Where there is only one, nothing is drawn.
  fileprivate func random(_ generator: inout SeededGenerator) -> Int {
    count == 1 ? lowerBound : Int.random(in: self, using: &generator)
  }
}
