package import CourtLogic

extension BridgeService: ControlledService {
  package var commands: (table: CommandTable, fallback: MachineCommand) {
    (logic.table, logic.fallback)
  }
}
