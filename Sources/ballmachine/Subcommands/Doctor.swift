import Doctor

/// `ballmachine doctor`: what keeps this box from reaching its machine.
struct Doctor: Subcommand {
  var configuration = ConfigurationOptions()
  var machine = MachineOptions()
  var connects = false
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "doctor",
    summary: "Tell what keeps the machine from being reached",
    options: ConfigurationOptions.options.within(\.configuration)
      + MachineOptions.linkOptions.within(\.machine) + [
        .flag(
          "connect",
          \.connects,
          "Also scan for the machine and connect to it, without sending it anything"
        )
      ] + OutputOptions.options.within(\.output),
    details: """
      It looks at the configuration and its command table, the D-Bus daemon, bluetoothd, the \
      kernel's Bluetooth adapters, the switches that block them (rfkill), the adapters as \
      bluetoothd shows them, the machine, the lock of a bridge that runs, stop commands that are \
      owed, the service, its sockets and groups, and the room for its logs. `ok' is as it should \
      be, `note' worth knowing, and a `problem' something that does not work; below it stands what \
      to do.

      It only looks: nothing is scanned for, switched or written. So it can't tell whether the \
      machine is on and in range. With --connect it can: it scans, connects, looks at what the \
      machine has for commands, and disconnects; it writes nothing to the machine, and leaves all \
      that alone while a bridge runs or another program is connected to it.

      It ends with 0 when there is no problem; else as the first problem says: 78 for the \
      configuration and its table, 77 when only the permission is missing, 69 for all others.
      """
  )

  func validate() throws(UsageError) {
    try machine.validate()
  }

  func run(_ output: Output) async throws {
    let endSignals = try EndSignals()
    defer { withExtendedLifetime(endSignals) {} }
    let signals = endSignals.signals
    let examination = Examination(
      configuration: configuration,
      machine: machine,
      connects: connects
    )
    let result = await withTaskGroup(of: Examination.Result?.self) { group in
      group.addTask { await examination.result() }
      group.addTask {
        for await _ in signals { return nil }
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      // Waits until a connection on trial has ended.
      await group.waitForAll()
      return first
    }
    guard let result else { throw Failure(.temporary, "ended before it was through") }
    for finding in result.findings { try await output.write(FindingReport(finding: finding)) }
    let summary = DoctorSummary(result.findings, isSimulated: result.isSimulated)
    if summary.problems == 0 || output.style == .json { try await output.write(summary) }
    try summary.check()
  }
}
