import Host
import Programs
import SessionSummary

/// `ballmachine session`: what one session was.
struct ShowSession: Subcommand {
  /// Nil: the newest.
  var name: SessionName?
  var csv = false
  var svg: String?
  var logs = LogOptions()

  static let usage = Usage<Self>(
    name: "session",
    summary: "Sum up a training session",
    options: [
      .flag("csv", \.csv, "Print its row of a table for spreadsheets"),
      .value(
        "svg",
        .text("FILE"),
        \.svg,
        "Draw it into this file, which is replaced; - prints the drawing alone"
      ),
    ] + LogOptions.options.within(\.logs),
    arguments: [.required(.session, \.name)],
    details: """
      NUMBER is that of `sessions', such as 42 or 42.2, or `last'.

      It prints balls by zone and outcome, what held balls back, and how the player moved while \
      balls could fly, as far as he was seen. Beside it stand the medians of the last \
      \(SessionArchive.mostBefore) sessions with the same drill, level and player, simulated ones \
      apart. Hits, strokes and where balls land are not seen.

      The distance is that of a mean of half a second, so that noise isn't distance. The greatest \
      speed is one that was kept up for a second. The first step is the time from a ball's command \
      until the player is 0.4 m away from where he was.

      The drawing has the court, the time in each half metre of it, the balls of each zone, and the \
      figures.

      Example: ballmachine session last --svg session.svg
      """
  )

  func validate(isJSON: Bool) throws(UsageError) {
    try logs.validate()
    guard [csv, isJSON, svg == "-"].count(where: { $0 }) < 2 else {
      throw UsageError("give only one of --csv, --json and --svg -")
    }
  }

  func run(_ output: Output) async throws {
    let path = try await logs.path()
    let found = try logs.read(path) { (archive) throws(SystemError) in
      try archive.session(name)
    }
    guard let found else {
      let wanted = name.map { "session \($0)" } ?? "training session"
      throw Failure(.noInput, "there is no \(wanted) in \(path): `ballmachine sessions' lists them")
    }
    LogOptions.complain(found.skipped, in: path)
    let report = SessionReport(session: found.session, before: found.before)
    if let svg, svg != "-" {
      do throws(SystemError) { try ReplacedFile.write(Array(report.svg.utf8), to: svg) } catch {
        throw Failure(ExitCode(writing: error), error)
      }
    }
    if svg == "-" {
      try output.writeBlocking(TextReport(String(report.svg.dropLast())))
    } else if csv {
      try output.writeBlocking(TextReport(SessionTable.head))
      try output.writeBlocking(TextReport(SessionTable.row(found.session)))
    } else {
      try output.writeBlocking(report)
    }
  }
}

extension ValueKind where Value == SessionName? {
  /// Nil: the newest one.
  fileprivate static var session: ValueKind {
    ValueKind("NUMBER") { (text) throws(UsageError) in
      if text == "last" { return nil }
      guard let name = SessionName(text) else {
        throw UsageError("is neither a session's number, such as 42 or 42.2, nor last")
      }
      return name
    }
  }
}
