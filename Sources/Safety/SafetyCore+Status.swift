import Clocks

extension SafetyCore {
  /// What holds balls back now, the most important first; while disarmed or resting, what may still
  /// come of the last ones, and that it can't arm.
  package var holds: [SafetyHold] {
    switch state {
    case .disarmed: return outstanding + lost
    case .stopped: return lost
    case .resting: return outstanding
    case .pending, .paused: return []
    case .countdown, .live: break
    }
    return (stops.areBallsHeld ? [.stopOnItsWay] : []) + sight.holds(at: now, under: rules)
  }

  var lost: [SafetyHold] { lostTraining.map { [.trainingLost($0)] } ?? [] }

  private var outstanding: [SafetyHold] {
    if stops.debt == .afterLastBall { return [.lastBall] }
    guard case .disarmed = state, stops.areOpen else { return [] }
    // One that a linked machine gets now is no news. A latched one is, until it is confirmed.
    let endsSoon = link == .ready && !stops.isDoubtful && !stops.isResetEarly
    return endsSoon || stops.isLast ? [] : [.stopOwed]
  }

  package var status: SafetyStatus {
    var status = SafetyStatus(state: state.shown, since: since)
    status.holds = holds
    status.balls = state.session?.balls ?? lastSessionsBalls
    return status
  }

  /// When time alone begins or ends a visible hold.
  var nextEndOfSight: MonotonicInstant? {
    switch state {
    case .disarmed, .pending, .resting, .paused, .stopped: return nil
    case .countdown, .live: break
    }
    return sight.nextChange(after: now)
  }
}
