/// Whether balls may fly, and why or why not, at one moment.
package struct SafetyRecord: Codable, Hashable, Sendable {
  /// Every value of ``state``.
  package static let states = [
    "disarmed", "pending", "countdown", "live", "resting", "paused", "stopped",
  ]

  /// Whether a session goes on in this state, from arming to disarming or stop.
  package static func isArmed(_ state: String) -> Bool {
    !["disarmed", "pending", "stopped"].contains(state)
  }

  /// What keeps balls back while armed, or what a person must know of while nothing feeds the machine.
  package struct Hold: Codable, Hashable, Sendable {
    /// One of `notSeen`, `detectorRepeats`, `notMetres`, `nearNet`, `behindNet`, `impossibleJump`,
    /// `stopOnItsWay`, `lastBall` (while it is `disarmed` or `resting`, the machine may still throw the last ball),
    /// `stopOwed` (then, it has not acknowledged the stop command that it is owed), `levelLost` and
    /// `drillLost` (while it is `disarmed` or `stopped`, the level or the drill that was loaded before the
    /// start can't be loaded, or what was loaded can't be read, and `arm` is refused).
    package var code: String
    /// The same in words.
    package var reason: String

    /// False for what is shown while nothing feeds the machine.
    package var holdsBack: Bool {
      !["stopOwed", "lastBall", "levelLost", "drillLost"].contains(code)
    }

    /// Whether it holds balls back because of what is known of the player.
    package var isOfPlayer: Bool { holdsBack && code != "stopOnItsWay" }

    package init(code: String, reason: String) {
      self.code = code
      self.reason = reason
    }
  }

  /// The stop command of the state `stopped`.
  package struct Stop: Codable, Hashable, Sendable {
    /// Every value of ``outcome``.
    package static let outcomes = [
      "pending", "confirmed", "unconfirmed", "notDelivered", "alreadyStopped",
    ]

    /// What an outcome means to people: only `stopped` says that the machine has the stop command.
    package enum Meaning: String, Hashable, Sendable, CaseIterable {
      case stopping, stopped, stopUnconfirmed, stopNotDelivered

      /// - Parameter outcome: nil while it is not known. A word of a later version confirms nothing.
      package init(outcome: String?) {
        self =
          switch outcome {
          case "confirmed", "alreadyStopped": .stopped
          case "pending", nil: .stopping
          case "notDelivered": .stopNotDelivered
          default: .stopUnconfirmed
          }
      }
    }

    /// One of `confirmed`, `unconfirmed`, `notDelivered`, `alreadyStopped` and `pending`.
    package var outcome: String
    /// The outcome in words.
    package var reason: String?

    package init(outcome: String, reason: String?) {
      self.outcome = outcome
      self.reason = reason
    }
  }

  /// One of `disarmed`, `pending` (it arms as soon as the machine is ready, because its start asked for
  /// that), `countdown`, `live`, `resting` (between two sets of a drill), `paused` and `stopped`. Balls
  /// fly in `live` alone.
  package var state: String
  package var isArmed: Bool { Self.isArmed(state) }
  /// Why, in one word; nil where the state says it all. Of `disarmed` it is `atStart`, `operator`,
  /// `silence`, `linkLoss`, `ballLimit`, `timeLimit`, `drillOver`, `reset`, `otherMachine` or `ending`; of
  /// `countdown` `arming`, `resuming`, `silence`, `linkLoss` or `rest`; of `paused` `operator`, `manual`,
  /// `silence`, `linkLoss`, `refused` for a machine that refused or did not answer three commands in a row,
  /// `clientGone` for the end of a connection that balls depended on, or `socketsGone` for sockets that
  /// were removed and can't be made again.
  package var code: String?
  /// Why, in words; nil where the state says it all.
  package var reason: String?
  /// What remains of the countdown, or of the rest before it, in seconds.
  package var remaining: Seconds?
  /// What keeps balls back although it is armed.
  package var holds: [Hold] = []
  /// The outcome of a stop that is latched.
  package var stop: Stop?
  /// Automatic balls since it was armed.
  package var balls = 0

  package init(state: String) { self.state = state }
}
