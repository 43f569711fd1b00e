package import Clocks
package import CourtLogic

/// Decides whether a ball may leave, without I/O or a clock of its own: its owner passes in events
/// with their times, and asks before every ball.
///
/// ```
///                  arm                     countdown over
///   disarmed ───────────────▶ countdown ──────────────────▶ live ◀── balls leave, unless held:
///    ▲    ▲                    │  ▲   │                       │      not seen, near or behind
///    │    │     resume, player │  │   │ pause, manual ball,   │      the net, a jump, a detector
///    │    │  seen, link back   │  │   │ silence, link lost,   │      that repeats itself: at
///    │    │                    │  │   │ refusals, client or   │      its end a countdown
///    │    │                    │  │   │ sockets gone          │
///    │    │                    │  └───┼───────── paused ◀─────┘
///    │    │                    │      └────────────▲  │
///    │    └─ disarm, limits, long silence, long ────┴──┘
///    │       link loss, from any armed state
///    │ reset
///   stopped ◀── stop ── any
///
///   live ── a set of a drill is over ──▶ resting ── its time over, resume ──▶ countdown
///      (pause, disarm and limits as above; a rest doesn't ask where the player is)
///
///   pending, when it is armed at the start ── machine ready ──▶ countdown
///      └── disarm, pause, stop: as if it were armed
/// ```
///
/// What holds in every order of events (the rules of safety in Design.md):
/// - It begins disarmed, and only ``SafetyRequest/arm(countdown:)`` ends that; or it begins
///   pending, and arms once, when the machine is ready.
/// - Balls leave only while live, or by hand; never while stopped, or while another ball is on its
///   way. The next ball waits for the least interval after the last decision, for that interval less
///   0.25 s after its outcome, and until no answer can belong to a stop command.
/// - An automatic pause ends by itself, through a countdown or in the end by disarming. A person's
///   pause waits for a person, and so do those for a machine that takes no commands and for a
///   client that has gone.
/// - Every way out of feeding owes the machine a stop command. The end of a set, of a drill or of the
///   balls waits with it until the last ball has been thrown; a person and all else never wait.
package struct SafetyCore: Hashable, Sendable {
  package internal(set) var rules: SafetyRules
  let encoding: MachineEncoding
  let longestDelay: Duration
  var state: State
  var since: MonotonicInstant
  /// The time of the last event.
  var now: MonotonicInstant
  var link: Link
  /// Whether the last Bluetooth stack that was seen is simulated; nil before the first one.
  var isSimulated: Bool?
  var sessions = 0
  var lastSessionsBalls = 0

  var sight = PlayerSight()
  var spacing = BallSpacing()
  var stops = StopOrders()
  /// What was loaded before the start, and can't be loaded again: it does not arm without.
  package var lostTraining: LostTraining?
  /// Whether new clients can reach the service.
  var isReachable = true
  /// Commands in a row that the machine refused or did not answer, since a person let it feed.
  var refusals = 0

  enum Link: Hashable, Sendable {
    case ready
    case lost(since: MonotonicInstant)
  }

  /// - Parameters:
  ///   - encoding: the machine's. Its least interval is the floor for all rules.
  ///   - longestDelay: a deadline that is handled later shows that the program stood still.
  ///   - armsWhenReady: whether it arms once, as soon as the machine is ready.
  package init(
    rules: SafetyRules,
    encoding: MachineEncoding = .digits,
    longestDelay: Duration = .seconds(1),
    armsWhenReady: Bool = false,
    at now: MonotonicInstant
  ) {
    state = armsWhenReady ? .pending(Pending()) : .disarmed(.atStart)
    self.rules = rules
    self.encoding = encoding
    self.longestDelay = longestDelay
    self.now = now
    since = now
    link = .lost(since: now)
  }

  /// The number of the present session, counted from 1; nil while not armed.
  package var session: Int? { state.session?.number }

  /// The player's name, of the session or of the pending arming; nil: none was given.
  package var label: String? { state.label }

  /// A countdown of nothing is over at once.
  mutating func settle() { advance(to: now) }

  mutating func enter(_ next: State) {
    if let session = state.session { lastSessionsBalls = session.balls }
    state = next
    since = now
    if case .live = next {
      // A stop command that waits isn't lost where the next set begins sooner.
      if stops.debt == .afterLastBall { payDebt() }
      stops.debt = .afterFeeding
    }
    leaveFeeding()
  }

  /// A machine that balls may have left for has its stop command written once nothing feeds it, and,
  /// where only the balls are over, once it has thrown the last one.
  mutating func leaveFeeding() {
    guard stops.debt != .none, !state.keepsFeeding else { return }
    if state.followsLastBall, isBallOnItsWay || now < lastBallThrown {
      stops.debt = .afterLastBall
    } else {
      payDebt()
    }
  }

  mutating func payDebt() {
    if owesStop { stops.want() }
    stops.debt = .none
  }

  var owesStop: Bool { stops.debt != .none && rules.stopsOnTheWayOut }
}
