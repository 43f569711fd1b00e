import ControlProtocol

/// `ballmachine watch`: what the service does, as it does it.
struct Watch: Subcommand {
  var service = ServiceOptions()
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "watch",
    summary: "Show the court, the link and the arming live",
    options: ServiceOptions.options.within(\.service)
      + OutputOptions.options.within(\.output),
    details: """
      On a terminal it is a live view. Elsewhere, and with --json, it prints a line for each \
      change, the present state first.

      It needs the group `ballmachine', changes nothing, and ends when the service ends (75) or \
      at Ctrl-C (0).
      """
  )

  /// Ten frames a second.
  private static let interval = Duration.milliseconds(100)

  func run(_ output: Output) async throws {
    let service = try await ServiceConnection.open(service)
    let endSignals = try EndSignals()
    defer { withExtendedLifetime(endSignals) {} }
    let terminal = output.style == .text ? LiveTerminal() : nil
    try await withThrowingTaskGroup { group in
      group.addTask { [signals = endSignals.signals] in
        for await _ in signals { return }
      }
      group.addTask {
        if let terminal {
          try await Self.show(service, on: terminal)
        } else {
          try await Self.report(service, output)
        }
      }
      defer { group.cancelAll() }
      try await group.next()
      OutputThread.shared.hurry()
      group.cancelAll()
      // Output that could not be written at the end is a failure, too.
      do { try await group.waitForAll() } catch is CancellationError {}
    }
  }

  /// Draws until the service ends or the task is cancelled.
  private static func show(_ service: ServiceConnection, on terminal: LiveTerminal) async throws {
    // Before the screen is taken: a user without permission gets an error, and keeps the screen.
    var status = try await service.ask(.status, for: StatusRecord.self)
    terminal.enter()
    defer { terminal.leave() }
    while true {
      var view = LiveViewState(status)
      view.keys = "Ctrl-C ends this view, not the service. `ballmachine stop' stops the machine."
      await terminal.show(view)
      guard (try? await Task.sleep(for: interval)) != nil else { return }
      do { status = try await service.ask(.status) } catch ControlClientError.cancelled { return }
    }
  }

  /// A line for each change.
  private static func report(_ service: ServiceConnection, _ output: Output) async throws {
    _ = try await service.client.call(.subscribe())
    var lastLink: String?
    for await notification in service.client.notifications {
      switch notification {
      case .dropped(let count):
        try await output.write(DroppedReport(count: count))
      case .event(let record):
        guard let report = EventReport(record) else { continue }
        // People get only what they would see as a change, not a new signal strength.
        if let link = report.linkText?.summary {
          guard output.style == .json || link != lastLink else { continue }
          lastLink = link
        }
        try await output.write(report)
      }
    }
    guard !Task.isCancelled else { return }
    throw ControlClientError.lost
  }
}

/// Events that were missed because this program was too slow to take them.
struct DroppedReport: Report {
  var event = "dropped"
  var count: Int

  var text: String { "\(counted(count, "event")) missed: this reader was too slow" }
}
