package import CourtLogic

/// What the next session trains.
package enum TrainingPlan: Hashable, Sendable {
  /// Without a drill: balls for the player's own zone. A level has its own interval and commands.
  case follow(Level?)
  /// The seed of a session; nil: the drill's own, or one that is drawn.
  case drill(Drill, seed: Int?)

  package struct Level: Hashable, Sendable {
    package var level: SkillLevel
    package var interval: Duration

    package init(_ level: SkillLevel, interval: Duration) {
      self.level = level
      self.interval = interval
    }
  }

  package var drill: Drill? {
    if case .drill(let drill, _) = self { drill } else { nil }
  }

  package var level: SkillLevel? {
    switch self {
    case .follow(let level): level?.level
    case .drill(let drill, _): drill.level
    }
  }

  /// From one ball to the next; nil: as the configuration says.
  package var interval: Duration? {
    switch self {
    case .follow(let level): level?.interval
    case .drill(let drill, _): drill.interval
    }
  }

  /// What the table must have a command for.
  package var strokes: [Stroke] {
    switch self {
    case .follow(let level): Zone.allCases.map { Stroke(zone: $0, level: level?.level) }
    case .drill(let drill, _): drill.strokes
    }
  }
}

extension TrainingPlan {
  /// Aims a decision, which is for the player's own zone.
  ///
  /// - Parameters:
  ///   - progress: of the plan's drill; nil without one.
  ///   - logic: has taken the decision.
  /// - Returns: the decision with the plan's command, and the progress once that ball has left. Nil
  ///   if there is no command for it: no ball.
  package func aim(
    _ decision: Decision,
    _ progress: DrillProgress?,
    by logic: LogicManager
  ) -> (Decision, DrillProgress?)? {
    let next = progress?.next(playerAt: decision.position, on: logic.court)
    let target = next?.0 ?? decision.zone.map { Target($0) }
    return logic.table.command(for: target, orElse: logic.fallback, at: level).map {
      (decision.aimed(at: next?.0?.zone, $0), next?.1)
    }
  }
}

extension CommandTable {
  /// A table without levels has the same commands for all of them.
  package func command(for target: Target, at level: SkillLevel?) -> MachineCommand? {
    command(for: available(target.stroke(at: level)))
  }

  /// - Parameter target: nil: the player is out of court.
  package func command(
    for target: Target?,
    orElse fallback: Fallback,
    at level: SkillLevel?
  ) -> MachineCommand? {
    if let target { return command(for: target, at: level) }
    return switch fallback {
    case .zone(let zone): command(for: Target(zone), at: level)
    case .command(let command): command
    }
  }

  /// What there is no command for, in words.
  ///
  /// - Parameter needsLevels: a table without levels lacks the commands of all of them.
  package func missing(for strokes: [Stroke], needsLevels: Bool = false) -> [String] {
    (needsLevels ? strokes : strokes.map(available)).filter { command(for: $0) == nil }
      .map(\.description)
  }

  private func available(_ stroke: Stroke) -> Stroke {
    levels.isEmpty ? Stroke(zone: stroke.zone, spin: stroke.spin) : stroke
  }
}
