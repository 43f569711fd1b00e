package import Clocks
package import CourtLogic
package import MachineLink

extension BallMachineLink {
  /// Sends one ball command, whose answer is of no interest.
  package func send(
    _ command: MachineCommand,
    decidedAt: MonotonicInstant
  ) async -> WriteOutcome {
    await launch(command, decidedAt: decidedAt).outcome
  }
}
