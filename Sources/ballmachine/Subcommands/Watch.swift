import Clocks
import ControlProtocol
import Host
import Programs
import Reports
import Terminal

/// `ballmachine watch`: what the service does, as it does it.
struct Watch: Subcommand {
  var service = ServiceOptions()

  static let usage = Usage<Self>(
    name: "watch",
    summary: "Show the court, the link and the arming live",
    options: ServiceOptions.options.within(\.service),
    details: """
      On a terminal it is a live view: the space bar or `s' stops the machine at once, as \
      `ballmachine stop' does, and shows the outcome; `q' leaves. Elsewhere, and with --json, it \
      prints a line for each change, the present state first.

      It needs the group `ballmachine', and ends when the service ends (75), at `q' or Ctrl-C \
      (0). After a stop by a key it prints the outcome, and a failed one decides its exit code, \
      unless the stop was reset meanwhile.
      """
  )

  func run(_ output: Output) async throws {
    let connection = try await ServiceConnection.open(service)
    let signals = try endSignals()
    let stopKey = StopKey { [service] in try await StopReport.perform(service) }
    var failure: (any Error)?
    do {
      let terminal = output.style == .text ? LiveTerminal() : nil
      try await withThrowingTaskGroup { group in
        group.addTask {
          for await _ in signals { return }
        }
        group.addTask {
          if let terminal {
            try await Self.show(connection, on: terminal, stopKey)
          } else {
            try await Self.report(connection, output)
          }
        }
        defer { group.cancelAll() }
        try await group.next()
        OutputThread.shared.hurry()
        group.cancelAll()
        // Output that could not be written at the end is a failure, too.
        do { try await group.waitForAll() } catch is CancellationError {}
      }
    } catch { failure = error }
    // Now the screen is the shell's again: the outcome of a stop is not lost with the view.
    switch await stopKey.settle() {
    case .known(let report):
      if let stopFailure = report.failure { throw stopFailure }
      try await output.confirm(report)
    case .failed(let error): throw error
    case .underWay, nil: break
    }
    if let failure { throw failure }
  }

  /// Draws until the service ends, `q` is pressed, or the task is cancelled.
  private static func show(
    _ service: ServiceConnection,
    on terminal: LiveTerminal,
    _ stopKey: StopKey
  ) async throws {
    // Before the screen is taken: a user without permission gets an error, and keeps the screen.
    let first = try await service.ask(.status, for: StatusRecord.self)
    let clock = SystemClock()
    let known = Locked((status: first, since: clock.now))
    try await withThrowingTaskGroup { group in
      // Apart from drawing: a service that hangs must not hide the stop.
      group.addTask {
        while true {
          do {
            let stop = stopKey.known
            let status = try await service.ask(.status, for: StatusRecord.self)
            known.withLock { $0 = (status, clock.now) }
            stopKey.learn(isStopped: status.safety.state == "stopped", askedAfter: stop)
          } catch ControlClientError.silent {
          } catch ControlClientError.cancelled { throw CancellationError() }
          try await SystemClock().sleep(for: LiveTerminal.interval)
        }
      }
      group.addTask {
        try await terminal.run { key in
          if " sS".contains(key) { stopKey.press() }
        } frame: { hasKeys in
          let (status, since) = known.withLock(\.self)
          var view = LiveViewState(status)
          view.keys = hasKeys ? .stopsAndLeaves : .endsView
          view.stop = stopKey.outcome
          view.doubt(after: since.duration(to: clock.now))
          return view.frame
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// A line for each change.
  private static func report(_ service: ServiceConnection, _ output: Output) async throws {
    _ = try await service.client.call(.subscribe())
    var changes = VisibleChanges()
    for await notification in service.client.notifications {
      switch notification {
      case .dropped(let count):
        try await output.write(DroppedReport(count: count))
      case .event(let record):
        guard let report = EventReport(record) else { continue }
        guard changes.receive(report) || output.style == .json else { continue }
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
