package import CourtLogic
package import Safety
package import Training

/// What may change while the bridge runs, without losing link or cadence.
package struct BridgeSettings: Hashable, Sendable {
  package var court: Court
  package var table: CommandTable
  /// For positions out of court.
  package var fallback: Fallback
  /// From one decision to the next.
  package var interval: Duration
  /// The same at a level, if no drill is loaded. A level that is not in it keeps the interval that it was
  /// loaded with.
  package var levels: [SkillLevel: Duration]
  /// What the machine takes: only the stop command is sent outside these limits.
  package var limits: MachineLimits
  package var rules: SafetyRules

  package init(
    court: Court = Court(),
    table: CommandTable,
    fallback: Fallback = .zone(.fallback),
    interval: Duration = LogicManager.standardInterval,
    levels: [SkillLevel: Duration] = [:],
    limits: MachineLimits = .widest,
    rules: SafetyRules = SafetyRules()
  ) {
    self.court = court
    self.table = table
    self.fallback = fallback
    self.interval = interval
    self.levels = levels
    self.limits = limits
    self.rules = rules
  }

  /// What is loaded with a level; nil: these settings don't have it.
  package func plan(at level: SkillLevel) -> TrainingPlan.Level? {
    levels[level].map { TrainingPlan.Level(level, interval: max($0, rules.leastInterval)) }
  }
}
