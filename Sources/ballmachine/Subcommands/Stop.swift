import Programs
import Reports

/// `ballmachine stop`: no more balls, at once.
struct Stop: Subcommand {
  var service = ServiceOptions()

  static let usage = Usage<Self>(
    name: "stop",
    summary: "Stop the machine, and keep it stopped until it is reset",
    options: ServiceOptions.options.within(\.service),
    details: """
      Every user of the box may stop an installed service, or a bridge that root has started; only \
      root and the user who started it may stop any other bridge. The bridge sends no more balls, \
      sends the stop command to the machine, and stays stopped until `ballmachine reset'.

      The result is one of these: the machine has acknowledged the stop command, or was stopped \
      already (it ends with 0); the command was written, but not acknowledged (75); the command \
      did not reach the machine (69). Unless it ends with 0, use the machine's switch. The switch \
      is the emergency stop in any case.

      It connects to stop.sock in the bridge's folder, to the name that the bridge has though that \
      folder is gone, or to control.sock. If no bridge is there, or another process has its machine, \
      it stops each process that has a machine. Any user can claim a machine. So an answer from \
      another user's process, unless that is root or the service's user, is reported as that \
      user's claim, and the command ends with 75. \
      Where no bridge can be reached, it says so, and what stops the machine instead. It never \
      reaches a simulation; with --simulate it reaches only that.
      """
  )

  /// No more than a stop needs to reach the service.
  static var openFiles: Int { 8 }

  func run(_ output: Output) async throws {
    let report = try await StopReport.aloud { try await StopReport.perform(service) }
    try await report.confirm(to: output)
  }
}
