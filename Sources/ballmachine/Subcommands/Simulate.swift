/// `ballmachine simulate`: the bridge with a mock machine on a bus of its own.
struct Simulate: CommandOptions {
  /// `nil`: the built-in player model.
  var track: String?
  var court = CourtOptions()
  var duration: Duration?
  var speed = 1.0
  var seed: Int?
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "simulate",
    summary: "Run the bridge against a mock machine, without any Bluetooth",
    options: [
      .value(
        "track",
        .text("FILE"),
        \.track,
        "Play this recorded track, over and over, instead of the built-in player"
      )
    ] + CourtOptions.options.within(\.court) + [
      .value("duration", .seconds, \.duration, "End after this many seconds of simulated time"),
      .value("speed", .speed, \.speed, "Let time pass this many times faster (default 1)"),
      .value(
        "seed",
        .integer("N", in: 0...Int.max),
        \.seed,
        "Let the built-in player repeat the walk of an earlier run"
      ),
    ] + OutputOptions.options.within(\.output),
    details: """
      Starts a private dbus-daemon, so neither root nor a Bluetooth adapter is needed. On a \
      terminal it shows the court live; otherwise it prints a line per event. A summary comes last.

      Example: ballmachine simulate --duration 60 --speed 4
      """
  )
}
