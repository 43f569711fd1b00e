package import ControlProtocol
package import CourtLogic
import Safety

extension BridgeService: ControlledService {
  package func clientGone() { proceed() }

  package var commands: TableRecord {
    TableRecord(logic.table, fallback: logic.command(for: nil), stop: stopCommand)
  }

  package func command(for zone: Zone) -> MachineCommand { logic.table[zone] }
}
