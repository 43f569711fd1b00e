package import Host
package import MachineLink

extension Finding {
  /// A finding for each stop command that a bridge could not deliver.
  ///
  /// - Parameter isServed: whether a service runs: it sends the command as soon as it has a link.
  package static func stopsOwed(_ debts: [StopDebt], isServed: Bool) -> [Finding] {
    debts.map { debt in
      let machine = debt.address ?? "the machine"
      return Finding(
        .stopOwed,
        isServed ? .note : .problem,
        "a stop command is owed to \(machine) (\(debt.isSimulated ? "SIM" : "REAL"))"
          + " since \(debt.since.iso8601)",
        isServed
          ? "switch the machine on near the box: the service sends it first"
          : "switch the machine on near the box, and run `ballmachine safe-stop`"
      )
    }
  }

  /// - Parameter directory: this user may not read it.
  package static func stopsUnknown(in directory: StateDirectory) -> Finding {
    .note(
      .stopUnknown,
      "whether a stop command is owed is not known: this user may not read \(directory.path)",
      "run it as root"
    )
  }
}
