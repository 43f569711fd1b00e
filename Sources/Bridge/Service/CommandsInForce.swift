package import CourtLogic

/// The commands that are sent now.
package struct CommandsInForce: Hashable, Sendable {
  package var table: CommandTable
  /// For a player out of court.
  package var fallback: MachineCommand
  /// What stops the machine.
  package var stop: MachineCommand

  package init(table: CommandTable, fallback: MachineCommand, stop: MachineCommand = .stop) {
    self.table = table
    self.fallback = fallback
    self.stop = stop
  }
}
