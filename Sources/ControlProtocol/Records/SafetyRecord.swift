/// Whether balls may fly, and why or why not, at one moment.
package struct SafetyRecord: Codable, Hashable, Sendable {
  /// Every value of ``state``.
  package static let states = [
    "disarmed", "pending", "countdown", "live", "resting", "paused", "stopped",
  ]

  /// Whether a training session goes on in this state, from arming to disarming or stop.
  package static func isArmed(_ state: String) -> Bool {
    !["disarmed", "pending", "stopped"].contains(state)
  }

  /// What keeps balls back while armed. While nothing feeds the machine: `stopOwed` and `lastBall`, what may
  /// still come; `levelLost` and `drillLost`, what keeps it from arming.
  package struct Hold: Codable, Hashable, Sendable {
    package var code: String
    package var reason: String

    /// False for what is shown while nothing feeds the machine.
    package var holdsBack: Bool {
      !["stopOwed", "lastBall", "levelLost", "drillLost"].contains(code)
    }

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

    /// What came of the stop, as ``StopRecord/outcome`` says it, or `pending`.
    package var outcome: String
    package var reason: String?

    package init(outcome: String, reason: String?) {
      self.outcome = outcome
      self.reason = reason
    }
  }

  /// One of ``states``.
  package var state: String
  package var isArmed: Bool { Self.isArmed(state) }
  /// Why, for programs; nil where the state says it all.
  package var code: String?
  /// Why, for people; nil where the state says it all.
  package var reason: String?
  /// The rest of the countdown, in seconds.
  package var remaining: Double?
  package var holds: [Hold] = []
  package var stop: Stop?
  /// Automatic balls since it was armed.
  package var balls = 0

  package init(state: String) { self.state = state }
}
