/// How long the machine takes to turn, which its makers don't say: a person measures it.
package struct MachineSlew: Hashable, Sendable {
  /// Seconds for one unit of the field; nil: not known, so no time is kept for it.
  package var yaw: Double?
  package var pitch: Double?

  package init(yaw: Double? = nil, pitch: Double? = nil) {
    self.yaw = yaw
    self.pitch = pitch
  }

  /// The time that the machine needs between two balls. It turns both ways at once.
  package func time(from old: MachineCommand, to new: MachineCommand) -> Duration {
    max(time(.yaw, yaw, old, new), time(.pitch, pitch, old, new))
  }

  private func time(
    _ field: MachineCommand.Field,
    _ seconds: Double?,
    _ old: MachineCommand,
    _ new: MachineCommand
  ) -> Duration {
    guard let seconds, let before = old[field], let now = new[field] else { return .zero }
    return .seconds(seconds * Double(abs(now - before)))
  }
}
