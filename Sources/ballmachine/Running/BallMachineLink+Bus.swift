import MachineLink

extension BallMachineLink {
  /// Waits for the bus's first answer.
  ///
  /// - Returns: whether there is none. A bus that is lost later comes back; one that was never there
  ///   is more likely a wrong address.
  func busIsMissing() async -> Bool {
    for await status in statuses() {
      if case .busUnreachable = status.fault { return true }
      // Only the bus can tell these.
      if status.fault != nil || status.isSimulated != nil { return false }
    }
    return false
  }
}
