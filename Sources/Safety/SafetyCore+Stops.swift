package import Clocks

extension SafetyCore {
  /// Whether the machine is still to get a stop command, now or when feeding ends.
  package var isStopOwed: Bool {
    owesStop || stops.areOpen
  }

  /// An earlier program owed the machine a stop command: it goes first.
  package mutating func inheritStop(at instant: MonotonicInstant) {
    advance(to: instant)
    stops.want()
  }

  /// Whether a stop command is to be written now. True takes the order: the caller writes it, then
  /// calls ``stopEnded(_:at:)``.
  package mutating func takeStopOrder() -> Bool { stops.take() }

  package var isStopOnItsWay: Bool { stops.isOnItsWay }

  /// The outcome of the stop command is known.
  ///
  /// - Returns: the outcome for the machine that it was meant for.
  @discardableResult
  package mutating func stopEnded(
    _ outcome: StopOutcome,
    at instant: MonotonicInstant
  ) -> StopOutcome {
    advance(to: instant)
    let confirmsEarlierMachine = stops.ended(outcome, at: now)
    if outcome == .confirmed { refusals = 0 }
    guard case .stopped(let stopped) = state else {
      if confirmsEarlierMachine { stops.isForEarlierMachine = false }
      return confirmsEarlierMachine ? .ofAnotherMachine : outcome
    }
    var known = outcome
    if confirmsEarlierMachine {
      known = if case .ended(let earlier) = stopped { earlier } else { .ofAnotherMachine }
    }
    if stopped != .ended(.confirmed) { state = .stopped(.ended(known)) }
    return known
  }

  /// The outcome of the stop command takes too long. The command stays on its way, and holds balls back.
  ///
  /// - Parameter known: what the state shows until the outcome comes.
  package mutating func stopIsOverdue(_ known: StopOutcome, at instant: MonotonicInstant) {
    advance(to: instant)
    switch state {
    case .stopped(.onItsWay), .stopped(.overdue): state = .stopped(.overdue(known))
    default: break
    }
  }

  /// The service is on its way out: a machine that becomes ready now must not arm.
  package mutating func endPending(at instant: MonotonicInstant) {
    advance(to: instant)
    if case .pending = state { disarm(.ending) }
  }

  /// The service ends: an armed state is disarmed.
  ///
  /// - Returns: whether the machine is to get a last stop command; then ``stopEnded(_:at:)``
  ///   follows.
  package mutating func end(at instant: MonotonicInstant) -> Bool {
    advance(to: instant)
    let owesLastStop =
      switch state {
      case .stopped(let stopped): stopped != .ended(.confirmed)
      case .countdown, .live, .resting, .paused: rules.stopsOnTheWayOut
      case .disarmed, .pending: owesStop
      }
    disarm(.ending)
    return stops.takeLast(isOwed: owesLastStop)
  }
}
