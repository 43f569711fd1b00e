import Bridge
import ControlProtocol
import Host
import Programs
import Reports
import Terminal

/// Fills the live view from a running bridge.
struct LiveViewSource {
  let run: BridgeRun

  /// Draws until the task is cancelled.
  func show(on terminal: LiveTerminal) async {
    while !Task.isCancelled {
      await terminal.show(state(await run.service.snapshot).frame)
      // In real time, at any speed of the simulation.
      try? await SystemClock().sleep(for: LiveTerminal.interval)
    }
  }

  private func state(_ snapshot: BridgeSnapshot) -> LiveViewState {
    let status = StatusRecord(
      snapshot,
      version: Version.number,
      configuration: nil,
      on: run.clock
    )
    var state = LiveViewState(status)
    state.duration = run.duration
    state.speed = run.clock.speed
    state.isSelfArming = true
    state.holding = holding(status)
    return state
  }

  private func holding(_ status: StatusRecord) -> String? {
    let safety = status.safety
    if status.link.isEnding { return "none: ending" }
    if safety.state == "live" { return status.holdText }
    if safety.code == "atStart", !status.link.isReady { return "the machine is not ready" }
    return safety.stateText
  }
}
