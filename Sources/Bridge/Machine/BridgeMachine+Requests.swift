import CourtLogic
import Safety

// What people ask of the bridge while it runs.

extension BridgeMachine {
  /// Does what a person asks; a stop is answered when its outcome is known, at most 6 s later.
  mutating func perform(
    _ request: SafetyRequest,
    for id: RequestID,
    while client: Int?,
    against objection: SafetyRefusal?
  ) {
    if request == .stop { return stop(for: .request(id)) }
    let before = safety.status.state
    do throws(SafetyRefusal) {
      if isOnTheWayOut { throw .ending }
      if let objection { throw objection }
      try safety.perform(request, while: client, at: now)
    } catch {
      proceed()
      return act(.reply(id, .refused(error)))
    }
    proceed()
    // Other clients' balls that wait end with this, so they must hear of it though the state is the same.
    if [.disarm, .pause].contains(request), safety.status.state == before {
      act(.publish(.safety(safety.status)))
    }
    act(.reply(id, .accepted(safety.status)))
  }

  /// Sends one command by hand, which pauses the automatic mode.
  mutating func sendByHand(
    _ command: MachineCommand,
    for id: RequestID,
    against objection: SafetyRefusal?
  ) {
    // All zeros are a stop too, even when this machine has another stop command.
    if command.isStop || command == stopCommand { return stop(for: .byHand(id)) }
    let ball: SafetyCore.Ball
    do throws(SafetyRefusal) {
      if isOnTheWayOut { throw .ending }
      if let objection { throw objection }
      do { try limits.check(command) } catch { throw .outsideLimits(error) }
      ball = try safety.allowByHand(at: now)
    } catch {
      proceed()
      return act(.replyByHand(id, .refused(error)))
    }
    summary.manual += 1
    launch(ball, command, decidedAt: now, as: .byHand(number: summary.manual, id))
    proceed()
  }
}
