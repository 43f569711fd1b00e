import Fleet
import Host
import Programs
import Terminal

/// `ballmachine mqtt status`: all courts of a broker.
struct ShowCourts: Subcommand {
  var broker = BrokerOptions()
  /// Nil: the worst first for people, by name for programs.
  var order: CourtList.Order?
  var kind: CourtList.Kind?

  static let usage = Usage<Self>(
    name: "status",
    summary: "Show all courts of a broker in a table",
    options: BrokerOptions.options.within(\.broker) + [
      .value(
        "sort",
        .choice("ORDER"),
        \.order,
        "Put the worst first (worst), or sort by name (name); default: worst, with --json name"
      ),
      .value(
        "only",
        .choice("KIND"),
        \.kind,
        "Show only courts to look at (problems), in play (live) or without their box (off)"
      ),
    ],
    details: """
      On a terminal the table is live until `q' or Ctrl-C: `!' marks a court to look at, and below \
      the table is why. The arrow keys, j and k, Page Up and Page Down, Home and End choose a court, \
      and Enter opens a page with all that it has said. `/' lists the courts in whose name, state or \
      drill a word begins so, and Esc all again. `o' changes the order. \
      Elsewhere, and with --json, it prints the table once and ends; \
      `mosquitto_sub -v -t "ballmachine/#"' prints each change.

      The worst is a stop that was not delivered, or may not have been; then a court whose box was \
      lost while balls could fly, a real machine in play with a problem, a real machine in play, \
      other problems, a simulated machine in play, the other courts, and last those that are off.

      Only `stopped' says that the machine has the stop command: with `stop NOT delivered', \
      `stop unconfirmed' and `stopping' look at it, and use its switch.

      A court that is offline has lost the broker, and what it said last is the past: if balls could \
      fly then, they still may. With --json that is below `last', and `state', `link', `balls' and \
      `drill' are of courts that are online. `clockAhead' is by how many seconds a court's clock is \
      ahead of this computer's, from 61 s on; below 0 it is behind. \
      Without a broker the table keeps what it knew, marked as old, and connects again.

      Where no court is on the broker, this user may not read them, or the broker keeps no messages, it \
      ends with 69, and the code noCourt. With --only it ends with 0, also if there is none of that kind.

      It needs no court of its own: any user whom the broker lets read the courts' topics. It \
      publishes nothing; `ballmachine mqtt stop COURT' stops a court's machine.
      """
  )

  func run(_ output: Output) async throws {
    let settings = try broker.settings()
    let courts = FollowedCourts(settings)
    let terminal = output.style == .text ? LiveTerminal() : nil
    let signals = try endSignals()
    let office = CourtTableView.Office(broker: settings.place, user: settings.user)
    try await withThrowingTaskGroup { group in
      group.addTask { for await _ in signals { return } }
      group.addTask {
        if let terminal {
          try await show(courts, of: office, on: terminal)
        } else {
          try await report(try await courts.once(), of: office, output)
        }
      }
      defer { group.cancelAll() }
      try await group.next()
      OutputThread.shared.hurry()
      group.cancelAll()
      do { try await group.waitForAll() } catch is CancellationError {}
    }
  }

  private func show(
    _ courts: FollowedCourts,
    of office: CourtTableView.Office,
    on terminal: LiveTerminal
  ) async throws {
    let following = OneThread.task { await courts.run() }
    defer { following.cancel() }
    var screen = CourtScreen()
    screen.order = order ?? .worst
    screen.kind = kind
    let view = Locked(CourtOffice(office, screen))
    try await terminal.run { key in
      view.withLock { $0.press(key) }
    } frame: { hasKeys in
      { width, height, abilities in
        view.withLock {
          $0.frame(
            courts.table,
            width: width,
            height: height,
            abilities: abilities,
            now: WallTime(),
            hasKeys: hasKeys
          )
        }
      }
    }
  }

  private func report(
    _ table: CourtTable,
    of office: CourtTableView.Office,
    _ output: Output
  ) async throws {
    let now = WallTime()
    let order = order ?? (output.style == .json ? .name : .worst)
    let list = CourtList(table, by: order, only: kind, at: now)
    guard list.count > 0 else {
      throw NoCourt(user: office.user, keepsMessages: table.keepsMessages)
    }
    switch output.style {
    case .text:
      try await output.write(TextReport(CourtTableView(table, list, of: office, now: now).text))
    case .json:
      for row in list.rows {
        try await output.write(RecordReport("courtState", row, text: row.court))
      }
    }
  }
}

extension NoCourt: ExitCoded {
  var exitCode: ExitCode { .unavailable }
  var errorCode: String? { "noCourt" }
}
