import CourtLogic

/// How the next ball's zone is chosen. It is data: ``Aim`` has the place in it.
package enum AimingStrategy: Hashable, Sendable {
  /// Where the player is.
  case follow
  /// Where the player is not: a zone whose middle is so far away, in metres; if none is, the one
  /// that misses that by the least.
  case away(WeightedTargets, ClosedRange<Double>)
  /// Left and right in turn, drawn from the targets of each side. It begins on the left.
  case sides(left: WeightedTargets, right: WeightedTargets)
  /// Drawn from all.
  case random(WeightedTargets)
  /// One shot after the other, then again from the first.
  case plan([PlannedShot])

  /// One entry of a plan.
  package struct PlannedShot: Hashable, Sendable {
    /// More than one: alternatives, of which each ball draws one.
    package var targets: WeightedTargets
    /// How many balls, drawn when the entry's turn comes.
    package var balls: ClosedRange<Int>

    package init(_ targets: WeightedTargets, balls: ClosedRange<Int> = 1...1) {
      self.targets = targets
      self.balls = balls
    }
  }

  /// The strategy's word in drills and records.
  package enum Word: String, CaseIterable, Hashable, Sendable {
    case follow, away, sides, random, plan
  }

  package var word: Word {
    switch self {
    case .follow: .follow
    case .away: .away
    case .sides: .sides
    case .random: .random
    case .plan: .plan
    }
  }

  /// All that it may aim at; nothing where that is the player's own zone.
  package var targets: [Target] {
    let all: [Target] =
      switch self {
      case .follow: []
      case .away(let targets, _), .random(let targets): targets.targets
      case .sides(let left, let right): left.targets + right.targets
      case .plan(let shots): shots.flatMap(\.targets.targets)
      }
    var known: Set<Target> = []
    return all.filter { known.insert($0).inserted }
  }

  /// For a left-hander: left and right exchanged.
  package var mirrored: AimingStrategy {
    switch self {
    case .follow: .follow
    case .away(let targets, let distance): .away(targets.mirrored, distance)
    case .sides(let left, let right): .sides(left: left.mirrored, right: right.mirrored)
    case .random(let targets): .random(targets.mirrored)
    case .plan(let shots): .plan(shots.map { PlannedShot($0.targets.mirrored, balls: $0.balls) })
    }
  }

  /// Whether the same seed can give other balls than another seed.
  package var drawsLots: Bool {
    switch self {
    case .follow: false
    case .away(let targets, _), .random(let targets): targets.items.count > 1
    case .sides(let left, let right): left.items.count > 1 || right.items.count > 1
    case .plan(let shots): shots.contains { $0.targets.items.count > 1 || $0.balls.count > 1 }
    }
  }
}
