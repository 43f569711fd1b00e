import Clocks
package import CourtLogic
package import CourtMapping
package import Host
package import Safety
package import Training

// What people ask of the bridge while it runs.

extension BridgeService {
  /// Does what a person asks; a stop answers when its outcome is known, at most 6 s later.
  ///
  /// - Parameters:
  ///   - client: what is armed or resumed pauses when this client goes.
  ///   - mark: refused if a stop has come after it.
  package func perform(
    _ request: SafetyRequest,
    while client: ClientPresence?,
    asOf mark: StopCount.Mark?
  ) async -> SafetyReply {
    if request == .stop { return .stopped(await stop(), safety.status) }
    guard !isOnTheWayOut else { return .refused(.ending) }
    if let mark, mark.isOvertaken { return .refused(.overtaken) }
    // Its end may overtake its request.
    if let client, client.hasEnded { return .refused(.clientGone) }
    // An earlier client's end comes before this request.
    lookAtClient()
    let before = safety.status.state
    do throws(SafetyRefusal) {
      try safety.take(request, while: client?.number, at: clock.now)
    } catch {
      proceed()
      return .refused(error)
    }
    self.client = client ?? self.client
    proceed()
    // Other clients' balls that wait end with this, so they must hear of it though the state is the same.
    if [.disarm, .pause].contains(request), safety.status.state == before {
      publish(.safety(safety.status))
    }
    return .accepted(safety.status)
  }

  /// Sends one command by hand, which a person has confirmed. It pauses the automatic mode.
  ///
  /// - Parameters:
  ///   - command: the stop command counts as ``SafetyRequest/stop``.
  ///   - mark: refused if a stop has come after it.
  package func sendManually(
    _ command: MachineCommand,
    asOf mark: StopCount.Mark? = nil
  ) async -> ManualReply {
    // All zeros are a stop too, even when this machine has another stop command.
    if command.isStop || command == stopCommand { return .stopped(await stop()) }
    guard !isOnTheWayOut else { return .refused(.ending) }
    if let mark, mark.isOvertaken { return .refused(.overtaken) }
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

  /// Gives the positions' feed another calibration, unless balls may fly: the player would seem to jump.
  ///
  /// - Returns: false if it was refused.
  package func recalibrate(_ old: Locked<Calibration?>, to new: Calibration?) -> Bool {
    switch safety.status.state {
    case .live, .countdown: return false
    case .disarmed, .pending, .resting, .paused, .stopped: break
    }
    old.withLock { $0 = new }
    return true
  }

  /// Takes other settings, without losing the link, nor the grid unless its interval changes.
  ///
  /// - Parameter lost: is what is lost: it is loaded if these settings allow it.
  package func reconfigure(_ settings: BridgeSettings, finding lost: TrainingPlan? = nil) {
    plan = plan(by: settings)
    var decisions = settings.decisions
    standardInterval = decisions.interval
    if let interval = plan.interval {
      decisions.interval = max(interval, settings.rules.leastInterval)
    }
    logic.reconfigure(decisions)
    limits = settings.limits
    safety.reconfigure(settings.rules, at: clock.now)
    // Otherwise it stays lost.
    if let lost, lostTraining != nil { _ = try? load(lost) }
    proceed()
  }
}
