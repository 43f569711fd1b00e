import BlueZ
package import Clocks
package import CourtLogic

extension CommandLanes {
  /// A ball command that waits for its turn.
  package struct Slot: Hashable, Sendable {
    package let id: CommandID
    package let command: MachineCommand
    package let decidedAt: MonotonicInstant

    package init(id: CommandID, command: MachineCommand, decidedAt: MonotonicInstant) {
      self.id = id
      self.command = command
      self.decidedAt = decidedAt
    }
  }

  /// A write that has no answer yet.
  struct Write: Hashable {
    enum Purpose: Hashable {
      case ball(CommandID)
      case stop
    }

    let operation: OperationID
    let purpose: Purpose
    let mode: WriteMode
  }
}
