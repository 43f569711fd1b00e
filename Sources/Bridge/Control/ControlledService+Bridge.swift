package import ControlProtocol
package import CourtLogic

extension BridgeService: ControlledService {
  package var commands: TableRecord {
    let logic = machine.logic
    return TableRecord(logic.table, fallback: logic.command(for: nil), stop: machine.stopCommand)
  }

  package func command(for zone: Zone) -> MachineCommand { machine.logic.table[zone] }
}
