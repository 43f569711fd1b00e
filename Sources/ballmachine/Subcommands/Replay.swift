import Bridge
import CourtLogic

/// `ballmachine replay`: a recorded track instead of live positions.
struct Replay: Subcommand {
  var path = ""
  var dryRun = false
  var speed = 1.0
  var court = CourtOptions()
  var machine = MachineOptions()
  var output = OutputOptions()

  /// Bad lines that are told one by one.
  private static let mostComplaints = 10

  static let usage = Usage<Self>(
    name: "replay",
    summary: "Play a recorded track to the machine, or only show its decisions",
    options: [
      .flag(
        "dry-run",
        \.dryRun,
        "Decide without any machine, at the track's own times, and print the decisions"
      ),
      .value("speed", .speed, \.speed, "Let time pass this many times faster (default 1)"),
    ] + CourtOptions.options.within(\.court) + MachineOptions.options.within(\.machine)
      + OutputOptions.options.within(\.output),
    arguments: [.required(.text("FILE"), \.path)],
    details: """
      FILE has a line per position: CSV, timestamp,x,y, the timestamp in seconds or as \
      yyyy-MM-dd HH:mm:ss; or JSON, {"x": 4.1, "y": 9.8, "t": 0.04}.

      A dry run takes no time, whatever the speed, and the same file gives the same output, always.

      Example: ballmachine replay rally.csv --apron 3 --dry-run
      """
  )

  func run(_ output: Output) async throws {
    let table = try court.table()
    let track = try readTrack()
    guard dryRun else { throw Failure(.unavailable, "only --dry-run works so far") }
    try decide(track, LogicManager(court: court.court, table: table), output)
  }

  private func readTrack() throws -> Track {
    let track: Track
    do {
      track = try Track(path: path)
    } catch TrackError.unreadable(let error) {
      throw TrackError.unreadable(error)
    } catch {
      throw Failure(.badData, "\(path), \(error)")
    }
    for bad in track.badLines.prefix(Self.mostComplaints) {
      Output.complain("ballmachine replay: \(path), \(bad)")
    }
    let rest = track.badLines.count - Self.mostComplaints
    if rest > 0 {
      Output.complain("ballmachine replay: \(path): \(counted(rest, "more bad line"))")
    }
    guard !track.positions.isEmpty else { throw Failure(.badData, "\(path): has no positions") }
    return track
  }

  private func decide(_ track: Track, _ logic: LogicManager, _ output: Output) throws {
    let source = SourceID(connection: "track")
    var run = DryRun(logic: logic)
    var summary = DryRunSummary(track: track)
    for timed in track.positions {
      let instant = MonotonicInstant.start.advanced(by: timed.offset)
      for decision in run.arrive(timed.position, from: source, at: instant) {
        summary.count(decision)
        try output.write(DecisionReport(decision: decision))
      }
    }
    try output.write(summary)
  }
}
