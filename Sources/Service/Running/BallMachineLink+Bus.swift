import MachineLink

extension BallMachineLink {
  /// Waits for the bus's first answer.
  ///
  /// - Returns: whether the bus is unreachable. A bus that is lost later comes back; a bus that was
  ///   never there is more likely a wrong address.
  func busIsMissing() async -> Bool {
    for await status in statuses() {
      if case .busUnreachable = status.fault { return true }
      // Either is known only if the bus has answered.
      if status.fault != nil || status.isSimulated != nil { return false }
    }
    return false
  }
}
