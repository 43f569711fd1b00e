/// What a person sets about the safety of whoever stands on the court. Distances are in metres.
package struct SafetyRules: Hashable, Sendable {
  /// From arming to the first ball, visible to everybody: 0…60 s.
  package var countdown = Duration.seconds(3)
  /// After so long without a position, the next one begins a countdown instead of a ball.
  package var silenceBeforeCountdown = Duration.seconds(5)
  /// After so long without a position, the bridge disarms.
  package var silenceBeforeDisarming = Duration.seconds(60)
  /// A link that is back sooner goes on after a countdown; one that isn't disarms.
  package var linkLossBeforeDisarming = Duration.seconds(30)
  /// An average position nearer to the net than this holds fire; behind the net it always does.
  package var leastNetDistance = 0.5
  /// In metres a second: a player who seems to be faster holds fire.
  package var greatestSpeed = 12.0
  /// From one ball to the next; never below ``leastIntervalOfTheLink``, whatever is set.
  ///
  /// Balls stand on the grid of 3 s, so that 4 s means every second
  /// point of it. The default leaves a busy box room to be late for one ball and in time for the next.
  package var leastInterval = leastIntervalOfTheLink
  /// Balls from arming to disarming; nil: no limit.
  package var ballLimit: Int?
  /// Time from arming to disarming; nil: no limit.
  package var timeLimit: Duration?
  /// Whether every way out of feeding writes the stop command. A person's stop always does.
  package var stopsOnTheWayOut = true

  package init() {}

  /// The countdowns that can be asked for.
  package static let countdowns = Duration.zero...Duration.seconds(60)
  /// The link itself sends no two balls nearer to each other (DESIGN §4, law 5).
  package static let leastIntervalOfTheLink = Duration.milliseconds(2950)
  /// An outcome that takes no longer leaves the interval as it is. After a later one the interval, less
  /// this, counts from the outcome, because the ball may have left as late as that.
  package static let usualLatency = Duration.milliseconds(250)
}
