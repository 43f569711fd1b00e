import FoundationEssentials
package import MachineLink

extension Finding {
  /// Each stop command that a bridge could not get through.
  ///
  /// - Parameter isServed: whether a service runs: it sends the command as soon as it has a link.
  package static func stopsOwed(_ debts: [StopDebt], isServed: Bool) -> [Finding] {
    debts.map { debt in
      let machine = debt.address ?? "the machine"
      return Finding(
        .stopOwed,
        isServed ? .note : .problem,
        "a stop command is owed to \(machine) (\(debt.isSimulated ? "SIM" : "REAL"))"
          + " since \(debt.since.ISO8601Format())",
        isServed
          ? "switch the machine on near the box: the service sends it first"
          : "switch the machine on near the box, and run `ballmachine safe-stop`"
      )
    }
  }
}
