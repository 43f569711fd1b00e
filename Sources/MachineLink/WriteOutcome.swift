package import BlueZ
import Host

/// The outcome of a command: one of four.
package enum WriteOutcome: Hashable, Sendable {
  /// The machine's radio acknowledged it, which is not yet a ball.
  case delivered
  /// BlueZ has it and the machine's profile knows no acknowledgement.
  case queued
  /// The command has not reached the machine and never will.
  case notSent(Reason)
  /// It isn't known whether the machine has the command. It is never sent again.
  case unknown(Doubt)

  package enum Reason: Hashable, Sendable {
    case linkNotReady
    /// A newer command took the slot.
    case superseded
    /// The command's time to leave was over.
    case expired
    /// The last ball command had left too short a time before, or a stop command that may still be answered.
    case tooSoon
    /// A stop command is on its way.
    case stopPending
    case linkLost
    case ended
    /// The command is allowed no longer; the text says why.
    case notAllowed(String)
    /// Another program has the machine's characteristic for itself.
    case machineInUse
    /// BlueZ has a write to the machine in its hands already.
    case busy
    /// BlueZ has no connection to write it on, whatever its properties say; its words.
    case noConnection(String)
    /// The machine refused it with an ATT error.
    case rejected(code: UInt8)
    /// BlueZ refused it.
    case refused(String)
  }

  package enum Doubt: Hashable, Sendable {
    case timedOut
    /// The link fell with the write in flight.
    case linkLost
    /// ATT error 0x0e: the machine failed, or the link fell, or ATT's own time was over.
    case unlikelyError
    /// bluetoothd ended the call without an answer.
    case noReply
    /// The bus was lost with the write in bluetoothd's hands.
    case busLost
    /// A stop command overtook it.
    case abandonedForStop
    /// The service ended before the answer came.
    case ended
    /// The machine has not said that it does it.
    case unconfirmed(MachineAnswer)
    /// An answer that doesn't say.
    case failed(String)
    /// One of a stop command's writes may have arrived, and the last one did not.
    case notRepeated(Reason)
  }

  /// What BlueZ's answer to a write says about the command.
  package init(failure: BlueZError) {
    self =
      switch failure.kind {
      case .notConnected, .notInitiated, .serviceAbsent, .objectGone, .notReady:
        .notSent(.noConnection(failure.description))
      case .acquired, .heldElsewhere: .notSent(.machineInUse)
      case .inProgress: .notSent(.busy)
      case .notPermitted, .invalidArguments, .notSupported: .notSent(.refused(failure.description))
      // BlueZ reports it when the link falls or ATT times out, too, before it shows the fall.
      case .attribute(ATTError.unlikely): .unknown(.unlikelyError)
      case .attribute(let code): .notSent(.rejected(code: code))
      case .noReply: .unknown(.noReply)
      case .busLost: .unknown(.busLost)
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
    case .notSent(let reason): reason.description.printable
    case .unknown(let doubt): doubt.description.printable
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
    case .ended: "the program ended before the machine was ready for it"
    case .notAllowed(let text): text
    case .machineInUse: "another program writes to the machine"
    case .busy: "BlueZ is busy with another write to the machine"
    case .noConnection(let text): "BlueZ has no connection to the machine (\(text))"
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
    case .unlikelyError:
      "no acknowledgement came (ATT error 0x0e: the machine failed, or the link fell)"
    case .noReply: "bluetoothd gave no answer"
    case .busLost: "the bus was lost before the answer came"
    case .abandonedForStop: "a stop command overtook it"
    case .ended: "the link ended before the answer came"
    case .unconfirmed(.refused): "the machine's answer was: refused"
    case .unconfirmed: "the machine did not answer it"
    case .failed(let text): text
    case .notRepeated(let reason): reason.description
    }
  }
}
