package import CourtLogic

/// How far a session's drill is. A value: nothing changes it but a ball that has left.
package struct DrillProgress: Hashable, Sendable {
  package let drill: Drill
  /// The seed of the generator: the same one gives the same shots.
  package let seed: Int
  /// Counts from 1.
  package private(set) var set = 1
  /// The balls of this set that have left.
  package private(set) var ball = 0
  private var aim: Aim

  /// - Parameters:
  ///   - seed: nil: the drill's own.
  ///   - standard: the seed of a drill without one.
  package init(_ drill: Drill, seed: Int?, orElse standard: @autoclosure () -> Int = 0) {
    self.drill = drill
    let seed = seed ?? drill.seed ?? standard()
    self.seed = seed
    aim = Aim(drill.strategy, avoidsRepeats: drill.avoidsRepeats, seed: UInt64(seed))
  }

  package var isSetOver: Bool { ball == drill.balls }
  package var isOver: Bool { isSetOver && set == drill.sets }

  /// - Parameter player: the mean position.
  /// - Returns: what to aim at, nil for the player's own zone; and the progress once that ball has
  ///   left.
  package func next(playerAt player: PlayerPosition, on court: Court) -> (Target?, DrillProgress) {
    var progress = self
    if progress.isSetOver {
      progress.set += 1
      progress.ball = 0
      progress.aim = aim.atBegin
    }
    let (target, aim) = progress.aim.next(playerAt: player, on: court)
    progress.aim = aim
    progress.ball += 1
    return (target, progress)
  }

  /// What the next ball is aimed at; nil after the last one, and where that depends on the player.
  package var nextTarget: Target? {
    switch drill.strategy {
    case .follow, .away: return nil
    case .sides, .random, .plan:
      return isOver ? nil : next(playerAt: Court().middle(of: .fallback), on: Court()).0
    }
  }
}
