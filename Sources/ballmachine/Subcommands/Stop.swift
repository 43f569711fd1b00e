import Programs

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

      It connects to stop.sock or, if that is missing, to control.sock, in each folder where a \
      bridge may be: its own user's, and that of the user whose process controls the machine. It \
      trusts no answer from another user's process there. Any user can take the lock that shows \
      which process controls the machine. So an answer from that user's folder, unless the user \
      is root or the caller, is reported as that user's claim, and the command ends with 75. \
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
