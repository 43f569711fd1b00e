import ControlProtocol
package import Host
package import MachineLink
package import Programs

extension Finding {
  /// A finding for each stop command that is on the disk as owed.
  ///
  /// The first ball of a session owes it, and it is sent when the session ends: while that is so, all is
  /// as it should be.
  ///
  /// - Parameters:
  ///   - answer: of the service; nil: there is no place for one.
  ///   - holder: another `ballmachine` process that has the right to write to the machine.
  package static func stopsOwed(
    _ debts: [StopDebt],
    answer: ServiceAnswer?,
    holder: Int32? = nil
  ) -> [Finding] {
    debts.map { debt in
      let machine = debt.address ?? "the machine"
      let mode = debt.isSimulated ? "SIM" : "REAL"
      let text = "a stop command is owed to \(machine) (\(mode)) since \(debt.since.iso8601)"
      let near = "switch the machine on near the box"
      guard let answer, answer.isThere else {
        guard let holder else {
          return .problem(.stopOwed, text, "\(near), and run `ballmachine safe-stop`")
        }
        return .ok(
          .stopOwed,
          "process \(holder) drives \(machine) (\(mode)): it owes a stop command"
        )
      }
      guard case .state(let state) = answer else {
        return .note(.stopOwed, text, "\(near): the service sends it first")
      }
      guard let link = state.link, let arming = state.arming else {
        return .note(
          .stopOwed,
          "\(text): that is right while a session goes on, which this user may not see"
        )
      }
      guard link.isReady(for: debt, of: state.hello) else {
        return .note(.stopOwed, text, "\(near): the service sends it first")
      }
      guard SafetyRecord.isArmed(arming) || arming == "pending" || state.holds.contains("lastBall")
      else {
        return .note(
          .stopOwed,
          "\(text): the machine is connected, but has not acknowledged it",
          "look whether it has stopped; its own switch stops it in any case"
        )
      }
      return .ok(
        .stopOwed,
        "a session with \(machine) (\(mode)) goes on: its end sends the stop command"
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

extension LinkRecord {
  /// Whether a command would reach the machine that is owed the stop.
  fileprivate func isReady(for debt: StopDebt, of hello: HelloRecord) -> Bool {
    isReady && (mode ?? hello.mode) == (debt.isSimulated ? "SIM" : "REAL")
      && (debt.address == nil || debt.address == machine)
  }

  /// Whether the machine takes commands.
  var isReady: Bool { state == "ready" }
}
