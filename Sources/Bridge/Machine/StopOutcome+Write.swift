package import Host
package import MachineLink
package import Safety

extension StopOutcome {
  /// The stop's outcome, from the outcome of writing the stop command.
  ///
  /// - Parameter holder: another process that has the machine.
  package init(_ outcome: WriteOutcome, against holder: MachineHolder? = nil) {
    self =
      switch outcome {
      case .delivered where holder != nil: .contested(reason: holder?.whatToDo ?? "")
      case .delivered: .confirmed
      case .queued: .unconfirmed
      case .unknown(let doubt):
        switch doubt {
        case .ended, .timedOut, .unconfirmed, .abandonedForStop: .unconfirmed
        case .linkLost, .unlikelyError, .noReply, .busLost, .failed, .notRepeated:
          .unknown(reason: outcome.advisedExplanation)
        }
      case .notSent: .notDelivered(reason: outcome.advisedExplanation)
      }
  }
}

extension WriteOutcome {
  /// Why, and what to do about it.
  fileprivate var advisedExplanation: String {
    [explanation ?? word, remedy].compactMap(\.self).joined(separator: "; ")
  }
}
