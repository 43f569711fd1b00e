/// `ballmachine stop`: no more balls, at once.
struct Stop: Subcommand {
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "stop",
    summary: "Stop the machine, and keep it stopped until somebody resets it",
    options: OutputOptions.options.within(\.output),
    details: """
      Anybody on the box may stop an installed service, and a bridge that root has started; the \
      bridge of a user, only that user and root. It sends no more balls, sends the stop command \
      to the machine, and stays so until `ballmachine reset'.

      It tells what is known: the machine has acknowledged the stop command, or was stopped \
      already (it ends with 0); the command was written, but nobody acknowledged it (75); or it did \
      not reach the machine (69). Unless it ends with 0, use the machine's switch. The switch is \
      the emergency stop in any case.

      It asks on stop.sock and, should that be missing, on control.sock, in each folder where a \
      bridge may be: its own user's, and that of the user whose process controls the machine. What \
      a stranger's process answers there is not believed. Any user can take the lock that shows \
      which process that is: an answer from that user's folder, unless the user is root or the \
      caller, is told as that user's word, and the command ends with 75. Where no bridge can be \
      reached it says so, and what stops the machine instead.
      """
  )

  /// No more than a stop needs to reach the service.
  static var openFiles: Int { 8 }

  func run(_ output: Output) async throws {
    let report = try await StopReport.perform()
    // People see it once: here, or as an error.
    if report.failure == nil || output.style == .json { try await output.tell(report) }
    if let failure = report.failure { throw failure }
  }
}
