import Fleet
import Host
import Programs
import Terminal

/// `ballmachine mqtt status`: all courts of a broker.
struct ShowCourts: Subcommand {
  var broker = BrokerOptions()

  static let usage = Usage<Self>(
    name: "status",
    summary: "Show all courts of a broker in a table",
    options: BrokerOptions.options.within(\.broker),
    details: """
      On a terminal the table is live until `q' or Ctrl-C: `!' marks a court to look at, and below \
      the table is why. Elsewhere, and with --json, it prints the table once and ends; \
      `mosquitto_sub -v -t "ballmachine/#"' prints each change.

      Only `stopped' says that the machine has the stop command: with `stop NOT delivered', \
      `stop unconfirmed' and `stopping' look at it, and use its switch.

      A court that is offline has lost the broker: its state is not known, and balls may still fly. \
      Without a broker the table keeps what it knew, marked as old, and connects again.

      It needs no court of its own: any user whom the broker lets read the courts' topics. It \
      publishes nothing; `ballmachine mqtt stop COURT' stops a court's machine.
      """
  )

  func run(_ output: Output) async throws {
    let settings = try broker.settings()
    let courts = FollowedCourts(settings)
    let terminal = output.style == .text ? LiveTerminal() : nil
    let signals = try endSignals()
    try await withThrowingTaskGroup { group in
      group.addTask { for await _ in signals { return } }
      group.addTask {
        if let terminal {
          try await Self.show(courts, of: settings.place, on: terminal)
        } else {
          try await Self.report(try await courts.once(), of: settings.place, output)
        }
      }
      defer { group.cancelAll() }
      try await group.next()
      OutputThread.shared.hurry()
      group.cancelAll()
      do { try await group.waitForAll() } catch is CancellationError {}
    }
  }

  private static func show(
    _ courts: FollowedCourts,
    of broker: String,
    on terminal: LiveTerminal
  ) async throws {
    let following = OneThread.task { await courts.run() }
    defer { following.cancel() }
    try await terminal.run { hasKeys in
      CourtTableView(courts.table, of: broker, now: WallTime(), hasKeys: hasKeys).frame
    }
  }

  private static func report(
    _ table: CourtTable,
    of broker: String,
    _ output: Output
  ) async throws {
    switch output.style {
    case .text:
      try await output.write(
        TextReport(CourtTableView(table, of: broker, now: WallTime()).text)
      )
    case .json:
      for row in table.rows {
        try await output.write(RecordReport("courtState", row, text: row.court))
      }
    }
  }
}
