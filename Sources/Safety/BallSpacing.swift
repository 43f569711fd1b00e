import Clocks

/// One ball at a time: which is on its way, and how soon after it another one may leave.
struct BallSpacing: Hashable, Sendable {
  private(set) var ballOnItsWay: SafetyCore.Ball?
  private var number = 0
  private var lastBall: MonotonicInstant?
  /// From the last ball to the next, as its session feeds; zero by hand.
  private var lastInterval = Duration.zero
  /// When the outcome of a ball that may have left was last known.
  private var lastOutcome: MonotonicInstant?
  /// When the machine has turned for the last ball.
  private var turned = MonotonicInstant.start

  /// - Parameter session: whose ball it is; nil: by hand.
  mutating func launch(
    in session: Int?,
    every interval: Duration,
    at now: MonotonicInstant
  ) -> SafetyCore.Ball {
    number += 1
    let ball = SafetyCore.Ball(number: number, session: session)
    ballOnItsWay = ball
    lastBall = now
    lastInterval = interval
    return ball
  }

  /// The outcome of a ball's command is known.
  ///
  /// - Returns: false if that ball was not on its way.
  mutating func ended(_ ball: SafetyCore.Ball, wasSent: Bool, at now: MonotonicInstant) -> Bool {
    guard ballOnItsWay == ball else { return false }
    ballOnItsWay = nil
    if wasSent { lastOutcome = now }
    return true
  }

  /// The machine turns until then for the ball on its way.
  mutating func turns(until instant: MonotonicInstant) { turned = max(turned, instant) }

  /// Counted from the last ball's decision, and from a late outcome.
  func end(of interval: Duration) -> MonotonicInstant {
    let afterDecision = lastBall?.advanced(by: interval) ?? .start
    let afterOutcome = lastOutcome?.advanced(by: interval - SafetyRules.usualLatency) ?? .start
    return max(afterDecision, afterOutcome)
  }

  /// When the machine has thrown the last ball, if none is on its way: when its session's next one
  /// would be due. It isn't known whether a stop command that comes sooner takes that ball back.
  func lastBallThrown(leastInterval: Duration) -> MonotonicInstant {
    max(end(of: max(leastInterval, lastInterval)), turned)
  }
}
