package import CourtLogic

/// What a person asks of the bridge's safety.
package enum SafetyRequest: Hashable, Sendable {
  /// Feed after a countdown: the rules' own, or this one. The label says for whom. A session that
  /// runs takes neither.
  case arm(countdown: Duration? = nil, label: String? = nil)
  /// No more balls until a person arms again.
  case disarm
  /// No more balls until a person resumes.
  case pause
  /// Go on after a countdown: the rules' own, or this one. A rest ends with it.
  case resume(countdown: Duration? = nil)
  /// No more balls, and the stop command to the machine; latches until ``reset``.
  case stop
  /// Unlatches the stop. It arms nothing.
  case reset
}

/// What became of a request.
package enum SafetyReply: Hashable, Sendable {
  /// The request took effect, or had nothing to change.
  case accepted(SafetyStatus)
  /// The stop is latched; the outcome is that of the machine's stop command.
  case stopped(StopOutcome, SafetyStatus)
  case refused(SafetyRefusal)
}

/// Why a request, or a ball by hand, was refused. Nothing has changed.
package enum SafetyRefusal: Error, Hashable, Sendable {
  case stopLatched
  /// A stop came in after the request, and goes first.
  case overtaken
  case notArmed
  /// Armed already, but paused.
  case paused
  /// A countdown or feeding takes no other countdown.
  case notPaused
  /// Only what is disarmed or stopped takes a countdown, another label, and what is trained.
  case armed(for: String?)
  /// There is no stop to reset.
  case notStopped
  case linkNotReady
  /// It goes on by itself when the player is seen.
  case playerNotSeen
  case countdownOutOfRange
  /// The least interval since the last ball is not over.
  case tooSoon(wait: Duration)
  /// The last command has no outcome yet.
  case ballOnItsWay
  /// A stop command is on its way.
  case stopOnItsWay
  case outsideLimits(MachineLimitError)
  /// Balls were to fly only while the client is connected.
  case clientGone
  /// This was loaded before the start, and is not loaded now.
  case trainingLost(LostTraining)
  /// No new client reaches the service, not even to stop.
  case socketsGone
  /// The service is on its way out.
  case ending
}

extension SafetyRefusal {
  /// How long to wait before the same may be asked again: the refusal is only for what precedes it.
  /// Nil if something else must change first.
  package var wait: Duration? {
    switch self {
    case .tooSoon(let wait): wait
    // Its outcome comes soon.
    case .ballOnItsWay, .stopOnItsWay: .milliseconds(100)
    case .stopLatched, .overtaken, .notArmed, .paused, .notPaused, .armed, .notStopped,
      .linkNotReady, .playerNotSeen, .countdownOutOfRange, .outsideLimits, .clientGone,
      .trainingLost,
      .socketsGone, .ending:
      nil
    }
  }
}

extension SafetyRefusal {
  /// For machines.
  package var code: String {
    switch self {
    case .stopLatched, .overtaken: "stopLatched"
    case .notArmed: "notArmed"
    case .paused: "paused"
    case .notPaused: "notPaused"
    case .armed: "armed"
    case .notStopped: "notStopped"
    case .linkNotReady: "linkNotReady"
    case .playerNotSeen: "playerNotSeen"
    case .countdownOutOfRange: "countdownOutOfRange"
    case .tooSoon: "tooSoon"
    case .ballOnItsWay: "ballOnItsWay"
    case .stopOnItsWay: "stopOnItsWay"
    case .outsideLimits: "outsideLimits"
    case .clientGone: "clientGone"
    case .trainingLost(let lost): lost.code
    case .socketsGone: "socketsGone"
    case .ending: "ending"
    }
  }
}
