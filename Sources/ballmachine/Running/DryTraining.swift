import Clocks
import CourtLogic
import Training

/// A plan's aim for the decisions of a dry run, which has no machine: each ball leaves.
struct DryTraining {
  private var plan: TrainingPlan
  private var progress: DrillProgress?
  private var restEnd: MonotonicInstant?

  init(_ plan: TrainingPlan) {
    self.plan = plan
    if case .drill(let drill, let seed) = plan { progress = DrillProgress(drill, seed: seed) }
  }

  /// From now on a ball goes to the player's own zone, at this level.
  mutating func follow(_ level: TrainingPlan.Level?) { plan = .follow(level) }

  /// - Parameter logic: has taken the decision.
  /// - Returns: nil: no ball, because of a rest, or after the drill's end.
  mutating func aim(_ decision: Decision, by logic: LogicManager) -> Decision? {
    guard !(progress?.isOver ?? false), restEnd.map({ decision.time >= $0 }) ?? true,
      let (aimed, after) = plan.aim(decision, progress, by: logic)
    else { return nil }
    progress = after
    if let after {
      restEnd = after.isSetOver ? decision.time.advanced(by: after.drill.rest) : nil
    }
    return aimed
  }
}
