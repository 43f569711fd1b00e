import Clocks
import ControlProtocol
import Host
import Programs
import Reports
import Terminal

/// `ballmachine watch`: what the service does, as it does it.
struct Watch: Subcommand {
  var service = ServiceOptions()
  var feed = false

  static let usage = Usage<Self>(
    name: "watch",
    summary: "Show the court, the link and the arming live",
    options: ServiceOptions.options.within(\.service) + [
      .flag("feed", \.feed, "Show what feeders of positions send, and what becomes of it")
    ],
    details: """
      On a terminal it is a live view: the space bar or `s' stops the machine at once, as \
      `ballmachine stop' does, and shows the outcome; `q' leaves. Elsewhere, and with --json, it \
      prints a line for each change, the present state first.

      With --feed it shows each source of positions, which is a feeder, or one `id' of a feeder: its \
      last position, how old that is, positions a second, and the latency. The player's source is \
      marked. Below are the lines that were refused or not taken in time, and what holds balls back. \
      The latency is the time from a line's `t' to its arrival. It is known where `t' is the wall \
      clock: seconds since 1970, within an hour of this box's time, or a date with its zone. \
      Elsewhere, and with --json, --feed prints a line once a second while something changes.

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
          switch (terminal, feed) {
          case (let terminal?, true):
            try await Self.show(FeedView.self, of: connection, on: terminal, stopKey)
          case (let terminal?, false):
            try await Self.show(LiveViewState.self, of: connection, on: terminal, stopKey)
          case (nil, true): try await Self.reportFeed(of: connection, output)
          case (nil, false): try await Self.report(connection, output)
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
  private static func show<View: ServiceView>(
    _ kind: View.Type,
    of service: ServiceConnection,
    on terminal: LiveTerminal,
    _ stopKey: StopKey
  ) async throws {
    // Before the screen is taken: a user without permission gets an error, and keeps the screen.
    let first = try await service.ask(View.request, for: View.Answer.self)
    let clock = SystemClock()
    let known = Locked((answer: first, since: clock.now))
    try await withThrowingTaskGroup { group in
      // Apart from drawing: a service that hangs must not hide the stop.
      group.addTask {
        while true {
          do {
            let stop = stopKey.known
            let answer = try await service.ask(View.request, for: View.Answer.self)
            known.withLock { $0 = (answer, clock.now) }
            let isStopped = View(answer).safety.state == "stopped"
            stopKey.learn(isStopped: isStopped, askedAfter: stop)
          } catch ControlClientError.silent {
          } catch ControlClientError.cancelled { throw CancellationError() }
          try await SystemClock().sleep(for: View.interval)
        }
      }
      group.addTask {
        try await terminal.run { key in
          if case .character(let key) = key, " sS".contains(key) { stopKey.press() }
          return key != .character("q")
        } frame: { hasKeys in
          let (answer, since) = known.withLock(\.self)
          var view = View(answer)
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

  /// A line a second while something changes.
  private static func reportFeed(of service: ServiceConnection, _ output: Output) async throws {
    var changes = FeedChanges()
    while true {
      let record = try await service.ask(FeedView.request, for: FeedersRecord.self)
      if changes.receive(record) { try await output.write(FeedReport(record)) }
      try await SystemClock().sleep(for: FeedView.interval)
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
