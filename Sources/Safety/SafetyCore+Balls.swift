package import Clocks
package import CourtLogic

extension SafetyCore {
  /// One ball that was allowed.
  package struct Ball: Hashable, Sendable {
    let number: Int
    /// Nil: by hand.
    let session: Int?
  }

  /// Whether a ball's command has no outcome yet.
  package var isBallOnItsWay: Bool { spacing.ballOnItsWay != nil }

  /// Whether the logic may be asked for a decision, from ``earliestBall`` on.
  package var isFeeding: Bool {
    guard case .live = state else { return false }
    return link == .ready && !isBallOnItsWay && !stops.areBallsHeld
  }

  /// When the least interval since the last ball is over, and no answer of the machine can be that to the
  /// last stop command any more; in the past, or the clock's start, when both hold already.
  package var earliestBall: MonotonicInstant {
    max(
      spacing.end(of: leastInterval),
      stops.lastEnd?.advanced(by: encoding.longestAnswer) ?? .start
    )
  }

  var leastInterval: Duration { rules.leastInterval(of: encoding) }

  var lastBallThrown: MonotonicInstant {
    spacing.lastBallThrown(leastInterval: leastInterval)
  }

  /// The machine turns until then for the ball on its way.
  package mutating func turns(until instant: MonotonicInstant) { spacing.turns(until: instant) }

  /// Allows an automatic ball for a player with this average position, unless something holds it.
  ///
  /// - Parameter interval: until the next one, as its session feeds.
  /// - Returns: the ball, which counts as on its way until ``ended(_:wasSent:at:)``; nil: held.
  package mutating func allow(
    for position: PlayerPosition,
    every interval: Duration,
    at instant: MonotonicInstant
  ) -> Ball? {
    averaged(position, at: instant)
    guard isFeeding, now >= earliestBall, holds.isEmpty, var session = state.session else {
      return nil
    }
    session.balls += 1
    state.session = session
    return spacing.launch(in: session.number, every: interval, at: now)
  }

  /// Allows one ball by hand, which pauses the automatic mode. A refusal changes nothing.
  package mutating func allowByHand(at instant: MonotonicInstant) throws(SafetyRefusal) -> Ball {
    advance(to: instant)
    if case .stopped = state { throw .stopLatched }
    guard link == .ready else { throw .linkNotReady }
    guard !stops.areBallsHeld else { throw .stopOnItsWay }
    guard !isBallOnItsWay else { throw .ballOnItsWay }
    // The stop command goes first.
    let earliest =
      stops.debt == .afterLastBall ? max(earliestBall, lastBallThrown) : earliestBall
    guard now >= earliest else { throw .tooSoon(wait: now.duration(to: earliest)) }
    switch state {
    case .paused(let paused) where paused.reason.waitsForPerson: break
    default: pause(.manual)
    }
    stops.debt = .afterFeeding
    return spacing.launch(in: nil, every: .zero, at: now)
  }

  /// The outcome of a ball's command is known.
  ///
  /// - Parameters:
  ///   - wasSent: whether the machine may have it.
  ///   - wasTaken: whether the machine took it; false if the machine refused it or did not answer,
  ///     nil if the outcome says nothing of the machine.
  package mutating func ended(
    _ ball: Ball,
    wasSent: Bool,
    wasTaken: Bool?,
    at instant: MonotonicInstant
  ) {
    advance(to: instant)
    guard spacing.ended(ball, wasSent: wasSent, at: now) else { return }
    if let wasTaken { refusals = wasTaken ? 0 : refusals + 1 }
    if !wasSent, var session = state.session, session.number == ball.session {
      session.balls -= 1
      state.session = session
    }
    // Not earlier: their stop command would overtake the last ball.
    endAtBallLimit()
    pauseForRefusals()
    settle()
  }

  /// Whenever no ball is on its way, a session has had fewer balls than the limit, or it is over.
  mutating func endAtBallLimit() {
    guard let limit = rules.ballLimit, let session = state.session, session.balls >= limit else {
      return
    }
    disarm(.ballLimit)
  }

  /// The machine has answered a ball's command, or its time for that is over.
  ///
  /// - Parameter wasTaken: nil if the answer adds nothing to the outcome.
  package mutating func answered(wasTaken: Bool?, at instant: MonotonicInstant) {
    advance(to: instant)
    guard let wasTaken else { return }
    refusals = wasTaken ? 0 : refusals + 1
    pauseForRefusals()
  }

  private mutating func pauseForRefusals() {
    guard refusals >= SafetyRules.mostRefusals else { return }
    if case .paused(let paused) = state, paused.reason.waitsForPerson { return }
    pause(.refused)
  }
}
