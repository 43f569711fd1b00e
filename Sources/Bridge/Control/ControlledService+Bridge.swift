import CourtLogic
import Safety

extension BridgeService: ControlledService {
  package func beginStop() {
    guard !isLinkEnding || safety.isStopOnItsWay else { return }
    // Never refused.
    try? safety.take(.stop, at: clock.now)
    proceed()
  }

  package func clientGone() { proceed() }

  package var commands: CommandsInForce {
    CommandsInForce(table: logic.table, fallback: logic.fallback, stop: stopCommand)
  }
}
