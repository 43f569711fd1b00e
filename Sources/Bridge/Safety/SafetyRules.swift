/// What a person sets about the safety of whoever stands on the court. Distances are in metres.
package struct SafetyRules: Hashable, Sendable {
  /// From arming to the first ball, visible to everybody: 0…60 s.
  package var countdown = Duration.seconds(3)
  /// After so long without a fresh position, the next one begins a countdown instead of a ball.
  package var silenceBeforeCountdown = Duration.seconds(5)
  /// After so long without a fresh position, the bridge disarms.
  package var silenceBeforeDisarming = Duration.seconds(60)
  /// A link that is back sooner goes on after a countdown; one that isn't disarms.
  package var linkLossBeforeDisarming = Duration.seconds(30)
  /// An average position nearer to the net than this holds fire; behind the net it always does.
  package var leastNetDistance = 0.5
  /// In metres a second: a player's average that jumps faster holds fire.
  package var greatestSpeed = 12.0
  /// From one ball to the next; never below the link's 2.95 s, whatever is set.
  package var leastInterval = Duration.seconds(3)
  /// Balls from arming to disarming; nil: no limit.
  package var ballLimit: Int?
  /// Time from arming to disarming; nil: no limit.
  package var timeLimit: Duration?
  /// Whether every way out of feeding writes the stop command.
  package var stopsOnTheWayOut = true

  package init() {}
}
