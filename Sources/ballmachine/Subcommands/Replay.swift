/// `ballmachine replay`: a recorded track instead of live positions.
struct Replay: CommandOptions {
  var path = ""
  var dryRun = false
  var speed = 1.0
  var court = CourtOptions()
  var machine = MachineOptions()
  var output = OutputOptions()

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
      FILE has a line per position: CSV, timestamp,x,y, the timestamp in seconds or as \\
      yyyy-MM-dd HH:mm:ss.

      Example: ballmachine replay rally.csv --apron 3 --dry-run
      """
  )
}
