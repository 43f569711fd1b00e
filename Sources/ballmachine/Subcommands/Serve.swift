import Bridge
import CourtLogic

/// `ballmachine serve`: the bridge, from live positions to the machine.
struct Serve: Subcommand {
  var configuration = ConfigurationOptions()
  var machine = MachineOptions()
  var court = CourtOptions()
  /// `nil`: the configuration's, by default a Unix socket in the runtime directory.
  var positions: PositionSource?
  var arm = false
  var countdown = CountdownOption()
  var duration: Duration?
  var output = OutputOptions()

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
          Read positions from standard input (-), a file, or a Unix socket (unix:PATH) for any \
          number of feeders (default: a socket in the runtime directory)
          """
        ),
        .flag("arm", \.arm, "Arm as soon as the machine is ready, once"),
        CountdownOption.option("3").within(\.countdown),
        .value("duration", .seconds, \.duration, "End after this many seconds"),
      ] + OutputOptions.options.within(\.output),
    details: """
      Positions are lines of JSON, {"x": 4.1, "y": 9.8}, in metres from the net's left corner as \
      the player's camera sees it, or CSV lines, timestamp,x,y.

      Ends on SIGINT and SIGTERM, with a stop command to the machine.

      \(MachineOptions.memory)

      Example: detect-player | ballmachine serve --arm --apron 3 --positions -
      """
  )

  func validate() throws(UsageError) {
    try machine.validate()
  }

  /// The configuration as its files are now; a reload reads them again.
  func effectiveConfiguration() throws -> EffectiveConfiguration {
    try configuration.effective(machine: machine, court: court) {
      countdown.override(&$0.safety)
      $0.positions.source = positions ?? $0.positions.source
    }
  }

  func run(_ output: Output) async throws {
    let configuration = try effectiveConfiguration()
    let bus = configuration.values.machine.bus
    let directory = try RuntimeDirectory()
    let lock = try MachineLock(in: directory)
    defer { lock.release() }
    let clock = SystemClock()
    let feed = try PositionFeed(
      source: configuration.values.positions.source ?? .socket(directory.path(of: Self.socketName)),
      clock: clock
    )
    let memory = MachineMemory(of: "serve")
    let run = BridgeRun(
      link: await machine.link(for: configuration.values.machine, with: memory),
      bus: bus,
      options: BridgeService.Options(configuration, armsAtStart: arm, duration: duration),
      clock: clock,
      output: output,
      memory: memory
    )
    try output.write(ServeStart(positions: "\(feed.source)", bus: bus, armed: arm))
    var (summary, failure) = try await withThrowingTaskGroup(of: Failure?.self) { group in
      group.addTask {
        do { try await feed.run() } catch {
          // Without positions the bridge would only pretend to work.
          await run.service.giveUp()
          return Failure(.inputOutput, "\(error)")
        }
        return nil
      }
      let summary = try await run.run(feed.events)
      group.cancelAll()
      return (summary, try await group.next() ?? nil)
    }
    summary.droppedPositions = feed.statistics.dropped
    try output.write(BridgeSummaryReport(summary: summary))
    if let failure { throw failure }
    try run.checkReadiness(summary)
  }

  /// The default socket for positions, in the runtime directory.
  static let socketName = "positions.sock"
}

/// The first word of `serve`: where positions are taken, and whether balls will fly.
struct ServeStart: Report {
  var event = "start"
  var positions: String
  var bus: String
  var armed: Bool

  var text: String {
    "positions from \(positions), BlueZ on \(bus.contains(":") ? bus : "the \(bus) bus"), "
      + (armed
        ? "ARMED: counts down as soon as the machine is ready, then feeds"
        : "disarmed: feeds nothing")
  }
}
