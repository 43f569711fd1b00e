package import CourtLogic
package import Host
package import MachineLink
package import Safety

extension BridgeService {
  /// What the bridge is made with: what it decides by, which reads as these options' own, and what only
  /// its owner needs.
  @dynamicMemberLookup
  package struct Options: Sendable {
    package var machine: BridgeMachine.Options
    /// When it ends by itself.
    package var duration: Duration?
    package var heartbeat: Heartbeat?
    /// Keeps on disk that a stop command is owed.
    package var debts: StopDebts?

    package init(
      logic: LogicManager,
      rules: SafetyRules = SafetyRules(),
      armsAtStart: Bool,
      duration: Duration? = nil,
      heartbeat: Heartbeat? = nil
    ) {
      machine = BridgeMachine.Options(logic: logic, rules: rules, armsAtStart: armsAtStart)
      self.duration = duration
      self.heartbeat = heartbeat
    }

    package subscript<Value>(
      dynamicMember path: WritableKeyPath<BridgeMachine.Options, Value>
    ) -> Value {
      get { machine[keyPath: path] }
      set { machine[keyPath: path] = newValue }
    }
  }
}

extension BridgeService.Options {
  /// Keeps in `debts` whether a stop command is owed.
  ///
  /// - Returns: the stop commands that earlier programs owe.
  package mutating func keepDebts(in debts: StopDebts) async -> [StopDebt] {
    self.debts = debts
    machine.inheritedDebts = await debts.recall()
    return machine.inheritedDebts
  }
}
