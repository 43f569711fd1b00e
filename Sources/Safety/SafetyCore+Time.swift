package import Clocks

extension SafetyCore {
  /// Lets time pass: everything that was due by then happens, in order.
  package mutating func advance(to instant: MonotonicInstant) {
    let end = max(now, instant)
    while let (deadline, event) = nextEvent, deadline <= end {
      now = max(now, deadline)
      apply(event, handledAt: end)
    }
    now = end
  }

  /// When to call ``advance(to:)``, because time alone changes something; nil while it doesn't.
  package var nextDeadline: MonotonicInstant? {
    [nextEvent?.at, nextEndOfSight].compactMap(\.self).min()
  }

  private enum Event {
    case lastBallThrown, countdownOver, restOver, silence, longSilence, longLinkLoss, timeOver
  }

  /// What time alone causes next.
  private var nextEvent: (at: MonotonicInstant, event: Event)? {
    var next: (at: MonotonicInstant, event: Event)?
    if stops.debt == .afterLastBall, !isBallOnItsWay {
      next = (lastBallThrown, .lastBallThrown)
    }
    guard let session = state.session else { return next }
    // Of two events at one instant, the first `expect` wins.
    func expect(_ event: Event, after duration: Duration?, from start: MonotonicInstant) {
      guard let instant = duration.map(start.advanced(by:)), next.map({ instant < $0.at }) ?? true
      else { return }
      next = (instant, event)
    }
    expect(.timeOver, after: rules.timeLimit, from: session.armedAt)
    if case .resting(let resting) = state {
      expect(.restOver, after: .zero, from: resting.until)
    } else {
      if case .paused(let paused) = state {
        guard !paused.reason.waitsForPerson else { return next }
      } else {
        expect(.silence, after: rules.silenceBeforeCountdown, from: silentSince(in: session))
      }
      expect(.longSilence, after: rules.silenceBeforeDisarming, from: silentSince(in: session))
    }
    if case .lost(let since) = link {
      expect(.longLinkLoss, after: rules.linkLossBeforeDisarming, from: since)
    }
    if case .countdown(let countdown) = state {
      expect(.countdownOver, after: .zero, from: countdown.until)
    }
    return next
  }

  /// - Parameter handled: when the program comes to it. If it stood still until then, people have not seen
  ///   the end of a countdown, and it begins again.
  private mutating func apply(_ event: Event, handledAt handled: MonotonicInstant) {
    func isMissed(_ end: MonotonicInstant) -> Bool { end.duration(to: handled) > longestDelay }
    switch event {
    case .lastBallThrown: payDebt()
    case .timeOver: disarm(.timeLimit)
    case .longSilence: disarm(.silence)
    case .longLinkLoss: disarm(.linkLoss)
    case .silence:
      if case .countdown(let countdown) = state, isMissed(countdown.until) {
        beginAgain(countdown, at: handled)
      }
      pause(.silence)
    case .restOver:
      guard case .resting(var resting) = state else { return }
      resting.timeIsOver(at: now)
      state = .resting(resting)
      guard link == .ready else { return pause(.linkLoss) }
      endRest(resting, at: isMissed(now) ? handled : now, rules.countdown)
    case .countdownOver:
      guard case .countdown(let countdown) = state else { return }
      if isMissed(countdown.until) {
        beginAgain(countdown, at: handled)
      } else {
        enter(.live(Live(from: countdown)))
      }
    }
  }

  /// In its whole length.
  private mutating func beginAgain(_ countdown: Countdown, at instant: MonotonicInstant) {
    var countdown = countdown
    let length = max(since.duration(to: countdown.until), rules.countdown)
    countdown.prolong(until: instant.advanced(by: length))
    state = .countdown(countdown)
    since = instant
  }

  private func silentSince(in session: Session) -> MonotonicInstant {
    max(sight.lastSeen ?? session.watchedSince, session.watchedSince)
  }

  var isSilent: Bool {
    guard let session = state.session else { return false }
    return silentSince(in: session).duration(to: now) >= rules.silenceBeforeCountdown
  }
}
