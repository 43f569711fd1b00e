import BlueZ
import Clocks

// Commands go to the lanes; here is what they mean to the link.

extension LinkStateMachine {
  mutating func submit(_ ball: CommandLanes.Slot) {
    switch state {
    case .shuttingDown, .ended: effects.act(.resolve(ball.id, .notSent(.ended)))
    case .ready(let ready) where ready.isForStopOnly:
      effects.act(.resolve(ball.id, .notSent(.linkNotReady)))
    default: lanes.submit(ball, &effects)
    }
  }

  mutating func requestStop(_ id: CommandID) {
    switch state {
    // It shares the stop that is on its way.
    case .shuttingDown where lanes.isStopWanted: lanes.requestStop(id, &effects)
    case .shuttingDown, .ended: effects.act(.resolve(id, .notSent(.ended)))
    default:
      owed.isAsked = true
      lanes.requestStop(id, &effects)
      insistIfHeld()
    }
  }

  mutating func writeFinished(_ id: OperationID, _ error: BlueZError?, receipt: UInt64) {
    if lanes.writeFinished(id, error, receipt: receipt, &effects) {
      if error == nil, state.phase == .ready { becameProven() }
      if case .ready(let ready) = state {
        switch error?.kind {
        case .staleHandle?: return tableIsStale(ready)
        case .heldElsewhere(let holder)?: return machineIsHeld(by: holder, in: ready)
        default: break
        }
      }
    } else if !lanes.overtakenFinished(id, &effects) {
      return
    }
    lanes.pump(&effects)
    commandsMayBeDone()
  }

  /// On the way out, nothing waits once the last write is done.
  mutating func commandsMayBeDone() {
    insistNoLonger()
    guard lanes.isDone else { return }
    switch state {
    case .shuttingDown(let shuttingDown): drained(shuttingDown)
    // Until its stop command is asked for, it waits.
    case .ready(let ready) where ready.isForStopOnly && owed.isAsked: leaveAfterStop(ready)
    default: break
    }
  }

  mutating func writeDeadlinePassed() {
    lanes.deadlinePassed(&effects)
    switch state {
    case .ready(let ready):
      // What holds up that write holds up the next one too: a new link begins with an empty queue.
      cleanUp.close(ready.target.device)
      fail(.writeUnanswered, in: ready)
    case .shuttingDown(let shuttingDown): drained(shuttingDown)
    default: break
    }
  }
}

extension BlueZError.Kind {
  /// ATT: Invalid Handle.
  static let staleHandle = Self.attribute(0x01)
}
