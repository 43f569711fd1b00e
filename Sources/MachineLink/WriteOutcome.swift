package import BlueZ

/// The outcome of a command: one of four.
package enum WriteOutcome: Hashable, Sendable {
  /// The machine's radio acknowledged it, which is not yet a ball.
  case delivered
  /// BlueZ has it and the machine's profile knows no acknowledgement.
  case queued
  /// It has not reached the machine and never will.
  case notSent(Reason)
  /// It isn't known whether the machine has it. It is never sent again.
  case unknown(Doubt)

  package enum Reason: Hashable, Sendable {
    case linkNotReady
    /// A newer command took the slot.
    case superseded
    /// Its time to leave was over.
    case expired
    /// The last ball command had left too short a time before, or a stop command that may still be answered.
    case tooSoon
    /// A stop command is on its way.
    case stopPending
    case linkLost
    case ended
    /// It is allowed no longer; the text says why.
    case notAllowed(String)
    /// Another program writes to the machine.
    case machineInUse
    /// The machine refused it with an ATT error.
    case rejected(code: UInt8)
    /// BlueZ refused it.
    case refused(String)
  }

  package enum Doubt: Hashable, Sendable {
    case timedOut
    /// The link fell with the write in flight.
    case linkLost
    /// bluetoothd died with the write in its hands.
    case serviceLost
    /// A stop command overtook it.
    case abandonedForStop
    /// The service ended before the answer came.
    case ended
    /// The machine has not said that it does it.
    case unconfirmed(MachineAnswer)
    /// An answer that doesn't say.
    case failed(String)
  }

  /// What BlueZ's answer to a write says about the command.
  package init(failure: BlueZError) {
    self =
      switch failure.kind {
      case .notConnected, .notInitiated, .serviceAbsent, .objectGone, .notReady:
        .notSent(.linkLost)
      case .acquired, .inProgress: .notSent(.machineInUse)
      case .notPermitted, .invalidArguments, .notSupported: .notSent(.refused(failure.description))
      // 0x0e is what BlueZ reports when the link falls or ATT times out with the write pending.
      case .attribute(0x0e): .unknown(.linkLost)
      case .attribute(let code): .notSent(.rejected(code: code))
      case .serviceLost, .busLost: .unknown(.serviceLost)
      case .timedOut: .unknown(.timedOut)
      default: .unknown(.failed(failure.description))
      }
  }

  /// Whether the machine has it, as far as a write can show.
  package var isWritten: Bool { self == .delivered || self == .queued }

  /// Whether the machine may have it.
  package var mayHaveArrived: Bool { if case .notSent = self { false } else { true } }

  /// One word, for logs and machines.
  package var word: String {
    switch self {
    case .delivered: "delivered"
    case .queued: "queued"
    case .notSent: "notSent"
    case .unknown: "unknown"
    }
  }

  /// Why, in plain words; nil when there is nothing to say.
  package var explanation: String? {
    switch self {
    case .delivered, .queued: nil
    case .notSent(let reason): reason.description
    case .unknown(let doubt): doubt.description
    }
  }
}

extension WriteOutcome.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .linkNotReady: "the machine is not connected"
    case .superseded: "a newer command took its place"
    case .expired: "it was too late to send it"
    case .tooSoon: "it came too soon after the last command"
    case .stopPending: "a stop command goes first"
    case .linkLost: "the link to the machine was lost before it left"
    case .ended: "the link had ended"
    case .notAllowed(let text): text
    case .machineInUse: "another program writes to the machine"
    case .rejected(let code):
      "the machine refused it (ATT error \(ATTError(code: code).number), "
        + "\(ATTError(code: code).words))"
    case .refused(let text): "BlueZ refused it (\(text))"
    }
  }
}

extension WriteOutcome.Doubt: CustomStringConvertible {
  package var description: String {
    switch self {
    case .timedOut: "no answer within the deadline"
    case .linkLost: "the link was lost before the answer came"
    case .serviceLost: "bluetoothd was lost before the answer came"
    case .abandonedForStop: "a stop command overtook it"
    case .ended: "the link ended before the answer came"
    case .unconfirmed(.refused): "the machine's answer was: refused"
    case .unconfirmed: "the machine did not answer it"
    case .failed(let text): text
    }
  }
}
