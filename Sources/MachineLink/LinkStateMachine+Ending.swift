import BlueZ
import CourtLogic

// The way out: last writes, clean-up, the end, within 6 s.

extension LinkStateMachine {
  mutating func end() {
    guard let live = state.live else { return }
    if case .ready(let ready) = state, !lanes.isDone {
      lanes.emptySlot(.ended, &effects)
      effects.cancelTimer(.stable)
      replaceState(with: .shuttingDown(ShuttingDown(draining: ready)))
      // What the machine says confirms the stop only once it can't be a ball's answer.
      effects.setTimer(.end, after: timing.end)
      effects.setTimer(.drain, after: timing.drain + lanes.answers.longestAnswer)
    } else {
      lanes.close(.ended, &effects)
      beginEnding(ShuttingDown(from: live), linkTo: target?.device)
    }
  }

  /// The last writes are done, or their time is over.
  mutating func drained(_ shuttingDown: ShuttingDown) {
    guard let ready = shuttingDown.draining else { return }
    lanes.close(.ended, &effects)
    var shuttingDown = shuttingDown
    shuttingDown.drained()
    beginEnding(shuttingDown, linkTo: ready.target.device)
  }

  /// Ends the link if it is ours. Another program's is not ours to end.
  mutating func letGo(of device: Device) {
    if made.isWith(device) { cleanUp.close(device.path) } else { cleanUp.keepLink() }
  }

  private mutating func beginEnding(_ shuttingDown: ShuttingDown, linkTo device: ObjectPath?) {
    lanes.endStop(&effects)
    if let device = device.flatMap({ levels.tree?.devices[$0] }), device.isConnected {
      letGo(of: device)
    }
    cleanUp.noAttemptFollows(pending: effects.pending?.operation)
    switch effects.pending?.operation {
    // BlueZ refuses to stop a scan that it is still starting or stopping, and to switch an adapter on that
    // it is still switching off: its answer comes first, for as long as leaves time for the rest.
    case .startDiscovery, .stopDiscovery, .setPowered(false, _):
      effects.setTimer(.operation, after: timing.drain)
    case .disconnect: break
    default: effects.abandonPending()
    }
    effects.cancelTimers(except: [.operation, .end])
    replaceState(with: .shuttingDown(shuttingDown))
    if !effects.isSet(.end) { effects.setTimer(.end, after: timing.end) }
    proceedEnding()
  }

  mutating func levelsChanged(in shuttingDown: ShuttingDown) {
    if let ready = shuttingDown.draining {
      let device = levels.tree?.devices[ready.target.device]
      let found = try? characteristic(of: ready.target, onlyForStop: ready.isForStopOnly)
      if device?.isConnected != true || device?.linkEpoch != ready.linkEpoch
        || found != ready.characteristic
      {
        drained(shuttingDown)
      }
    } else if levels.owner == nil {
      effects.abandonPending()
      proceedEnding()
    }
  }

  mutating func proceedEnding() {
    guard effects.pending == nil, case .shuttingDown(let shuttingDown) = state,
      shuttingDown.draining == nil
    else { return }
    if levels.owner != nil, let operation = cleanUp.next(in: levels.tree) {
      effects.begin(operation, deadline: timing.disconnect)
    } else {
      finishEnding(shuttingDown)
    }
  }

  mutating func finishEnding(_ shuttingDown: ShuttingDown) {
    lanes.close(.ended, &effects)
    lanes.endStop(&effects)
    transition(to: .ended(Ended(from: shuttingDown)))
    effects.cancelTimer(.end)
    effects.act(.ended)
  }
}
