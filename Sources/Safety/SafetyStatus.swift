package import Clocks

/// Whether balls may fly, and why or why not, at one moment.
package struct SafetyStatus: Hashable, Sendable {
  package var state: SafetyState
  /// When this state began.
  package var since: MonotonicInstant
  /// What holds balls back, the most important first.
  package var holds: [SafetyHold] = []
  /// Automatic balls of the present session, or of the last one.
  package var balls = 0
}

/// The state of ``SafetyCore``, as its users see it.
package enum SafetyState: Hashable, Sendable {
  case disarmed(DisarmReason)
  /// It was started to arm, and does so as soon as the machine is ready.
  case pending
  case countdown(until: MonotonicInstant, CountdownReason)
  case live
  /// A rest between two sets of a drill; a countdown follows.
  case resting(until: MonotonicInstant)
  case paused(PauseReason)
  /// Latched; with the stop command's outcome, nil while that isn't known.
  case stopped(StopOutcome?)

  package enum DisarmReason: String, Hashable, Sendable, CaseIterable {
    case atStart, byHand = "operator", silence, linkLoss, ballLimit, timeLimit, drillOver, reset
    /// The link is to another machine than the one that was armed, or SIM has become REAL, or the reverse.
    case otherMachine
    case ending
  }

  package enum CountdownReason: String, Hashable, Sendable, CaseIterable {
    case arming, resuming, silence, linkLoss, rest
  }

  package enum PauseReason: String, Hashable, Sendable, CaseIterable {
    case byHand = "operator", manual, silence, linkLoss
    /// The machine refused or did not answer several commands in a row.
    case refused
    /// Balls were to fly only while a client is connected.
    case clientGone
    /// The service's sockets are gone and can't be made again: no new client reaches it.
    case socketsGone

    /// Whether only a person ends the pause.
    var waitsForPerson: Bool { self != .silence && self != .linkLoss }
  }
}

extension SafetyState {
  /// For machines: `disarmed`, `pending`, `countdown`, `live`, `resting`, `paused`, `stopped`.
  package var word: String {
    switch self {
    case .disarmed: "disarmed"
    case .pending: "pending"
    case .countdown: "countdown"
    case .live: "live"
    case .resting: "resting"
    case .paused: "paused"
    case .stopped: "stopped"
    }
  }

  /// Why, for machines; nil where the word says it all.
  package var code: String? {
    switch self {
    case .disarmed(let reason): reason.rawValue
    case .countdown(_, let reason): reason.rawValue
    case .paused(let reason): reason.rawValue
    case .pending, .live, .resting, .stopped: nil
    }
  }

  /// How long the countdown, or the rest before it, still takes; nil when there is none.
  package func remaining(at now: MonotonicInstant) -> Duration? {
    switch self {
    case .countdown(let until, _), .resting(let until): max(now.duration(to: until), .zero)
    case .disarmed, .pending, .live, .paused, .stopped: nil
    }
  }
}
