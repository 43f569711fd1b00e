import BlueZ
import CourtLogic

// Ball commands through one slot, stop commands through a lane of their own.

extension LinkStateMachine {
  /// The link on which something may be written.
  private var writable: Ready? {
    get {
      switch state {
      case .ready(let ready): ready
      case .shuttingDown(let shuttingDown): shuttingDown.draining
      default: nil
      }
    }
    set {
      guard let newValue else { return }
      switch state {
      case .ready: state = .ready(newValue)
      case .shuttingDown: state = .shuttingDown(ShuttingDown(draining: newValue))
      default: break
      }
    }
  }

  // MARK: Taking commands

  mutating func submit(_ slot: Slot) {
    switch state {
    case .ready(var ready):
      guard stop == nil else {
        act(.resolve(slot.id, .notSent(.stopPending)))
        return
      }
      if let older = ready.slot { act(.resolve(older.id, .notSent(.superseded))) }
      ready.slot = slot
      state = .ready(ready)
      pump()
    case .shuttingDown, .ended:
      act(.resolve(slot.id, .notSent(.ended)))
    default:
      act(.resolve(slot.id, .notSent(.linkNotReady)))
    }
  }

  mutating func requestStop(_ id: CommandID) {
    switch state {
    case .shuttingDown, .ended:
      act(.resolve(id, .notSent(.ended)))
      return
    default:
      break
    }
    if stop == nil { stop = StopRequest(ids: [id]) } else { stop?.ids.append(id) }
    guard var ready = writable else { return }
    if let slot = ready.slot {
      ready.slot = nil
      cancelTimer(.slot)
      act(.resolve(slot.id, .notSent(.stopPending)))
    }
    if let write = ready.inFlight, case .ball(let ball) = write.purpose {
      act(.resolve(ball, .unknown(.abandonedForStop)))
      ready.inFlight = nil
      ready.overtaken = write.operation
      cancelTimer(.write)
      setTimer(.overtaken, after: timing.write)
    }
    writable = ready
    pump()
  }

  // MARK: Sending

  /// Sends whatever may be sent now, or sets the timer for when it may.
  mutating func pump() {
    guard writable != nil else { return }
    if stop != nil { sendStop() } else { sendBall() }
  }

  private mutating func sendBall() {
    guard var ready = writable, let slot = ready.slot else { return }
    let expiry = slot.decidedAt.advanced(by: timing.commandLife)
    let earliest = lastBall?.earliestNext(timing) ?? now
    let reason: WriteOutcome.Reason? =
      now > expiry ? .expired : earliest > expiry ? .tooSoon : nil
    if let reason {
      ready.slot = nil
      writable = ready
      cancelTimer(.slot)
      act(.resolve(slot.id, .notSent(reason)))
    } else if ready.inFlight != nil || ready.overtaken != nil {
      // The next answer sends it; if none comes in time it has expired.
      setTimer(.slot, at: expiry.advanced(by: .nanoseconds(1)))
    } else if earliest > now {
      setTimer(.slot, at: earliest)
    } else {
      cancelTimer(.slot)
      lastBall = LastBall(writtenAt: now)
      let characteristic = ready.characteristic
      let operation = beginWrite(
        slot.command,
        to: characteristic.path,
        mode: characteristic.mode
      )
      ready.slot = nil
      ready.inFlight = Write(
        operation: operation,
        purpose: .ball(slot.id),
        mode: characteristic.mode
      )
      writable = ready
    }
  }

  /// Sends the stop command: as an unacknowledged write first, since that can overtake, then
  /// acknowledged, where the machine can.
  private mutating func sendStop() {
    guard var ready = writable, let request = stop, !isSet(.stop) else { return }
    let characteristic = ready.characteristic
    // BlueZ takes one request at a time; a write without response can overtake it.
    let isBlocked = ready.overtaken != nil
    let mode: WriteMode
    if characteristic.takesCommands,
      !request.commandTried || !characteristic.takesRequests || isBlocked
    {
      mode = .command
    } else {
      mode = .request
    }
    guard ready.inFlight == nil, !isBlocked || mode == .command else { return }
    if mode == .command { stop?.commandTried = true }
    let operation = beginWrite(
      configuration.stopCommand,
      to: characteristic.path,
      mode: mode
    )
    ready.inFlight = Write(operation: operation, purpose: .stop, mode: mode)
    writable = ready
  }

  // MARK: Answers

  mutating func writeFinished(_ id: OperationID, _ error: BlueZError?) {
    guard var ready = writable else { return }
    if ready.overtaken == id {
      ready.overtaken = nil
      writable = ready
      lastBall?.settledAt = now
      cancelTimer(.overtaken)
      if ready.characteristic.takesRequests { cancelTimer(.stop) }
      pump()
      drainedIfDone()
      return
    }
    guard let write = ready.inFlight, write.operation == id else { return }
    ready.inFlight = nil
    writable = ready
    cancelTimer(.write)
    let outcome = error.map(WriteOutcome.init) ?? (write.mode == .request ? .delivered : .queued)
    if error == nil { becameProven() }
    switch write.purpose {
    case .ball(let ball):
      lastBall?.settledAt = now
      act(.resolve(ball, outcome))
    case .stop: stopFinished(outcome)
    }
    if error?.kind == .staleHandle, case .ready(let ready) = state {
      tableIsStale(ready)
      return
    }
    pump()
    drainedIfDone()
  }

  private mutating func stopFinished(_ outcome: WriteOutcome) {
    guard let ready = writable, let request = stop else { return }
    switch outcome {
    case .delivered:
      resolveStop(.delivered)
    case .queued:
      stop?.mayHaveArrived = true
      stop?.commandsTaken += 1
      guard !ready.characteristic.takesRequests else {
        // It can be acknowledged as soon as the write that it overtook is out of the way.
        if ready.overtaken != nil { setTimer(.stop, after: timing.stopRepeat) }
        return
      }
      if request.commandsTaken + 1 >= Self.unacknowledgedStops {
        resolveStop(.queued)
      } else {
        setTimer(.stop, after: timing.stopRepeat)
      }
    case .unknown:
      stop?.mayHaveArrived = true
      setTimer(.stop, after: timing.stopRepeat)
    case .notSent:
      setTimer(.stop, after: timing.stopRepeat)
    }
  }

  /// How often a stop command is sent to a machine that can't acknowledge it.
  static let unacknowledgedStops = 3

  private mutating func resolveStop(_ outcome: WriteOutcome) {
    guard let request = stop else { return }
    stop = nil
    cancelTimer(.stop)
    for id in request.ids { act(.resolve(id, outcome)) }
  }

  mutating func writeDeadlinePassed() {
    guard var ready = writable else { return }
    if let write = ready.inFlight, case .ball(let ball) = write.purpose {
      lastBall?.settledAt = now
      act(.resolve(ball, .unknown(.timedOut)))
      act(.abandon(write.operation))
      ready.inFlight = nil
      writable = ready
    }
    if case .shuttingDown = state {
      drained()
    } else {
      // Whatever holds that write holds the next one too: a new link begins with an empty queue.
      linkToClose = ready.target.device
      fail(.writeUnanswered)
    }
  }

  // MARK: The end of a session

  /// Tells every command of this session what became of it. The stop command survives.
  mutating func endSession(_ cause: SessionEnd) {
    guard var ready = writable else { return }
    if let slot = ready.slot { act(.resolve(slot.id, .notSent(cause.reason))) }
    if let write = ready.inFlight {
      switch write.purpose {
      case .ball(let ball):
        lastBall?.settledAt = now
        act(.resolve(ball, .unknown(cause.doubt)))
      case .stop: stop?.mayHaveArrived = true
      }
      act(.abandon(write.operation))
    }
    if let overtaken = ready.overtaken {
      lastBall?.settledAt = now
      act(.abandon(overtaken))
    }
    ready.slot = nil
    ready.inFlight = nil
    ready.overtaken = nil
    writable = ready
    cancelTimer(.write)
    cancelTimer(.overtaken)
    cancelTimer(.slot)
    cancelTimer(.stop)
  }

  enum SessionEnd {
    case linkLost
    case ended

    var reason: WriteOutcome.Reason { self == .ended ? .ended : .linkLost }
    var doubt: WriteOutcome.Doubt { self == .ended ? .ended : .linkLost }
  }

  // MARK: Ending

  mutating func end() {
    switch state {
    case .shuttingDown, .ended:
      return
    case .ready(var ready)
    where ready.inFlight != nil || ready.overtaken != nil || stop != nil:
      if let slot = ready.slot { act(.resolve(slot.id, .notSent(.ended))) }
      ready.slot = nil
      cancelTimer(.slot)
      cancelTimer(.stable)
      state = .shuttingDown(ShuttingDown(draining: ready))
      setTimer(.end, after: timing.end)
      setTimer(.drain, after: timing.drain)
    default:
      let device = target?.device
      endSession(.ended)
      beginEnding(linkTo: device)
    }
  }

  private mutating func drainedIfDone() {
    guard case .shuttingDown(let shuttingDown) = state, let ready = shuttingDown.draining,
      ready.inFlight == nil, ready.overtaken == nil, stop == nil
    else { return }
    drained()
  }

  /// The last writes are done, or their time is over.
  mutating func drained() {
    guard case .shuttingDown(let shuttingDown) = state, let ready = shuttingDown.draining else {
      return
    }
    endSession(.ended)
    beginEnding(linkTo: ready.target.device)
  }

  private mutating func beginEnding(linkTo device: ObjectPath?) {
    if let request = stop {
      resolveStop(request.mayHaveArrived ? .unknown(.ended) : .notSent(.ended))
    }
    if let device, levels.tree?.devices[device]?.isConnected == true { linkToClose = device }
    removal = nil
    mustRefresh = false
    powerCycle = nil
    switch pending?.operation {
    // BlueZ refuses to stop a scan that it is still starting or stopping: first its answer, but
    // not for so long that nothing else could be done.
    case .startDiscovery, .stopDiscovery: setTimer(.operation, after: timing.drain)
    case .disconnect: break
    default: abandonPending()
    }
    for purpose in LinkTimer.Purpose.allCases where purpose != .operation && purpose != .end {
      cancelTimer(purpose)
    }
    state = .shuttingDown(ShuttingDown())
    if !isSet(.end) { setTimer(.end, after: timing.end) }
    proceedEnding()
  }

  mutating func levelsChangedWhileEnding() {
    guard case .shuttingDown(let shuttingDown) = state else { return }
    if let ready = shuttingDown.draining {
      let device = levels.tree?.devices[ready.target.device]
      let found = try? characteristic(of: ready.target)
      if device?.isConnected != true || device?.linkEpoch != ready.linkEpoch
        || found != ready.characteristic
      {
        drained()
      }
    } else if levels.owner == nil {
      abandonPending()
      proceedEnding()
    }
  }

  mutating func proceedEnding() {
    guard pending == nil, case .shuttingDown(let shuttingDown) = state,
      shuttingDown.draining == nil
    else { return }
    if levels.owner != nil, let cleanUp = nextCleanUp {
      begin(cleanUp, deadline: timing.disconnect)
    } else {
      finishEnding()
    }
  }

  mutating func finishEnding() {
    if case .shuttingDown(let shuttingDown) = state, shuttingDown.draining != nil {
      endSession(.ended)
    }
    if let request = stop {
      resolveStop(request.mayHaveArrived ? .unknown(.ended) : .notSent(.ended))
    }
    transition(to: .ended)
    cancelTimer(.end)
    act(.ended)
  }
}
