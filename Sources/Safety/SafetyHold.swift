package import CourtLogic

/// Why no ball leaves although the bridge is armed, or, while nothing feeds the machine, what it may still
/// throw or is still to get. A hold ends by itself, when its cause does.
package enum SafetyHold: Hashable, Sendable {
  /// No player has been seen for a second.
  case notSeen
  /// The detector repeats itself: whether the player is still there is not known.
  case detectorRepeats
  /// The detector's positions can't be metres of this court.
  case notMetres(FrameMisfit)
  /// The player is nearer to the net than so many metres.
  case nearNet(limit: Double)
  /// The player is on the machine's side of the net.
  case behindNet
  /// The player seems to have moved faster than so many metres a second.
  case impossibleJump(limit: Double)
  /// The machine is still to get a stop command.
  case stopOnItsWay
  /// Disarmed, and the machine has not acknowledged the stop command that it is owed.
  case stopOwed
  /// The machine may not have thrown the last ball yet.
  case lastBall
  /// Disarmed or stopped, and this, which was loaded before the start, is not loaded.
  case trainingLost(LostTraining)

  /// For machines.
  package var code: String {
    switch self {
    case .notSeen: "notSeen"
    case .detectorRepeats: "detectorRepeats"
    case .notMetres: "notMetres"
    case .nearNet: "nearNet"
    case .behindNet: "behindNet"
    case .impossibleJump: "impossibleJump"
    case .stopOnItsWay: "stopOnItsWay"
    case .stopOwed: "stopOwed"
    case .lastBall: "lastBall"
    case .trainingLost(let lost): lost.code
    }
  }
}
