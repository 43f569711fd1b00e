package import CourtLogic
import MachineLink

// What people ask of the bridge while it runs.

extension BridgeService {
  /// Does what a person asks; a stop answers when its outcome is known, at most 6 s later.
  package func perform(_ request: SafetyRequest) async -> SafetyReply {
    switch request {
    case .stop: return await stop()
    case .arm, .disarm: armsAtStart = false
    case .pause, .resume, .reset: break
    }
    guard !isOnTheWayOut else { return .refused(.ending) }
    defer { proceed() }
    do throws(SafetyRefusal) {
      try safety.take(request, at: clock.now)
    } catch {
      return .refused(error)
    }
    return .accepted(safety.status)
  }

  private func stop() async -> SafetyReply {
    armsAtStart = false
    let before = safety.status.state
    // Never refused.
    try? safety.take(.stop, at: clock.now)
    guard before != .stopped(.confirmed) else {
      proceed()
      return .stopped(.alreadyStopped, safety.status)
    }
    let outcome = await withCheckedContinuation { continuation in
      let deadline = clock.now.advanced(by: Self.stopPatience)
      stopWaiters.append(StopWaiter(deadline: deadline, continuation: continuation))
      proceed()
    }
    return .stopped(outcome, safety.status)
  }

  /// Sends one command by hand, which whoever asks has confirmed. It pauses the automatic mode.
  ///
  /// - Parameter command: the stop command is ``SafetyRequest/stop``.
  package func sendManually(_ command: MachineCommand) async -> ManualReply {
    if command == .stop {
      return switch await stop() {
      case .stopped(let outcome, _): .stopped(outcome)
      case .refused(let refusal): .refused(refusal)
      case .accepted: .stopped(.unconfirmed)
      }
    }
    guard !isOnTheWayOut else { return .refused(.ending) }
    do { try limits.check(command) } catch { return .refused(.outsideLimits(error)) }
    let now = clock.now
    let ball: SafetyCore.Ball
    do throws(SafetyRefusal) {
      ball = try safety.allowByHand(at: now)
    } catch {
      proceed()
      return .refused(error)
    }
    summary.manual += 1
    let number = summary.manual
    return await withCheckedContinuation { continuation in
      launch(ball, command, decidedAt: now, as: .byHand(number: number, continuation))
      proceed()
    }
  }

  /// Takes other settings, without losing the link or the cadence's grid.
  package func reconfigure(_ settings: BridgeSettings) {
    logic.reconfigure(court: settings.court, table: settings.table, fallback: settings.fallback)
    limits = settings.limits
    safety.reconfigure(settings.rules, at: clock.now)
    proceed()
  }
}
