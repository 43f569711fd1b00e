import CourtLogic
package import Safety

// What people are told of safety's states and codes, at a command line, on a page and in an office.

extension SafetyState {
  /// Why, in plain words; nil where the word says it all.
  package var reason: String? {
    switch self {
    case .disarmed(let reason):
      switch reason {
      case .atStart: "every start is disarmed"
      case .byHand: "a user disarmed it"
      case .silence: "no player was seen for too long"
      case .linkLoss: "the machine was away for too long"
      case .otherMachine: "another machine is linked now, or SIM and REAL have changed"
      case .ballLimit: "the number of balls is reached"
      case .timeLimit: "the time is over"
      case .drillOver: "the drill is over"
      case .reset: "the stop was reset"
      case .ending: "the service is ending"
      }
    case .pending: "it arms itself as soon as the machine is ready, unless it is disarmed"
    case .countdown(_, let reason):
      switch reason {
      case .arming: "balls fly when it ends"
      case .resuming: "feeding continues when it ends"
      case .silence: "a player is seen again"
      case .linkLoss: "the machine is back"
      case .rest: "the next set begins when it ends"
      }
    case .paused(let reason):
      switch reason {
      case .byHand: "a user paused it"
      case .manual: "a command was sent by hand"
      case .silence: "no player is seen"
      case .linkLoss: "the machine is away"
      case .refused:
        "the machine did not take \(SafetyRules.mostRefusals) commands in a row:"
          + " resume once it takes commands again"
      case .clientGone:
        "the client that armed it has gone: look at the court, then resume or disarm"
      case .socketsGone: Self.socketsGone
      }
    case .stopped(let outcome):
      outcome?.description ?? "the stop command is on its way"
    case .resting: "a countdown to the next set follows"
    case .live:
      nil
    }
  }

  fileprivate static let socketsGone =
    "the service's sockets were removed and can't be made again, so that no new client reaches it:"
    + " `journalctl -u ballmachine -e` says why; restart it"
}

extension SafetyHold: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notSeen: "no player is seen"
    case .detectorRepeats: "the detector repeats itself: look whether it still works"
    case .notMetres(let misfit): misfit.hold
    case .nearNet(let limit): "the player is nearer to the net than \(limit) m"
    case .behindNet: "a person is on the machine's side of the net"
    case .impossibleJump(let limit): "the player seems to have moved faster than \(limit) m/s"
    case .stopOnItsWay: "a stop command is on its way to the machine"
    case .stopOwed: "the machine is still owed a stop command: to be sure, use its switch"
    case .lastBall: "the machine may still throw the last ball"
    case .trainingLost(let lost): lost.hold
    }
  }
}

extension SafetyRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .stopLatched: "stop is latched: reset first"
    case .overtaken: "a stop came in after this was asked: look at the court, then ask again"
    case .notArmed: "it is not armed: arm first"
    case .paused: "it is armed, but paused: resume instead"
    case .notPaused: "it goes on already, with another countdown: pause first"
    case .armed(let label): "it is armed\(label.map { ", for \($0)" } ?? ""): disarm first"
    case .notStopped: "there is no stop to reset"
    case .linkNotReady: "the machine is not connected: try again when it is"
    case .playerNotSeen:
      "no player is seen: feeding continues after a countdown, once one is seen"
    case .countdownOutOfRange:
      "a countdown takes \(SafetyRules.countdowns.lowerBound.components.seconds) to"
        + " \(SafetyRules.countdowns.upperBound.components.seconds) s"
    case .tooSoon(let wait):
      "the last ball has only just left: try again in \(wait.upToTenths) s"
    case .ballOnItsWay: "the last command is still on its way: try again when it has an outcome"
    case .stopOnItsWay: "a stop command is on its way: try again when it has an outcome"
    case .outsideLimits(let error): "\(error)"
    case .clientGone:
      "the connection has ended, and no ball may fly without it: ask on one that stays open"
    case .trainingLost(let lost): lost.refusal
    case .socketsGone: SafetyState.socketsGone
    case .ending: "the service is ending"
    }
  }
}

extension LostTraining {
  /// What is lost, as the beginning of a sentence.
  fileprivate var loss: String {
    switch self {
    case .level(let level): "the level \(level.rawValue) is lost"
    case .drill(let name, let level):
      "the drill \(name)\(level.map { " (\($0.rawValue))" } ?? "") is lost"
    case .unknown: "what was loaded before can't be read"
    }
  }

  fileprivate var hold: String {
    switch self {
    case .level: "\(loss): it arms once a reload finds it, or one is chosen, or none"
    case .drill: "\(loss): it arms once a reload finds it, or another one is chosen, or none"
    case .unknown: "\(loss): it arms once a level is chosen, or none"
    }
  }

  fileprivate var refusal: String {
    switch self {
    case .level:
      "\(loss): run `ballmachine reload` once the command table has it, or choose one that it has,"
        + " or none: `ballmachine level --none`"
    case .drill:
      "\(loss): run `ballmachine reload` once its file and the command table allow it, or choose another one,"
        + " or none: `ballmachine drill --none`"
    case .unknown:
      "what was loaded before the start can't be read, and it may have been a beginner's level: choose a"
        + " level, or none: `ballmachine level --none`"
    }
  }
}

extension FrameMisfit {
  fileprivate var hold: String {
    let all =
      switch self {
      case .fractions: "all lie between 0 and 1"
      case .farAway: "all lie more than 10 m from the player's half"
      }
    return
      "the positions can't be metres of this court (\(all)): set positions.units, origin, axes or"
      + " scale, or have the feeder declare them"
  }
}

extension StopOutcome: CustomStringConvertible {
  package var description: String {
    switch self {
    case .confirmed: "the machine has acknowledged the stop command"
    case .unconfirmed:
      "the stop command was written, but not acknowledged: look at the machine, and use its switch"
    case .unknown(let reason):
      "it is NOT KNOWN whether the stop command reached the machine (\(reason)): look at the machine,"
        + " and use its switch"
    case .notDelivered(let reason):
      "the stop command did NOT reach the machine (\(reason)): use its switch"
    case .contested(let reason):
      "the machine has acknowledged the stop command, but balls may follow: \(reason);"
        + " use the machine's switch if it moves"
    case .alreadyStopped: "it was stopped already"
    }
  }
}

extension Duration {
  /// Seconds with one decimal, rounded up: to wait so long is enough.
  fileprivate var upToTenths: String {
    let tenths = Int((max(self, .zero) / .milliseconds(100)).rounded(.up))
    return "\(tenths / 10).\(tenths % 10)"
  }
}
