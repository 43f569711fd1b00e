package import CourtLogic
package import MachineLink
package import Safety
package import Training

extension BridgeMachine {
  package struct Options: Sendable {
    package var logic: LogicManager
    /// What the machine takes: only the stop command is sent outside these limits.
    package var limits = MachineLimits.widest
    package var rules: SafetyRules
    /// The machine's. Its least interval is the floor for all rules.
    package var encoding = MachineEncoding.digits
    /// On the service's clock. A deadline that is handled later shows that the program stood still.
    package var longestDelay = Duration.seconds(1)
    /// The link's stop command: sent by hand, it is a stop.
    package var stopCommand = MachineCommand.stop
    /// How long the machine turns between two balls.
    package var slew = MachineSlew()
    /// What is trained until another plan is loaded.
    package var training = TrainingPlan.follow(nil)
    /// What should be loaded in place of ``training``: nothing arms until a plan is loaded.
    package var lostTraining: LostTraining?
    /// Whether its level had commands of its own.
    package var lostLevelHadCommands = false
    /// Whether it arms by itself, once, as soon as the machine is ready.
    package var armsAtStart: Bool
    /// Stop commands that earlier programs owe.
    package var inheritedDebts: [StopDebt] = []
    /// Gives each session of a drill without a seed its own.
    package var seed = UInt64.random(in: .min ... .max)

    package init(logic: LogicManager, rules: SafetyRules = SafetyRules(), armsAtStart: Bool) {
      self.logic = logic
      self.rules = rules
      self.armsAtStart = armsAtStart
    }
  }
}

extension BridgeMachine.Options {
  /// Loads what is trained from the start on.
  ///
  /// - Parameter needsLevels: a table without levels won't do.
  package mutating func load(
    _ plan: TrainingPlan,
    needsLevels: Bool = false
  ) throws(TrainingRefusal) {
    try plan.check(
      table: logic.table,
      needsLevels: needsLevels,
      rules: rules,
      encoding: encoding
    )
    training = plan
  }
}
