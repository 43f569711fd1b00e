import BlueZ

// A stop command that an earlier program owes goes to the machine that it names, adopted or not. That
// machine gets nothing more.

extension LinkStateMachine {
  /// What this run knows of stop commands that earlier ones owe.
  struct OwedStopVisits: Hashable, Sendable {
    /// The machines that have had theirs, as far as this run can do anything about it.
    var done: Set<BluetoothAddress> = []
    /// The machine of the last link that was for its stop command alone.
    var visited: RememberedMachine?
    /// Whether it was asked for, on this link or before.
    var isAsked = false
  }

  /// Whether the device is named by a stop command that is owed.
  func isOwedStop(_ device: Device) -> Bool {
    !owed.done.contains(device.address)
      && configuration.owedStops.contains { $0.names(device, isSimulated: isSimulated) }
  }

  /// The stop command has its outcome, or was not asked for. The link had no other purpose.
  mutating func leaveAfterStop(_ ready: Ready) {
    guard let device = levels.tree?.devices[ready.target.device] else { return }
    owed.done.insert(device.address)
    letGo(of: device)
    lanes.close(.linkLost, &effects)
    backOff(ready, until: now)
  }
}
