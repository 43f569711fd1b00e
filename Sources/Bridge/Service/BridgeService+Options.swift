package import CourtLogic

extension BridgeService {
  package struct Options: Sendable {
    package var logic: LogicManager
    /// What the machine takes; whatever lies outside is not sent, the stop command apart.
    package var limits = MachineLimits.widest
    package var rules: SafetyRules
    /// What stops the machine, as the link has it: sent by hand, it is a stop.
    package var stopCommand = MachineCommand.stop
    /// Whether it arms by itself, once, as soon as the machine is ready.
    package var armsAtStart: Bool
    /// When it ends by itself.
    package var duration: Duration?
    package var heartbeat: Heartbeat?
    /// Where it is kept that a stop command is owed.
    package var debts: StopDebts?
    /// What earlier programs owe.
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
  /// Has it be kept whether a stop command is owed.
  ///
  /// - Returns: what earlier programs owe.
  package mutating func keepDebts(in debts: StopDebts) async -> [StopDebt] {
    self.debts = debts
    inheritedDebts = await debts.recall()
    return inheritedDebts
  }
}

/// A sign of life from the dispatch loop itself, for a watchdog.
package struct Heartbeat: Sendable {
  /// From one beat to the next, on the service's clock; above zero.
  package var period: Duration
  package var beat: @Sendable () -> Void

  package init(period: Duration, beat: @escaping @Sendable () -> Void) {
    self.period = period
    self.beat = beat
  }
}
