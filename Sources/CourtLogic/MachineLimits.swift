/// The values that one machine takes, field by field. What lies outside is refused, never changed
/// to fit; the stop command is exempt.
package struct MachineLimits: Hashable, Sendable {
  package var upperMotor = MachineCommand.Field.upperMotor.range
  package var lowerMotor = MachineCommand.Field.lowerMotor.range
  package var pitch = MachineCommand.Field.pitch.range
  package var yaw = MachineCommand.Field.yaw.range

  /// Whatever fits into the digits.
  package static let widest = MachineLimits()

  package init(
    upperMotor: ClosedRange<Int> = MachineCommand.Field.upperMotor.range,
    lowerMotor: ClosedRange<Int> = MachineCommand.Field.lowerMotor.range,
    pitch: ClosedRange<Int> = MachineCommand.Field.pitch.range,
    yaw: ClosedRange<Int> = MachineCommand.Field.yaw.range
  ) {
    self.upperMotor = upperMotor
    self.lowerMotor = lowerMotor
    self.pitch = pitch
    self.yaw = yaw
  }

  package subscript(field: MachineCommand.Field) -> ClosedRange<Int> {
    switch field {
    case .upperMotor: upperMotor
    case .lowerMotor: lowerMotor
    case .pitch: pitch
    case .yaw: yaw
    }
  }

  /// Returns if the machine takes the command.
  package func check(_ command: MachineCommand) throws(MachineLimitError) {
    if command == .stop { return }
    for field in MachineCommand.Field.allCases where !self[field].contains(command[field]) {
      throw MachineLimitError(field: field, value: command[field], allowed: self[field])
    }
  }
}

/// A field of a command that the machine doesn't take.
package struct MachineLimitError: Error, Hashable, Sendable, CustomStringConvertible {
  package let field: MachineCommand.Field
  package let value: Int
  package let allowed: ClosedRange<Int>

  package init(field: MachineCommand.Field, value: Int, allowed: ClosedRange<Int>) {
    self.field = field
    self.value = value
    self.allowed = allowed
  }

  package var description: String {
    "\(field.rawValue) \(value) is outside this machine's limits,"
      + " \(allowed.lowerBound) to \(allowed.upperBound)"
  }
}
