package import BlueZ
package import Clocks
import CourtLogic
import Host

/// The link to the ball machine, without I/O, clock or randomness of its own.
///
/// Events go in with the time, actions come out; every wait is a timer among the actions. The
/// owner carries the actions out in order and feeds back their results. ``State`` has the states
/// and how they follow each other.
///
/// The laws that it keeps, in every order of events:
/// 1. The end is final, and reached within 6 s from anywhere.
/// 2. Nothing is written but on a ready link; one write is in flight.
/// 3. Every accepted command ends exactly once, with one of the four outcomes.
/// 4. A command whose outcome is `queued` or `unknown` is never sent again, the stop command apart.
/// 5. One slot, the newest wins; a command expires 0.5 s after its decision and never survives a
///    disconnect; a ball leaves at least 2.95 s after the last one, and at least 2.7 s after the end of
///    the last one's write; to a framed machine, 1.95 s and 1.7 s.
/// 6. The stop command has a lane of its own: it abandons a write in flight, is repeated until it is
///    acknowledged, survives disconnects, and is the first write on the next link.
/// 7. A Connect that was given up is followed by Disconnect, whose answer is awaited.
/// 8. Back-off is endless: at most 6 Connects in 30 s and 16 in 5 minutes of refusal.
/// 9. One timer for each purpose; a scan that was begun is stopped.
/// 10. A link that BlueZ already holds is adopted; the adapter is known by its address.
/// 11. A machine's answer is matched to at most one command, the one in flight, within 2 s, and changes
///    no outcome; no write and no memory come of what a machine says.
package struct LinkStateMachine: Hashable, Sendable {
  package let configuration: LinkConfiguration

  package private(set) var state = State.start
  /// The newest levels.
  package private(set) var levels = BlueZState()
  var effects: LinkEffects
  private var published: LinkStatus?
  private var publishedAt: MonotonicInstant
  private var phaseSince: MonotonicInstant

  // MARK: What outlives a session

  var lanes: CommandLanes
  var cleanUp = CleanUp()
  var retries: RetryPolicy
  var pin = AdapterPin()
  /// What keeps the link from being ready, or kept it the last time.
  var fault: LinkFault?
  /// The device that was linked because of the UUIDs that it advertises, until its services are known.
  var unresolved: ObjectPath?
  /// The machine's last signal, and which machine's it is.
  var heard: Heard?
  /// The machine of this run's last link that was ready.
  var linked: RememberedMachine?
  /// The machine of this run's last link that proved good and whose address lasts.
  var proven: RememberedMachine?

  /// - Parameters:
  ///   - seed: of the back-off's jitter.
  package init(
    configuration: LinkConfiguration,
    seed: UInt64,
    at now: MonotonicInstant
  ) {
    self.configuration = configuration
    effects = LinkEffects(at: now)
    phaseSince = now
    publishedAt = now
    lanes = CommandLanes(
      encoding: configuration.encoding,
      stopCommand: configuration.stopCommand,
      timing: configuration.timing,
      at: now
    )
    retries = RetryPolicy(seed: seed)
  }

  var timing: LinkTiming { configuration.timing }

  /// The time of the last event.
  var now: MonotonicInstant { effects.now }

  /// Whether the stack is the mock, as far as is known.
  var isSimulated: Bool? { levels.tree?.isSimulated ?? published?.isSimulated }

  // MARK: Events

  /// Takes an event.
  ///
  /// - Returns: what to do about it, in this order.
  package mutating func handle(
    _ event: LinkEvent,
    at instant: MonotonicInstant
  ) -> [LinkAction] {
    effects.advance(to: instant)
    if case .levelsChanged(let levels) = event, levels.revision <= self.levels.revision {
      return []
    }
    let phase = state.phase
    let before = (fault, proven, lanes.refusals, lanes.answers.oddities)
    let isAboutWriting = isAboutWriting(event)
    switch event {
    case .started:
      if case .idle(let idle) = state { seek(Seeking(from: idle)) }
    case .levelsChanged(let newer):
      levels = newer
      levelsChanged()
    case .finished(let id, let error, let receipt):
      finished(id, error, receipt: receipt)
    case .notified(let bytes, let receipt):
      lanes.notified(bytes, receipt: receipt, &effects)
      commandsMayBeDone()
    case .fired(let timer):
      if effects.takeFired(timer) { fired(timer.purpose) }
    case .submitted(let id, let command, let decidedAt):
      submit(CommandLanes.Slot(id: id, command: command, decidedAt: decidedAt))
    case .stopRequested(let id):
      requestStop(id)
    case .endRequested:
      end()
    }
    if state.phase != phase { phaseSince = now }
    // Commands that come and go change nothing that shows.
    if !isAboutWriting || state.phase != phase
      || (fault, proven, lanes.refusals, lanes.answers.oddities) != before
    {
      publishIfChanged()
    }
    return effects.takeActions()
  }

  /// Whether it comes of a ball command, of a write, or of an answer.
  private func isAboutWriting(_ event: LinkEvent) -> Bool {
    switch event {
    case .submitted, .notified: true
    case .finished(let id, _, _): effects.pending?.id != id
    default: false
    }
  }

  private mutating func levelsChanged() {
    noteLevels()
    if let gap, let grounded = state.grounded {
      leave(grounded, for: gap)
      return
    }
    switch state {
    case .idle, .backingOff, .ended: break
    case .waitingForBlueZ(let waiting): seek(Seeking(from: waiting))
    case .waitingForAdapter(let waiting): seek(Seeking(from: waiting))
    case .discovering: considerCandidates()
    case .connecting(let connecting): check(connecting)
    case .resolving(let resolving): check(resolving)
    case .ready(let ready): check(ready)
    case .shuttingDown(let shuttingDown): levelsChanged(in: shuttingDown)
    }
  }

  private mutating func finished(_ id: OperationID, _ error: BlueZError?, receipt: UInt64) {
    if let operation = effects.takeAnswer(to: id) {
      operationFinished(operation, error)
    } else {
      writeFinished(id, error, receipt: receipt)
    }
  }

  private mutating func operationFinished(_ operation: LinkOperation, _ error: BlueZError?) {
    cleanUp.finished(operation, error)
    switch state {
    case .waitingForBlueZ(let waiting): operationFinished(error, in: waiting)
    case .waitingForAdapter(let waiting): operationFinished(operation, error, in: waiting)
    case .discovering(let discovering): operationFinished(error, in: discovering)
    case .connecting(let connecting): operationFinished(error, in: connecting)
    case .resolving(let resolving): operationFinished(error, in: resolving)
    case .backingOff: proceedBackingOff()
    case .shuttingDown: proceedEnding()
    case .idle, .ready, .ended: break
    }
  }

  private mutating func fired(_ purpose: LinkTimer.Purpose) {
    switch (purpose, state) {
    case (.operation, _):
      guard let operation = effects.abandonPending() else { return }
      operationFinished(operation, .deadlinePassed)
    case (.retry, .waitingForBlueZ(let waiting)): retry(waiting)
    case (.retry, .waitingForAdapter(let waiting)): retry(waiting)
    case (.scan, .discovering(let discovering)): scanPassed(discovering)
    case (.settle, .discovering(let discovering)): settled(discovering)
    case (.services, .resolving(let resolving)): fail(.servicesNotResolved, in: resolving)
    case (.grace, .resolving(let resolving)): graceOver(resolving)
    case (.stable, .ready): linkHeld()
    case (.backOff, .backingOff): proceedBackingOff()
    case (.write, _), (.overtaken, _): writeDeadlinePassed()
    case (.slot, _), (.stop, _):
      lanes.pump(&effects)
      commandsMayBeDone()
    case (.answer, _): lanes.answerDeadlinePassed(&effects)
    case (.drain, .shuttingDown(let shuttingDown)): drained(shuttingDown)
    case (.end, .shuttingDown(let shuttingDown)): finishEnding(shuttingDown)
    default: break
    }
  }

  // MARK: States

  /// Leaves the present state for `next`: what it waited for is given up.
  mutating func transition(to next: State) {
    effects.abandonPending()
    effects.cancelTimers(except: [.end])
    state = next
  }

  /// Changes the state and gives nothing up.
  mutating func replaceState(with next: State) {
    state = next
  }

  private mutating func publishIfChanged() {
    noteSignal()
    let status = status(since: phaseSince)
    if let published, !status.isNews(after: published, ofAge: publishedAt.duration(to: now)) {
      return
    }
    published = status
    publishedAt = now
    effects.act(.publish(status))
  }
}

extension BlueZError {
  /// The error of an operation of ours whose deadline passed.
  static let deadlinePassed = BlueZError(
    kind: .timedOut,
    name: "ballmachine.Error.Timeout",
    message: "no answer within the deadline"
  )
}
