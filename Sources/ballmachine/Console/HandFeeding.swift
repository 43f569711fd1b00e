import ControlProtocol
import CourtLogic
import Host
import Programs
import Reports

/// Sends a command by hand, after it was confirmed.
struct HandFeeding {
  let service: ServiceConnection
  let output: Output
  let watch: StateWatch

  /// How often a ball that comes too soon is tried again.
  private static let pause = Duration.milliseconds(100)

  /// Sends as soon as the least interval since the last ball is over. Nothing is sent after an
  /// interruption, nor after a person has changed the state meanwhile: a stop that was reset, too.
  func send(_ command: MachineCommand) async throws {
    var waits = false
    while true {
      try watch.check()
      try Task.checkCancellation()
      do {
        // In a task of its own: after an interruption, the outcome is still reported.
        return try await OneThread.task { try await attempt(command) }.value
      } catch let error as ControlClientError where error.endsByItself {
        if !waits { try await beginWait() }
        waits = true
        try await watch.sleep(for: Self.pause)
      }
    }
  }

  /// Pauses the automatic mode, as the ball by hand will: otherwise an automatic ball would always
  /// be first.
  private func beginWait() async throws {
    let status = try await service.ask(.status, for: StatusRecord.self)
    let isFeeding = status.safety.isFeeding
    if isFeeding { _ = try await service.change(.pause) }
    Output.complain(
      "the last ball has only just left: this one waits"
        + "\(isFeeding ? ", and feeding is paused" : "") (Ctrl-C cancels it)"
    )
  }

  private func attempt(_ command: MachineCommand) async throws {
    let report = try await service.send(command)
    try await output.confirm(report, needsReader: true)
    try report.check()
  }
}

extension SafetyRecord {
  var isFeeding: Bool { ["live", "countdown"].contains(state) }

  /// Whether a ball by hand, or the pause that it waits in, leads from one state to the other.
  func comesByHand(after old: SafetyRecord) -> Bool {
    switch (state, code) {
    case ("paused", "manual"): true
    case ("paused", "operator"): old.isFeeding
    // Others may hold balls.
    default: isFeeding && (state, code) == (old.state, old.code)
    }
  }
}
