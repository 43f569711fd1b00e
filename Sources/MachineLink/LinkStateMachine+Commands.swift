import BlueZ
import Clocks

// Commands go to the lanes; here is what they mean to the link.

extension LinkStateMachine {
  mutating func submit(_ ball: CommandLanes.Slot) {
    switch state {
    case .shuttingDown, .ended: effects.act(.resolve(ball.id, .notSent(.ended)))
    default: lanes.submit(ball, &effects)
    }
  }

  mutating func requestStop(_ id: CommandID) {
    switch state {
    case .shuttingDown, .ended: effects.act(.resolve(id, .notSent(.ended)))
    default: lanes.requestStop(id, &effects)
    }
  }

  mutating func writeFinished(_ id: OperationID, _ error: BlueZError?, receipt: UInt64) {
    if lanes.writeFinished(id, error, receipt: receipt, &effects) {
      if error == nil { becameProven() }
      if error?.kind == .staleHandle, case .ready(let ready) = state {
        tableIsStale(ready)
        return
      }
    } else if !lanes.overtakenFinished(id, &effects) {
      return
    }
    lanes.pump(&effects)
    commandsMayBeDone()
  }

  /// On the way out, nothing waits once the last write is done.
  mutating func commandsMayBeDone() {
    if case .shuttingDown(let shuttingDown) = state, lanes.isDone { drained(shuttingDown) }
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
