import Host
import Programs
import SessionSummary

/// `ballmachine sessions`: the sessions, the newest last.
struct Sessions: Subcommand {
  private static let shown = 20

  var all = false
  var csv = false
  var logs = LogOptions()

  static let usage = Usage<Self>(
    name: "sessions",
    summary: "List training sessions, the newest last",
    options: [
      .flag("all", \.all, "List all of them, not only the newest \(shown)"),
      .flag("csv", \.csv, "Print a table for spreadsheets, a session a row"),
    ] + LogOptions.options.within(\.logs),
    details: """
      A training session lasts from arming to disarming or stop; a pause doesn't end it. Each line \
      has its number, when it began, how long it was, its balls, and the drill, level and player. \
      `session NUMBER' sums one up. 42 is the first one of the service's run 42, 42.2 its second \
      one. Runs keep their numbers when old logs go.

      With --csv and --json each session has all its figures, for which the positions are read, \
      too.
      """
  )

  func validate(isJSON: Bool) throws(UsageError) {
    try logs.validate()
    if csv && isJSON { throw UsageError("give either --csv or --json") }
  }

  func run(_ output: Output) async throws {
    let path = try await logs.path()
    let depth = csv || output.style == .json ? SummaryDepth.whole : .balls
    let (sessions, hasOlder, skipped) = try logs.read(path) { (archive) throws(SystemError) in
      try archive.newest(all ? nil : Self.shown, depth)
    }
    LogOptions.complain(skipped, in: path)
    if csv { try output.writeBlocking(TextReport(SessionTable.head)) }
    for session in sessions {
      if csv {
        try output.writeBlocking(TextReport(SessionTable.row(session)))
      } else {
        try output.writeBlocking(SessionLine(session: session))
      }
    }
    if output.style == .text, !csv {
      if sessions.isEmpty { Output.complain("no training sessions in \(path)") }
      if hasOlder { Output.complain("older ones are not shown; --all shows them") }
    }
  }
}
