package import Clocks
import Host
import MachineLink
import Safety

// Stop commands, and those who wait for their outcome.

extension BridgeMachine {
  /// How long a caller waits for the stop command's outcome.
  static let stopTimeout = Duration.seconds(6)

  /// Stops the ball machine, and latches the stop. It is never refused.
  mutating func stop(for caller: StopLedger.Caller) {
    guard let before = latchStop() else {
      return reply(stops.last ?? .notDelivered(reason: "the service has ended"), to: caller)
    }
    if before == .stopped(.confirmed) {
      proceed()
      // It may have been fed since.
      let holder = link.fault?.holder
      return reply(holder.map { .notDelivered(reason: $0.whatToDo) } ?? .alreadyStopped, to: caller)
    }
    stops.wait(caller, until: now.advanced(by: Self.stopTimeout))
    proceed()
  }

  mutating func stopCame() {
    if latchStop() != nil { proceed() }
  }

  /// - Returns: the state before; nil: the service has ended, and no stop command follows.
  private mutating func latchStop() -> SafetyState? {
    guard stage < .closing || safety.isStopOnItsWay else { return nil }
    let before = safety.status.state
    // Never refused.
    try? safety.perform(.stop, at: now)
    return before
  }

  private mutating func reply(_ outcome: StopOutcome, to caller: StopLedger.Caller) {
    switch caller {
    case .request(let id): act(.reply(id, .stopped(outcome, safety.status)))
    case .byHand(let id): act(.replyByHand(id, .stopped(outcome)))
    }
  }

  mutating func stopEnded(
    _ outcome: WriteOutcome,
    by machine: RememberedMachine?,
    against holder: MachineHolder?
  ) {
    if let machine { note(machine) }
    let stop = safety.stopEnded(StopOutcome(outcome, against: holder), at: now)
    if case .notSent = outcome, !summary.wasReady {
      // No machine was ever ready: there is nothing to stop.
    } else {
      summary.stop = stop
      act(.publish(.stopped(stop)))
    }
    stops.last = stop
    keepDebt()
    for caller in stops.takeAll() { reply(stop, to: caller) }
  }

  /// When the state, too, shows what is known of a stop that is still on its way.
  var stopDeadline: MonotonicInstant? {
    guard reported.safety.state == .stopped(nil) else { return nil }
    return reported.safety.since.advanced(by: Self.stopTimeout)
  }

  /// Whether a stop takes so long that ``Event/stopUnsettled(failure:mayHaveArrived:)`` is to come.
  package func isStopUnsettled(at instant: MonotonicInstant) -> Bool {
    [stopDeadline, stops.nextDeadline].contains { $0.map { $0 <= instant } ?? false }
  }

  /// Says of a stop that takes long what is known by now, and answers those whose time is over with it; the
  /// link goes on trying.
  mutating func stopUnsettled(failure: WriteOutcome?, mayHaveArrived: Bool) {
    guard isStopUnsettled(at: now) else { return }
    let known: StopOutcome =
      if let failure {
        StopOutcome(failure)
      } else if mayHaveArrived {
        .unconfirmed
      } else if let holder = link.fault?.holder {
        .notDelivered(reason: holder.whatToDo)
      } else if link.phase == .ready {
        .notDelivered(reason: "the stop command has not got through; it is sent until it does")
      } else {
        .notDelivered(
          reason: "the machine is away; it gets the stop command first when it is back"
        )
      }
    if stopDeadline.map({ $0 <= now }) ?? true { safety.stopIsOverdue(known, at: now) }
    for caller in stops.takeExpired(at: now) { reply(known, to: caller) }
  }
}
