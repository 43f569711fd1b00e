import Doctor
import Host
import Options
import Programs

/// `ballmachine doctor`: what keeps this box from reaching its machine.
struct Doctor: AdapterSubcommand {
  var configuration = ConfigurationOptions()
  var machine = MachineOptions()
  var connects = false
  var needsAdapter: Bool { false }

  static let usage = Usage<Self>(
    name: "doctor",
    summary: "Find out why the machine can't be reached",
    options: ConfigurationOptions.options.within(\.configuration)
      + MachineOptions.linkOptions.within(\.machine) + [
        .flag(
          "connect",
          \.connects,
          "Also scan for the machine and connect to it, without sending it anything"
        )
      ],
    details: """
      It checks the configuration and its command table, the D-Bus daemon, bluetoothd, the \
      kernel's Bluetooth adapters, the switches that block them (rfkill), the adapters as \
      bluetoothd shows them, the machine, the lock of a running bridge, stop commands that are \
      owed, the service, its sockets and groups, the disk space for its logs, the board's supply and \
      clock, the camera, if there is a calibration, and the page for phones and the court on a broker, if their services are \
      enabled or were started. `ok' means as it should be, `note' worth knowing, `problem' not \
      working; the line below a finding says what to do.

      It switches and writes nothing, and does not look for the machine. Only where no bridge runs \
      and nothing is connected, it begins a scan for an instant, to see whether bluetoothd's signals \
      arrive. So it can't find out whether the machine is on and in range. With --connect it can: it scans, connects, looks for the \
      command characteristic, and disconnects. It writes nothing to the machine, and does none of \
      this while a bridge runs or another program is connected to it. A service that runs tells \
      whether its own link works.

      It ends with 0 if there is no problem. Otherwise the first problem decides: 78 for the \
      configuration and its table, 77 if only the permission is missing, 69 for all others.
      """
  )

  func run(_ output: Output) async throws {
    let signals = try endSignals()
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
    guard let result else { throw Failure(.temporary, "interrupted before all checks were done") }
    for finding in result.findings + result.others {
      try await output.write(FindingReport(finding: finding))
    }
    let summary = DoctorSummary(result)
    if summary.problems == 0 || output.style == .json { try await output.write(summary) }
    try summary.check()
  }
}
