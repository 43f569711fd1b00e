package import ControlProtocol
package import CourtLogic
import Safety

extension BridgeService: ControlledService {
  package func clientGone() { proceed() }

  /// New clients can reach the service, or can't any more.
  package func setReachable(_ isReachable: Bool) {
    safety.setReachable(isReachable, at: clock.now)
    proceed()
  }

  package var commands: TableRecord {
    TableRecord(logic.table, fallback: logic.command(for: nil), stop: stopCommand)
  }

  package func command(for zone: Zone) -> MachineCommand { logic.table[zone] }
}
