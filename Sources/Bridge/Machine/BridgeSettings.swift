package import CourtLogic
package import Safety
package import Training

/// What may change while the bridge runs, without losing link or cadence.
package struct BridgeSettings: Hashable, Sendable {
  package var decisions: LogicManager.Settings
  /// The interval at a level, if no drill is loaded. A level that is not in it keeps the interval
  /// that it was loaded with.
  package var levels: [SkillLevel: Duration]
  /// What the machine takes: only the stop command is sent outside these limits.
  package var limits: MachineLimits
  package var rules: SafetyRules

  package init(
    _ decisions: LogicManager.Settings,
    levels: [SkillLevel: Duration] = [:],
    limits: MachineLimits = .widest,
    rules: SafetyRules = SafetyRules()
  ) {
    self.decisions = decisions
    self.levels = levels
    self.limits = limits
    self.rules = rules
  }

  /// What is loaded with a level; nil: these settings don't have it.
  package func plan(at level: SkillLevel) -> TrainingPlan.Level? {
    levels[level].map { TrainingPlan.Level(level, interval: max($0, rules.leastInterval)) }
  }
}
