import ControlProtocol
import Safety

// For those who drive the bridge from its start to its end.

extension BridgeService {
  /// Returns when the countdown of an arming at the start is over, or when there is none.
  package func waitUntilCountedDown() async {
    for await case .safety(let safety) in subscribe() {
      switch safety.state {
      case .pending, .countdown: continue
      case .disarmed, .live, .resting, .paused, .stopped: return
      }
    }
  }

  /// Returns when a drill's last ball has left and the stop command after it is through.
  package func waitUntilDrillIsOver() async {
    var isOver = false
    for await event in subscribe() {
      switch event {
      case .safety(let status) where status.state == .disarmed(.drillOver):
        isOver = true
        guard machine.safety.isStopOwed else { return }
      case .record(.stop, _) where isOver: return
      default: break
      }
    }
  }
}
