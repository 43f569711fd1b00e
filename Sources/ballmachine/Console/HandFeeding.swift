import ControlProtocol
import CourtLogic
import Host
import Programs

/// Sends commands by hand, after they were confirmed.
struct HandFeeding {
  let service: ServiceConnection
  let output: Output
  let watch: StateWatch
  /// Set when it pauses the automatic mode.
  let ownPause: Locked<Bool>

  /// How often a ball that comes too soon is tried again.
  private static let pause = Duration.milliseconds(100)

  /// Sends as soon as the least interval since the last ball is over. Nothing is sent after an
  /// interruption, nor after a person has changed the state meanwhile: a stop that was reset, too.
  private func send(_ command: MachineCommand) async throws {
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
    if isFeeding {
      ownPause.withLock { $0 = true }
      _ = try await service.change(.pause)
    }
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

  /// Ends with the first command that is refused or fails.
  ///
  /// - Parameter interval: from one command's outcome to the next command. Only the service knows
  ///   when a ball left, which is before its outcome. Counted from an earlier moment, the shortest
  ///   allowed interval would be too short if a request is slower than the next one.
  func send(_ command: MachineCommand, count: Int, interval: Duration) async throws {
    for index in 0..<count {
      if index > 0 { try await watch.sleep(for: interval) }
      try await send(command)
    }
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
