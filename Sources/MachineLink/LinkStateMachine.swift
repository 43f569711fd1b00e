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
/// 10. A link that BlueZ already holds to our machine is used, and left up at our end if another program
///    made it; nothing is done to a device that isn't ours; the adapter is known by its address, or by its name
///    where addresses are equal or zero, and stays once there was a link through it; before, one that can't
///    serve is passed over.
/// 11. A machine's answer is matched to at most one command, the one in flight, within 2 s, and changes
///    no outcome; no write and no memory come of what a machine says.
/// 12. Of a machine that another process has claimed nothing is asked, and its link is left up; but a stop
///    reaches it all the same, and nothing else does.
/// 13. Where bluetoothd has ended in a scan, the next one asks it for less, as long as there is less to ask for,
///    and comes 5 s later at the earliest, then 30 s, 2 and 5 minutes.
package struct LinkStateMachine: Hashable, Sendable {
  package private(set) var configuration: LinkConfiguration

  package private(set) var state = State.start
  /// The newest levels.
  package private(set) var levels = BlueZState()
  var effects: LinkEffects
  private var published: LinkStatus?
  private var publishedAt: MonotonicInstant
  private var phaseSince: MonotonicInstant

  // MARK: What outlives a connection

  var lanes: CommandLanes
  var cleanUp = CleanUp()
  var retries: RetryPolicy
  var pin = AdapterPin()
  var caution = ScanCaution()
  /// What keeps the link from being ready, or kept it the last time.
  var fault: LinkFault?
  var series = FailureSeries()
  /// The device that was linked because of what it advertises, until its services are known.
  var unresolved: ObjectPath?
  /// Whether it was seen that the bus passes no signals of BlueZ: as long as none comes, that stands.
  var isDeaf = false
  /// Devices that BlueZ was asked to forget because it listed them and no scan heard them, and their
  /// ``Device/hearing`` then.
  var doubted: [ObjectPath: UInt64] = [:]
  /// The device whose link fell last.
  var fallen: ObjectPath?
  /// The link that we have made.
  var made: MadeLink
  /// What this run knows of stop commands that earlier ones owe.
  var owed = OwedStopVisits()
  /// The addresses of machines that were adopted by their names, in this run: BlueZ replaces a name
  /// after the first connection.
  var adoptedAddresses: Set<BluetoothAddress> = []
  /// The machine's last signal, and which machine's it is.
  var heard: Heard?
  /// The machine of this run's last link that was ready.
  var linked: RememberedMachine?
  /// The machine of this run's last link that proved good and whose address lasts.
  var proven: RememberedMachine?
  /// Whether the last stack that showed an adapter or the mock's mark was the mock; nil before the first one.
  private(set) var isSimulated: Bool?

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
    made = MadeLink(configuration.leftLink)
  }

  var timing: LinkTiming { configuration.timing }

  /// The time of the last event.
  var now: MonotonicInstant { effects.now }

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
    case .adopted(let machine):
      adopt(machine)
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

  /// A person has said that this is our machine: what waits for that goes on.
  private mutating func adopt(_ machine: AdoptedMachine) {
    configuration.adopted.removeAll { $0.isSame(as: machine) }
    configuration.adopted.append(machine)
    switch state {
    case .discovering: considerCandidates()
    case .backingOff(let backingOff) where effects.pending == nil:
      backOff(Seeking(from: backingOff), until: now)
    default: break
    }
  }

  private mutating func levelsChanged() {
    let stack = levels.isSimulated ?? isSimulated
    let isOtherStack = isSimulated != nil && stack != isSimulated
    isSimulated = stack
    noteLevels()
    made.note(levels)
    noteLinkEnd()
    let hasEnded = caution.note(levels, at: now)
    if let gap, let grounded = state.grounded {
      leave(grounded, for: gap)
      if hasEnded, let end = caution.lastEnd(at: now) { fault = .serviceEnded(end) }
      return
    }
    if hasEnded, let end = caution.lastEnd(at: now) {
      // It is there again before its absence was seen.
      if let attempt = state.fallible {
        fail(.serviceEnded(end), in: attempt, retry: .atOnce)
        return
      }
      fault = .serviceEnded(end)
    }
    if isOtherStack, let stack, let attempt = state.fallible {
      // What was looked for or linked was of the other kind.
      fail(.otherStack(isSimulated: stack), in: attempt, retry: .atOnce)
      return
    }
    switch state {
    case .idle, .ended: break
    case .backingOff(let backingOff): levelsChanged(in: backingOff)
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
    caution.finished(operation, error, at: now)
    made.finished(operation, error)
    made.note(levels)
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
    case (.services, .resolving(let resolving)): servicesAreLate(resolving)
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

extension BlueZState {
  /// Whether the stack is the mock. Nil while it shows nothing: one that has just started has neither its
  /// mark nor an adapter yet.
  fileprivate var isSimulated: Bool? {
    guard let tree, tree.isSimulated || !tree.adapters.isEmpty else { return nil }
    return tree.isSimulated
  }
}
