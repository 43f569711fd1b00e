import CourtLogic

extension BridgeService: ControlledService {
  package var commands: CommandsInForce {
    CommandsInForce(table: logic.table, fallback: logic.fallback, stop: stopCommand)
  }
}
