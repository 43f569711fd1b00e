package import CourtLogic

/// What a person sets about the safety of people on the court. Distances are in metres.
package struct SafetyRules: Hashable, Sendable {
  /// From arming to the first ball, visible on every display: 0…60 s.
  package var countdown = Duration.seconds(3)
  /// After so long without a position, the next one begins a countdown instead of a ball.
  package var silenceBeforeCountdown = Duration.seconds(5)
  /// After so long without a position, the bridge disarms.
  package var silenceBeforeDisarming = Duration.seconds(60)
  /// If the link is back sooner, feeding goes on after a countdown; otherwise the bridge disarms.
  package var linkLossBeforeDisarming = Duration.seconds(30)
  /// No balls for an average position nearer to the net than this, or behind the net.
  package var leastNetDistance = 0.5
  /// In metres a second: no balls while the player seems to be faster.
  package var greatestSpeed = 12.0
  /// From one ball to the next; a value below the encoding's least interval, which the link
  /// keeps itself (law 5 in Design.md), has no effect.
  ///
  /// The default is less than the interval of the balls' grid, so that a busy box can be late for one
  /// ball and in time for the next.
  package var leastInterval = MachineEncoding.digits.leastInterval
  /// Balls from arming to disarming; nil: no limit.
  package var ballLimit: Int?
  /// Time from arming to disarming; nil: no limit.
  package var timeLimit: Duration?
  /// Whether every way out of feeding writes the stop command. A person's stop always does.
  package var stopsOnTheWayOut = true

  package init() {}

  /// From one ball to the next, by a person's wish and by what the machine takes.
  package func leastInterval(of encoding: MachineEncoding) -> Duration {
    max(leastInterval, encoding.leastInterval)
  }

  /// The countdowns that can be asked for.
  package static let countdowns = Duration.zero...Duration.seconds(60)
  /// After so many commands in a row that the machine refused or did not answer, the bridge pauses
  /// until a person resumes.
  package static let mostRefusals = 3
  /// A faster outcome leaves the interval as it is. After a slower one the interval, less this,
  /// counts from the outcome, because the ball may have left as late as that.
  package static let usualLatency = Duration.milliseconds(250)
}
