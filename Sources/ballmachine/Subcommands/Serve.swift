import Bridge
import Clocks
import Configuration
import CourtLogic
import Host
import JSON
import Options
import Positions
import Programs
import Reports
import Service
import Training

/// `ballmachine serve`: the bridge, from live positions to the machine.
struct Serve: AdapterSubcommand {
  var configuration = ConfigurationOptions()
  var machine = MachineOptions()
  var court = CourtOptions()
  /// `nil`: the configuration's, by default a Unix socket in the runtime directory.
  var positions: PositionSource?
  var frame = FrameOptions()
  var arm = false
  var countdown = CountdownOption()
  var duration: Duration?
  var needsAdapter: Bool { true }

  static let usage = Usage<Self>(
    name: "serve",
    summary: "Run the bridge: positions in, commands to the machine",
    options: ConfigurationOptions.options.within(\.configuration)
      + MachineOptions.options.within(\.machine)
      + CourtOptions.options.within(\.court) + [
        .value(
          "positions",
          .positions,
          \.positions,
          """
          Read live positions from standard input (-), a named pipe, or a Unix socket (unix:PATH) \
          for any number of feeders (default: a socket in the runtime directory)
          """
        )
      ] + FrameOptions.options.within(\.frame) + [
        .flag("arm", \.arm, "Arm once, as soon as the machine is ready"),
        CountdownOption.option("3").within(\.countdown),
        .value("duration", .seconds, \.duration, "End after this many seconds"),
      ],
    details: """
      Positions are lines of JSON, {"x": 4.1, "y": 9.8}, in metres from the net's left corner as \
      the player's camera sees it, or CSV lines, timestamp,x,y. They are live: the bridge ends with \
      standard input, and with a pipe. `replay' plays a recorded file.

      It needs a limit of at least \(openFiles) open files, so that a stop gets through however \
      many feeders connect.

      Ends on SIGINT and SIGTERM, with a stop command to the machine. SIGHUP makes it read \
      its configuration again; an invalid one changes nothing.

      `ballmachine status', `watch', `arm', `stop' and other subcommands control it while it runs.

      \(MachineOptions.memory)

      Example: detect-player | ballmachine serve --arm --apron 3 --positions -
      """
  )

  static var openFiles: Int { ServeProcess.openFiles }

  /// The configuration as its files are now; a reload reads them again.
  func effectiveConfiguration() throws -> EffectiveConfiguration {
    try configuration.effective(machine: machine, court: court) {
      countdown.override(&$0.safety)
      $0.positions.source = positions ?? $0.positions.source
      $0.positions.frame = frame.frame($0.positions.frame)
    }
  }

  func run(_ output: Output) async throws {
    try output.requirePlace()
    let clock = SystemClock()
    let configuration = try RunningConfiguration(clock: clock) { try effectiveConfiguration() }
    let directory = try RuntimeDirectory()
    let lock = try MachineLock(in: directory)
    defer { lock.release() }
    let process = try await ServeProcess(
      configuration,
      options: ServeProcess.Options(
        forgetsMachine: machine.forgetsMachine,
        arms: arm,
        duration: duration,
        clock: clock,
        drills: self.configuration.drills
      ),
      in: directory,
      lock: lock,
      output: output
    )
    let settings = await configuration.values
    try await output.write(
      ServeStart(
        source: "\(process.positions)",
        bus: settings.values.machine.bus,
        armed: process.armsAtStart,
        interval: (process.training.interval ?? settings.interval).seconds,
        drill: process.training.drill?.name,
        level: process.training.level?.rawValue
      )
    )
    let ending = try await process.serve {
      try await output.write(BridgeSummaryReport(summary: $0))
    }
    try process.check(ending.summary)
    // Last, because it is the least serious failure.
    if let outputFailure = ending.outputFailure { throw outputFailure }
  }
}

/// The beginning of `serve`.
struct ServeStart: Report {
  var event = "start"
  /// Where positions come from.
  var source: String
  /// The D-Bus on which BlueZ is.
  var bus: String
  /// Whether balls will fly without another request.
  var armed: Bool
  /// From one ball to the next, in seconds.
  var interval: Double
  /// The drill that was loaded before, and is again.
  var drill: String?
  /// The level that was loaded before, and is again.
  var level: String?

  var text: String {
    let loaded = [drill.map { "drill \($0), " }, level.map { "level \($0), " }]
    return "positions from \(source), BlueZ on \(bus.contains(":") ? bus : "the \(bus) bus"), "
      + loaded.compactMap(\.self).joined() + "a ball every \(interval.plain) s, "
      + (armed
        ? "ARMED: counts down as soon as the machine is ready, then feeds"
        : "disarmed: feeds nothing")
  }
}
