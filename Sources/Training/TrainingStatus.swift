/// What is trained at one moment, and how far it is.
package struct TrainingStatus: Hashable, Sendable {
  package var plan: TrainingPlan
  /// From one ball to the next.
  package var interval: Duration
  /// How far the session's drill is; nil without one, or while not armed.
  package var progress: DrillProgress?
  /// The player's name, as given when arming; nil: none was given.
  package var label: String?

  package init(
    plan: TrainingPlan,
    interval: Duration,
    progress: DrillProgress? = nil,
    label: String? = nil
  ) {
    self.plan = plan
    self.interval = interval
    self.progress = progress
    self.label = label
  }

  package var drill: Drill? { plan.drill }

  package var aim: AimingStrategy.Word { drill?.strategy.word ?? .follow }
}
