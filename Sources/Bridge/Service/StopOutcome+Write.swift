package import MachineLink
package import Safety

extension StopOutcome {
  /// The stop's outcome, from the outcome of writing the stop command.
  package init(_ outcome: WriteOutcome) {
    self =
      switch outcome {
      case .delivered: .confirmed
      case .queued, .unknown: .unconfirmed
      case .notSent(let reason): .notDelivered(reason: reason.description)
      }
  }
}
