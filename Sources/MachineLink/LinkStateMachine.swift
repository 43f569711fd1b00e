package import BlueZ
package import CourtLogic

/// The link to the ball machine, without I/O, clock or randomness of its own.
///
/// Events go in with the time, actions come out; every wait is a timer among the actions. The
/// owner carries the actions out in order and feeds back what comes of them.
///
/// ```
///            started
///   idle ─────────────┐
///                     ▼        owner, objects            adapter, power
///            waitingForBlueZ ────────────▶ waitingForAdapter ──────────┐
///                     ▲   bluetoothd gone          ▲  adapter gone, off │
///                     └────────────── any of the states below ──────────┤
///                                                                       ▼
///        ┌───────────────── not known ◀──────────────────────────── (seek) ◀─────────┐
///        ▼                                                           │  │            │
///   discovering ── found, scan stopped ──▶ connecting ◀── known ─────┘  │ linked      │
///        │                                   │    │                     ▼ already     │
///        │                                   │    └─ Connect replied ▶ resolving      │
///        │ scan failed                       │ failed                   │    │        │
///        ▼                                   ▼                   failed │    │ usable │
///   backingOff ◀─────────────────────────────┴──────────────────────────┘    ▼        │
///        │  ▲                                                   re-resolve ◀ ready    │
///        │  └──────────────────────── link lost ─────────────────────────────┘        │
///        └──── cleaned up, delay over ─────────────────────────────────────────────────┘
///
///   any but ended ── endRequested ──▶ shuttingDown ── within 6 s ──▶ ended
/// ```
///
/// The laws that it keeps, in every order of events:
/// 1. The end is final, and reached within 6 s from anywhere.
/// 2. Nothing is written but on a ready link; one write is in flight.
/// 3. Every accepted command ends exactly once, with one of the four outcomes.
/// 4. A command whose outcome is `queued` or `unknown` is never sent again, the stop command apart.
/// 5. One slot, the newest wins; a command expires 0.5 s after its decision and never survives a
///    disconnect; a ball leaves at least 2.95 s after the last one, and at least 2.7 s after the end of
///    the last one's write.
/// 6. The stop command has a lane of its own: it abandons a write in flight, is repeated until it is
///    acknowledged, survives disconnects, and is the first write on the next link.
/// 7. A Connect that was given up is followed by Disconnect, whose answer is awaited.
/// 8. Back-off is endless: at most 6 Connects in 30 s and 16 in 5 minutes of refusal.
/// 9. One timer for each purpose; a scan that was begun is stopped.
/// 10. A link that BlueZ already holds is adopted; the adapter is known by its address.
package struct LinkStateMachine: Hashable, Sendable {
  package let configuration: LinkConfiguration

  package internal(set) var state = State.idle
  /// The newest levels.
  package internal(set) var levels = BlueZState()
  /// The time of the last event.
  var now: MonotonicInstant
  /// What is to be done about the event at hand; empty between events.
  private var actions: [LinkAction] = []
  private var published: LinkStatus?
  private var phaseSince: MonotonicInstant
  private var generator: SeededGenerator

  // MARK: What is in flight

  /// The one operation, writes apart, whose answer the state waits for.
  private(set) var pending: PendingOperation?
  private var lastNumber: UInt64 = 0
  private var timers: [LinkTimer.Purpose: LiveTimer] = [:]

  // MARK: What must be put in order before the next attempt

  /// The adapter on which we have, or may have, a discovery session.
  var discoveryHeld: ObjectPath?
  /// The device whose link, or pending Connect, must be closed.
  var linkToClose: ObjectPath?
  /// The device that BlueZ shall forget.
  var removal: ObjectPath?
  /// Whether all objects must be read anew.
  var mustRefresh = false
  /// Whether only one device's objects are being followed.
  var isViewNarrow = false
  var powerCycle: PowerCycle?

  // MARK: What outlives a session

  /// The adapter that was used first; the link stays with it.
  var pinnedAdapter: BluetoothAddress?
  /// Whether that adapter has been on: if it is off then, somebody switched it off.
  var adapterWasOn = false
  /// The machine's last signal, and whose it is.
  var heard: Heard?
  /// The machine of this run's last link that was ready.
  var linked: RememberedMachine?
  /// The machine of this run's last link that proved good and whose address lasts.
  var proven: RememberedMachine?
  var fault: LinkFault?
  var backOff = BackOff()
  var environmentBackOff = BackOff()
  var budget = ConnectBudget()
  var slowFailures = 0
  var removedOnce = false
  /// A scan that the next attempt begins with.
  var nextScan: Duration?
  var lastAttemptScanned = false
  var lastBall: LastBall?
  var stop: StopRequest?

  /// - Parameters:
  ///   - seed: of the back-off's jitter.
  package init(
    configuration: LinkConfiguration,
    seed: UInt64,
    at now: MonotonicInstant
  ) {
    self.configuration = configuration
    self.now = now
    phaseSince = now
    generator = SeededGenerator(seed: seed)
  }

  var timing: LinkTiming { configuration.timing }

  /// Whether the stack is the mock, as far as anybody has told.
  var isSimulated: Bool? { levels.tree?.isSimulated ?? published?.isSimulated }

  // MARK: Events

  /// Takes an event and says what to do about it.
  package mutating func handle(
    _ event: LinkEvent,
    at instant: MonotonicInstant
  ) -> [LinkAction] {
    now = max(now, instant)
    if case .levelsChanged(let levels) = event, levels.revision <= self.levels.revision {
      return []
    }
    let phase = state.phase
    let before = (fault: fault, proven: proven)
    let isAboutWriting = isAboutWriting(event)
    switch event {
    case .started:
      if case .idle = state { seek() }
    case .levelsChanged(let newer):
      levels = newer
      levelsChanged()
    case .finished(let id, let error):
      finished(id, error)
    case .fired(let timer):
      if timers[timer.purpose]?.number == timer.number {
        timers[timer.purpose] = nil
        fired(timer.purpose)
      }
    case .submitted(let id, let command, let decidedAt):
      submit(Slot(id: id, command: command, decidedAt: decidedAt))
    case .stopRequested(let id):
      requestStop(id)
    case .endRequested:
      end()
    }
    if state.phase != phase { phaseSince = now }
    // Commands that come and go change nothing that shows.
    if !isAboutWriting || state.phase != phase || fault != before.fault || proven != before.proven {
      publishIfChanged()
    }
    defer { actions = [] }
    return actions
  }

  /// Whether it comes of a ball command, or of a write.
  private func isAboutWriting(_ event: LinkEvent) -> Bool {
    switch event {
    case .submitted: true
    case .finished(let id, _): pending?.id != id
    default: false
    }
  }

  private mutating func levelsChanged() {
    noteLevels()
    switch state {
    case .idle, .ended: break
    case .waitingForBlueZ, .waitingForAdapter: seek()
    case .shuttingDown: levelsChangedWhileEnding()
    case .discovering, .connecting, .resolving, .ready, .backingOff:
      if let gap {
        leave(for: gap)
        return
      }
      switch state {
      case .discovering: considerCandidates()
      case .connecting(let connecting): check(connecting)
      case .resolving(let resolving): check(resolving)
      case .ready(let ready): check(ready)
      default: break
      }
    }
  }

  private mutating func finished(_ id: OperationID, _ error: BlueZError?) {
    if let pending, pending.id == id {
      self.pending = nil
      cancelTimer(.operation)
      operationFinished(pending.operation, error)
    } else {
      writeFinished(id, error)
    }
  }

  private mutating func operationFinished(_ operation: LinkOperation, _ error: BlueZError?) {
    noteFinished(operation, error)
    switch state {
    case .waitingForBlueZ(let waiting): operationFinished(error, in: waiting)
    case .waitingForAdapter(let waiting): operationFinished(error, in: waiting)
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
      guard let pending else { return }
      self.pending = nil
      act(.abandon(pending.id))
      operationFinished(pending.operation, .deadlinePassed)
    case (.retry, .waitingForBlueZ(let waiting)): retry(waiting)
    case (.retry, .waitingForAdapter(let waiting)): retry(waiting)
    case (.scan, .discovering(let discovering)): scanPassed(discovering)
    case (.settle, .discovering): settled()
    case (.services, .resolving): fail(.servicesNotResolved)
    case (.grace, .resolving(let resolving)): graceOver(resolving)
    case (.stable, .ready): becameStable()
    case (.backOff, .backingOff): proceedBackingOff()
    case (.write, _), (.overtaken, _): writeDeadlinePassed()
    case (.slot, _), (.stop, _): pump()
    case (.drain, .shuttingDown): drained()
    case (.end, .shuttingDown): finishEnding()
    default: break
    }
  }

  // MARK: Effects

  mutating func act(_ action: LinkAction) {
    actions.append(action)
  }

  private mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Begins the one operation that the state now waits for.
  mutating func begin(_ operation: LinkOperation, deadline: Duration) {
    abandonPending()
    let id = OperationID(number: nextNumber())
    pending = PendingOperation(id: id, operation: operation)
    act(.begin(id, operation))
    setTimer(.operation, after: deadline)
  }

  /// Begins a write; it has a deadline of its own.
  mutating func beginWrite(
    _ command: MachineCommand,
    to path: ObjectPath,
    mode: WriteMode
  ) -> OperationID {
    let id = OperationID(number: nextNumber())
    act(.begin(id, .write(command, to: path, mode)))
    setTimer(.write, after: timing.write)
    return id
  }

  mutating func abandonPending() {
    guard let pending else { return }
    self.pending = nil
    cancelTimer(.operation)
    act(.abandon(pending.id))
  }

  mutating func setTimer(_ purpose: LinkTimer.Purpose, after delay: Duration) {
    setTimer(purpose, at: now.advanced(by: delay))
  }

  mutating func setTimer(_ purpose: LinkTimer.Purpose, at instant: MonotonicInstant) {
    cancelTimer(purpose)
    let number = nextNumber()
    timers[purpose] = LiveTimer(number: number, instant: instant)
    act(.setTimer(LinkTimer(purpose: purpose, number: number), at: instant))
  }

  mutating func cancelTimer(_ purpose: LinkTimer.Purpose) {
    guard let timer = timers.removeValue(forKey: purpose) else { return }
    act(.cancelTimer(LinkTimer(purpose: purpose, number: timer.number)))
  }

  func isSet(_ purpose: LinkTimer.Purpose) -> Bool { timers[purpose] != nil }

  /// When the timer fires; nil while it is not set.
  func instant(of purpose: LinkTimer.Purpose) -> MonotonicInstant? { timers[purpose]?.instant }

  private struct LiveTimer: Hashable {
    let number: UInt64
    let instant: MonotonicInstant
  }

  /// Leaves the present state for `next`: what it waited for is given up.
  mutating func transition(to next: State) {
    abandonPending()
    for purpose in LinkTimer.Purpose.allCases where purpose != .end { cancelTimer(purpose) }
    state = next
  }

  mutating func nextDelay() -> Duration { backOff.next(using: &generator) }

  mutating func nextEnvironmentDelay() -> Duration { environmentBackOff.next(using: &generator) }

  private mutating func publishIfChanged() {
    noteSignal()
    let status = status(since: phaseSince)
    if let published, !status.isNews(after: published) { return }
    published = status
    act(.publish(status))
  }
}

extension BlueZError {
  /// What an operation of ours failed with when its deadline passed.
  static let deadlinePassed = BlueZError(
    kind: .timedOut,
    name: "ballmachine.Error.Timeout",
    message: "no answer within the deadline"
  )
}
