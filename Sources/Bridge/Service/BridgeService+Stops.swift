import Clocks
import Host
import MachineLink
import Safety

// Stop commands, and those who wait for their outcome.

extension BridgeService {
  /// A caller that waits for the stop command's outcome.
  struct StopWaiter {
    let deadline: MonotonicInstant
    let continuation: CheckedContinuation<StopOutcome, Never>
  }

  /// How long a caller waits for the stop command's outcome.
  static let stopTimeout = Duration.seconds(6)

  /// Stops the machine, and latches the stop. It is never refused.
  ///
  /// - Returns: the outcome when it is known, or what is known of it 6 s later.
  func stop() async -> StopOutcome {
    guard let before = latchStop() else {
      return lastStop ?? .notDelivered(reason: "the service has ended")
    }
    guard before != .stopped(.confirmed) else {
      proceed()
      // It may have been fed since.
      if let holder = status.fault?.holder { return .notDelivered(reason: holder.whatToDo) }
      return .alreadyStopped
    }
    return await withCheckedContinuation { continuation in
      let deadline = clock.now.advanced(by: Self.stopTimeout)
      stopWaiters.append(StopWaiter(deadline: deadline, continuation: continuation))
      proceed()
    }
  }

  package func beginStop() {
    if latchStop() != nil { proceed() }
  }

  /// - Returns: the state before; nil: the service has ended, and no stop command follows.
  private func latchStop() -> SafetyState? {
    guard stage < .linkEnding || safety.isStopOnItsWay else { return nil }
    let before = safety.status.state
    // Never refused.
    try? safety.take(.stop, at: clock.now)
    return before
  }

  /// Writes the stop command, on the next link if there is none now.
  func writeStop() {
    stopTask = Task(priority: .urgent) {
      await withTaskExecutorPreference(OneThread.tasks) {
        let outcome = await link.sendStop()
        let status = await link.status
        stopLanded(outcome, by: status.linked, against: status.fault?.holder)
        proceed()
      }
    }
  }

  /// - Parameters:
  ///   - machine: the one that is linked, which its status may tell only later.
  ///   - holder: another process that has the machine.
  func stopLanded(
    _ outcome: WriteOutcome,
    by machine: RememberedMachine?,
    against holder: MachineHolder? = nil
  ) {
    if let machine { note(machine) }
    let stop = safety.stopEnded(StopOutcome(outcome, against: holder), at: clock.now)
    if case .notSent = outcome, !summary.wasReady {
      // No machine was ever ready: there is nothing to stop.
    } else {
      summary.stop = stop
      publish(.stopped(stop))
    }
    lastStop = stop
    keepDebt()
    for waiter in stopWaiters { waiter.continuation.resume(returning: stop) }
    stopWaiters = []
  }

  /// When the state, too, shows what is known of a stop that is still on its way.
  var stopDeadline: MonotonicInstant? {
    guard reportedSafety.state == .stopped(nil) else { return nil }
    return reportedSafety.since.advanced(by: Self.stopTimeout)
  }

  /// Says of a stop that takes long what is known by now, and answers expired waiters with it; the link
  /// goes on trying.
  func expireStopWaiters() async {
    let deadlines = [stopDeadline].compactMap(\.self) + stopWaiters.map(\.deadline)
    guard deadlines.contains(where: { $0 <= clock.now }) else { return }
    let known: StopOutcome =
      if let failure = await link.stopFailure {
        StopOutcome(failure)
      } else if await link.stopMayHaveArrived {
        .unconfirmed
      } else if let holder = status.fault?.holder {
        .notDelivered(reason: holder.whatToDo)
      } else if status.phase == .ready {
        .notDelivered(reason: "the stop command has not got through; it is sent until it does")
      } else {
        .notDelivered(
          reason: "the machine is away; it gets the stop command first when it is back"
        )
      }
    let now = clock.now
    if stopDeadline.map({ $0 <= now }) ?? true { safety.stopIsOverdue(known, at: now) }
    for waiter in stopWaiters where waiter.deadline <= now {
      waiter.continuation.resume(returning: known)
    }
    stopWaiters.removeAll { $0.deadline <= now }
  }
}
