/// What is sent for a player who is out of court.
package enum Fallback: Hashable, Sendable {
  /// The table's command for this zone.
  case zone(Zone)
  case command(MachineCommand)
}

extension CommandTable {
  package func command(for fallback: Fallback) -> MachineCommand {
    switch fallback {
    case .zone(let zone): self[zone]
    case .command(let command): command
    }
  }
}

extension Zone {
  /// Out of court means its command unless another fallback is configured.
  package static let fallback = Zone(row: 1, column: 1)!
}
