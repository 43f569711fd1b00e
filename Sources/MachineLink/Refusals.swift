/// Commands in a row that the machine refused or did not answer.
package struct Refusals: Hashable, Sendable {
  /// At least one.
  package private(set) var count = 1
  /// The last one's outcome.
  package private(set) var outcome: WriteOutcome

  package init(_ outcome: WriteOutcome) { self.outcome = outcome }

  mutating func add(_ outcome: WriteOutcome) {
    count += 1
    self.outcome = outcome
  }

  /// What is the matter.
  package var reason: String {
    let which = count == 1 ? "the last command" : "the last \(count) commands"
    return "the machine did not take \(which): \(outcome.explanation ?? outcome.word)"
  }
}

extension WriteOutcome {
  /// Whether the machine took it: false if the write was tried and failed, whichever of the machine, BlueZ
  /// and the bus's rules refused it or did not answer; nil if it was not tried, or given up by us.
  package var wasTaken: Bool? {
    switch self {
    case .delivered, .queued: true
    case .notSent(let reason):
      switch reason {
      case .rejected, .refused, .busy, .machineInUse, .noConnection: false
      case .linkNotReady, .superseded, .expired, .tooSoon, .stopPending, .linkLost, .ended,
        .notAllowed:
        nil
      }
    case .unknown(let doubt):
      switch doubt {
      case .timedOut, .linkLost, .unlikelyError, .noReply, .failed, .notRepeated: false
      case .busLost, .abandonedForStop, .ended, .unconfirmed: nil
      }
    }
  }

  /// What a technician can do; nil where that is known elsewhere, or nothing has to be done.
  package var remedy: String? {
    switch self {
    case .notSent(.rejected(let code)): ATTError(code: code).remedy
    case .notSent(.refused): "`journalctl -u bluetooth -e` may show why"
    case .notSent(.machineInUse): "end the other program"
    case .notSent(.busy):
      "end other programs that write to the machine; if there are none, switch it off and on"
    case .notSent(.noConnection), .unknown(.timedOut), .unknown(.linkLost),
      .unknown(.unlikelyError):
      "switch the machine off and on"
    case .unknown(.noReply): "run `systemctl restart bluetooth` if this persists"
    case .unknown(.notRepeated(let reason)): WriteOutcome.notSent(reason).remedy
    case .delivered, .queued, .notSent, .unknown: nil
    }
  }
}
