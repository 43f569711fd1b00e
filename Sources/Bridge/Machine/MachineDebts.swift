import MachineLink

/// Which machine is linked, or was last, and the stop commands that are owed to this one and others.
struct MachineDebts: Hashable, Sendable {
  private var owed: OwedStops
  private var last: RememberedMachine?

  init(inherited: [StopDebt]) { owed = OwedStops(inherited: inherited) }

  /// How the machine of a link compares with that of the link before.
  enum Change {
    case sameMachine, otherMachine
    /// SIM has become REAL, or the reverse.
    case otherStack
  }

  /// Notes which machine is linked. The first one counts as the same machine.
  mutating func linked(to machine: RememberedMachine) -> Change {
    defer { last = machine }
    guard let last, !last.mayBe(machine) else { return .sameMachine }
    return last.isSimulated == machine.isSimulated ? .otherMachine : .otherStack
  }

  /// Whether a machine that is linked now first gets the stop command that it has been owed before.
  mutating func takeInherited(by machine: RememberedMachine) -> Bool { owed.takeDebt(to: machine) }

  /// Notes whether the machine of the last link is owed a stop command now.
  ///
  /// - Returns: what is to be kept on disk of that; nil: it has not changed.
  mutating func change(_ isOwed: Bool) -> (isOwed: Bool, RememberedMachine)? {
    guard let last, let isOwed = owed.change(isOwed, to: last) else { return nil }
    return (isOwed, last)
  }
}
