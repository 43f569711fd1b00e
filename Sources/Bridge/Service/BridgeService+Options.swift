package import CourtLogic
package import Host
package import MachineLink
package import Safety
package import Training

extension BridgeService {
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
    /// When it ends by itself.
    package var duration: Duration?
    package var heartbeat: Heartbeat?
    /// Keeps on disk that a stop command is owed.
    package var debts: StopDebts?
    /// Stop commands that earlier programs owe.
    package var inheritedDebts: [StopDebt] = []

    package init(
      logic: LogicManager,
      rules: SafetyRules = SafetyRules(),
      armsAtStart: Bool,
      duration: Duration? = nil,
      heartbeat: Heartbeat? = nil
    ) {
      self.logic = logic
      self.rules = rules
      self.armsAtStart = armsAtStart
      self.duration = duration
      self.heartbeat = heartbeat
    }
  }
}

extension BridgeService.Options {
  /// Keeps in `debts` whether a stop command is owed.
  ///
  /// - Returns: the stop commands that earlier programs owe.
  package mutating func keepDebts(in debts: StopDebts) async -> [StopDebt] {
    self.debts = debts
    inheritedDebts = await debts.recall()
    return inheritedDebts
  }
}
