import Clocks

// The states, one struct each. Only arming begins a session, and each armed state passes it on:
// disarmed and stopped lead to live only through a countdown that a person asked for.

extension SafetyCore {
  /// From arming to disarming.
  struct Session: Hashable, Sendable {
    /// Counts from 1: shows which balls ended after their session.
    let number: Int
    let armedAt: MonotonicInstant
    /// The player's name, as given when arming; nil: none was given.
    let label: String?
    /// Balls that left, or are on their way.
    var balls = 0
    /// Since when a player is expected: the arming, or the last resuming.
    var watchedSince: MonotonicInstant
    /// Balls leave only until this client goes; nil: they need none.
    var client: Int?
    /// The end of the longest countdown so far: no later one shortens it.
    fileprivate(set) var countedDownAt: MonotonicInstant

    init(
      number: Int,
      armedAt: MonotonicInstant,
      for label: String? = nil,
      while client: Int? = nil
    ) {
      self.number = number
      self.armedAt = armedAt
      self.label = label
      self.client = client
      watchedSince = armedAt
      countedDownAt = armedAt
    }
  }

  /// Armed at the start, before the machine is ready for the first time. → countdown, paused,
  /// disarmed, stopped
  struct Pending: Hashable, Sendable {
    /// The countdown that a person has asked for meanwhile; nil: the rules' own.
    var countdown: Duration?
    /// The player's name, as given when arming; nil: none was given.
    var label: String?
    /// Balls will leave only until this client goes; nil: they need none.
    var client: Int?
  }

  /// → countdown, stopped
  struct Disarmed: Hashable, Sendable {
    let reason: SafetyState.DisarmReason

    private init(_ reason: SafetyState.DisarmReason) { self.reason = reason }

    static let atStart = Disarmed(.atStart)

    init(from stopped: Stopped) { self.init(.reset) }

    init(from pending: Pending, _ reason: SafetyState.DisarmReason) { self.init(reason) }

    init(ending session: Session, _ reason: SafetyState.DisarmReason) { self.init(reason) }
  }

  /// → live, paused, disarmed, stopped
  struct Countdown: Hashable, Sendable {
    var session: Session
    let reason: SafetyState.CountdownReason

    var until: MonotonicInstant { session.countedDownAt }

    /// - Parameter end: when it is over.
    init(from disarmed: Disarmed, beginning session: Session, end: MonotonicInstant) {
      self.init(beginning: session, end: end)
    }

    init(from pending: Pending, beginning session: Session, end: MonotonicInstant) {
      self.init(beginning: session, end: end)
    }

    /// - Parameter end: when it is over, at the earliest.
    init(from resting: Resting, end: MonotonicInstant) {
      self.init(resting.session, end: end, .rest)
    }

    /// What held balls back is over.
    ///
    /// - Parameter end: when it is over, at the earliest.
    init(from live: Live, end: MonotonicInstant) {
      self.init(live.session, end: end, .silence)
    }

    mutating func prolong(until end: MonotonicInstant) {
      session.countedDownAt = max(until, end)
    }

    private init(beginning session: Session, end: MonotonicInstant) {
      self.session = session
      self.session.countedDownAt = end
      reason = .arming
    }

    /// - Parameter end: when it is over, at the earliest.
    init(from paused: Paused, end: MonotonicInstant) {
      let reason: SafetyState.CountdownReason =
        switch paused.reason {
        case .byHand, .manual, .refused, .clientGone, .socketsGone: .resuming
        case .silence: .silence
        case .linkLoss: .linkLoss
        }
      self.init(paused.session, end: end, reason)
    }

    private init(
      _ session: Session,
      end: MonotonicInstant,
      _ reason: SafetyState.CountdownReason
    ) {
      self.session = session
      self.session.countedDownAt = max(session.countedDownAt, end)
      self.reason = reason
    }
  }

  /// → resting, countdown, paused, disarmed, stopped
  struct Live: Hashable, Sendable {
    var session: Session

    init(from countdown: Countdown) { session = countdown.session }
  }

  /// Between two sets of a drill. → countdown, paused, disarmed, stopped
  struct Resting: Hashable, Sendable {
    var session: Session
    /// When the countdown begins.
    let until: MonotonicInstant
    /// No ball before then, unless a person ends the rest.
    let nextSet: MonotonicInstant

    init(from live: Live, until: MonotonicInstant, nextSet: MonotonicInstant) {
      session = live.session
      self.until = until
      self.nextSet = nextSet
    }

    /// What follows is a countdown, sooner or later, that ends no sooner than the next set is due.
    mutating func timeIsOver(at instant: MonotonicInstant) {
      session.watchedSince = instant
      session.countedDownAt = max(session.countedDownAt, nextSet)
    }
  }

  /// → countdown, paused for another reason, disarmed, stopped
  struct Paused: Hashable, Sendable {
    var session: Session
    let reason: SafetyState.PauseReason

    init(_ session: Session, _ reason: SafetyState.PauseReason) {
      self.session = session
      self.reason = reason
    }
  }

  /// What became of the stop command. → disarmed
  enum Stopped: Hashable, Sendable {
    case onItsWay
    /// Still on its way after so long; with what is known so far.
    case overdue(StopOutcome)
    case ended(StopOutcome)

    /// Nil while it is on its way and not overdue.
    var outcome: StopOutcome? {
      switch self {
      case .onItsWay: nil
      case .overdue(let known): known
      case .ended(let outcome): outcome
      }
    }
  }

  enum State: Hashable, Sendable {
    case disarmed(Disarmed)
    case pending(Pending)
    case countdown(Countdown)
    case live(Live)
    case resting(Resting)
    case paused(Paused)
    case stopped(Stopped)

    /// The session of an armed state.
    var session: Session? {
      get {
        switch self {
        case .countdown(let countdown): countdown.session
        case .live(let live): live.session
        case .resting(let resting): resting.session
        case .paused(let paused): paused.session
        case .disarmed, .pending, .stopped: nil
        }
      }
      set {
        guard let newValue else { return }
        switch self {
        case .countdown(var countdown):
          countdown.session = newValue
          self = .countdown(countdown)
        case .live(var live):
          live.session = newValue
          self = .live(live)
        case .resting(var resting):
          resting.session = newValue
          self = .resting(resting)
        case .paused(var paused):
          paused.session = newValue
          self = .paused(paused)
        case .disarmed, .pending, .stopped: break
        }
      }
    }

    /// The player's name, of the session or of the pending arming; nil: none was given.
    var label: String? {
      if case .pending(let pending) = self { pending.label } else { session?.label }
    }

    /// The client without which no ball leaves.
    var client: Int? {
      get { if case .pending(let pending) = self { pending.client } else { session?.client } }
      set {
        if case .pending(var pending) = self {
          pending.client = newValue
          self = .pending(pending)
        } else {
          session?.client = newValue
        }
      }
    }

    /// The state that users of the core see.
    var shown: SafetyState {
      switch self {
      case .disarmed(let disarmed): .disarmed(disarmed.reason)
      case .pending: .pending
      case .countdown(let countdown): .countdown(until: countdown.until, countdown.reason)
      case .live: .live
      case .resting(let resting): .resting(until: resting.until)
      case .paused(let paused): .paused(paused.reason)
      case .stopped(let stopped): .stopped(stopped.outcome)
      }
    }

    /// Whether the last ball of a set, of a drill or of the session has left, and nothing else has changed the
    /// state since.
    var followsLastBall: Bool {
      switch self {
      case .resting: true
      case .countdown(let countdown): countdown.reason == .rest
      case .disarmed(let disarmed): [.ballLimit, .drillOver].contains(disarmed.reason)
      case .pending, .live, .paused, .stopped: false
      }
    }

    /// Whether the machine may go on throwing balls: it is fed, automatically or by hand.
    var keepsFeeding: Bool {
      switch self {
      case .live: true
      case .paused(let paused): paused.reason == .manual
      case .disarmed, .pending, .countdown, .resting, .stopped: false
      }
    }
  }
}
