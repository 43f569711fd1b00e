package import Clocks

extension SafetyCore {
  /// Does what a person asks.
  ///
  /// - Parameter client: what is armed or resumed pauses when this client goes; nil: it needs none.
  ///   A request may add or replace the client; it never removes it.
  /// - Throws: why not; then only the passing of time has changed the state.
  package mutating func perform(
    _ request: SafetyRequest,
    while client: Int? = nil,
    at instant: MonotonicInstant
  ) throws(SafetyRefusal) {
    advance(to: instant)
    switch request {
    case .arm(let countdown, let label): try arm(countdown, for: label, while: client)
    case .disarm:
      disarm(.byHand)
      // Also of balls by hand that left while it was disarmed.
      payDebt()
    case .pause: try pause()
    case .resume(let countdown): try resume(countdown, while: client)
    case .stop: stop()
    case .reset: try reset()
    }
    settle()
  }

  /// - Parameter asked: the countdown; nil: the rules' own.
  mutating func arm(
    _ asked: Duration?,
    for label: String?,
    while client: Int?
  ) throws(SafetyRefusal) {
    switch state {
    case .countdown, .live, .resting:
      guard asked == nil, label == nil || label == self.label else { throw .armed(for: self.label) }
      state.client = client ?? state.client
    case .paused: throw .paused
    case .stopped: throw .stopLatched
    case .pending(var pending):
      if let asked { pending.countdown = try checked(asked) }
      pending.label = label ?? pending.label
      pending.client = client ?? pending.client
      state = .pending(pending)
    case .disarmed(let disarmed):
      guard isReachable else { throw .socketsGone }
      if let lostTraining { throw .trainingLost(lostTraining) }
      let end = now.advanced(by: try checked(asked))
      guard link == .ready else { throw .linkNotReady }
      let session = newSession(for: label, while: client)
      enter(.countdown(Countdown(from: disarmed, beginning: session, end: end)))
    }
  }

  /// - Parameter asked: nil: the rules' own.
  private func checked(_ asked: Duration?) throws(SafetyRefusal) -> Duration {
    let countdown = asked ?? rules.countdown
    guard SafetyRules.countdowns.contains(countdown) else { throw .countdownOutOfRange }
    return countdown
  }

  mutating func newSession(for label: String?, while client: Int?) -> Session {
    sessions += 1
    refusals = 0
    return Session(number: sessions, armedAt: now, for: label, while: client)
  }

  mutating func newSession(from pending: Pending) -> Session {
    newSession(for: pending.label, while: pending.client)
  }

  mutating func disarm(_ reason: SafetyState.DisarmReason) {
    if case .pending(let pending) = state { enter(.disarmed(Disarmed(from: pending, reason))) }
    guard let session = state.session else { return }
    enter(.disarmed(Disarmed(ending: session, reason)))
  }

  mutating func pause() throws(SafetyRefusal) {
    switch state {
    case .disarmed: throw .notArmed
    case .stopped: throw .stopLatched
    case .pending, .countdown, .live, .resting, .paused: pauseForPerson(.byHand)
    }
  }

  /// Pauses what is armed until a person resumes. This also replaces a pause that would end by itself,
  /// and one by a ball by hand.
  mutating func pauseForPerson(_ reason: SafetyState.PauseReason) {
    switch state {
    case .paused(let paused) where paused.reason.waitsForPerson && paused.reason != .manual:
      leaveFeeding()
    case .pending(let pending): enter(.paused(Paused(newSession(from: pending), reason)))
    case .disarmed, .stopped, .countdown, .live, .resting, .paused: pause(reason)
    }
  }

  mutating func pause(_ reason: SafetyState.PauseReason) {
    guard let session = state.session else { return }
    enter(.paused(Paused(session, reason)))
  }

  /// - Parameter asked: the countdown; nil: the rules' own.
  mutating func resume(
    _ asked: Duration?,
    while client: Int?
  ) throws(SafetyRefusal) {
    switch state {
    case .disarmed: throw .notArmed
    case .stopped: throw .stopLatched
    case .pending: return try arm(asked, for: nil, while: client)
    case .countdown, .live: guard asked == nil else { throw .notPaused }
    case .resting(var resting):
      let countdown = try checked(asked)
      guard link == .ready else { throw .linkNotReady }
      resting.session.watchedSince = now
      endRest(resting, at: now, countdown)
    case .paused(var paused):
      let countdown = try checked(asked)
      guard link == .ready else { throw .linkNotReady }
      guard isReachable else { throw .socketsGone }
      guard paused.reason.waitsForPerson else { throw .playerNotSeen }
      refusals = 0
      paused.session.watchedSince = now
      goOn(from: paused, countdown)
    }
    state.client = client ?? state.client
  }

  /// - Parameter instant: when people see the countdown begin.
  mutating func endRest(
    _ resting: Resting,
    at instant: MonotonicInstant,
    _ countdown: Duration
  ) {
    enter(.countdown(Countdown(from: resting, end: instant.advanced(by: countdown))))
    since = instant
  }

  mutating func goOn(from paused: Paused, _ countdown: Duration) {
    enter(.countdown(Countdown(from: paused, end: now.advanced(by: countdown))))
  }

  mutating func stop() {
    stops.want()
    // The command may be written again, but one on its way or confirmed keeps its state: no more is known.
    switch state {
    case .stopped(.onItsWay), .stopped(.overdue), .stopped(.ended(.confirmed)): break
    default: enter(.stopped(.onItsWay))
    }
  }

  mutating func reset() throws(SafetyRefusal) {
    switch state {
    case .disarmed: break
    case .stopped(let stopped):
      stops.isForEarlierMachine = false
      stops.isResetEarly = stops.areOpen && stopped != .ended(.confirmed)
      enter(.disarmed(Disarmed(from: stopped)))
    case .pending, .countdown, .live, .resting, .paused: throw .notStopped
    }
  }
}
