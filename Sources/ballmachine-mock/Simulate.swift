import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import CourtMapping
import Drills
import Host
import MachineLink
import Options
import Positions
import Programs
import Reports
import RunLog
import Service
import Terminal
import Training

/// `ballmachine simulate`: the bridge with a mock machine on a bus of its own.
struct Simulate: Subcommand {
  /// `nil`: the built-in player model.
  var track: String?
  /// Where positions come from instead of a player.
  var positions: PositionSource?
  /// The calibration for picture points; nil: they are refused.
  var calibration: String?
  var reading = TrackOptions()
  var court = CourtOptions()
  var encoding = MachineEncoding.digits
  var countdown = CountdownOption(countdown: .zero)
  /// Nil: to the drill's end, or a minute.
  var duration: Duration?
  var speed = 1.0
  var seed: Int?
  var drill: String?
  var level: SkillLevel?

  static let usage = Usage<Self>(
    name: "simulate",
    summary: "Run the bridge against a mock machine, without any Bluetooth",
    options: [
      .value(
        "track",
        .text("FILE"),
        \.track,
        "Play this recorded track in a loop instead of the built-in player"
      ),
      .value(
        "positions",
        .positions,
        \.positions,
        "Read positions from standard input (-), a file, or a Unix socket (unix:PATH) instead"
      ),
      .value(
        "calibration",
        .text("FILE"),
        \.calibration,
        "Take picture points, too, of the camera with this calibration; `reload' reads it again"
      ),
    ] + TrackOptions.options.within(\.reading) + CourtOptions.options.within(\.court) + [
      .value(
        "encoding",
        .choice("ENCODING"),
        \.encoding,
        "How the mock machine takes commands: digits (default), or framed, which needs --table"
      ),
      .value(
        "duration",
        .seconds,
        \.duration,
        "End after this many seconds of simulated time (default: 60, or at the drill's end)"
      ),
      CountdownOption.option("0").within(\.countdown),
      .value("speed", .speed, \.speed, "Let time pass this many times faster (default 1)"),
      .value(
        "seed",
        .integer("N", in: 0...Int.max),
        \.seed,
        "The random seed of the built-in player and of the drill: the same seed repeats both"
      ),
      .value("drill", .text("DRILL"), \.drill, "Throw this drill, once; `drills' lists the names"),
      .value(
        "level",
        .choice("LEVEL"),
        \.level,
        "The drill's level, or the player's: beginner, intermediate or advanced"
      ),
    ],
    details: """
      Starts a private dbus-daemon, so neither root nor a Bluetooth adapter is needed. On a \
      terminal it shows the court live; otherwise it prints a line per event. A summary comes \
      last. Far beyond --speed 100 the bus can't keep up, and the summary shows the bus's limits.

      Its sockets are in /tmp/ballmachine-simulation-UID, for this user alone; if \
      $BALLMACHINE_RUNTIME_DIR is set, in ballmachine-simulation in that directory. `status', \
      `stop', `watch', `arm', `console' and their like reach it with --simulate, and never \
      without. Its player stops walking once a feeder on positions.sock sends a position. Its session \
      logs are there, too, 20 MB at most: `sessions' and `session' read them with --simulate.

      Example: ballmachine simulate --duration 60 --speed 4
      Example: detect-player | ballmachine simulate --duration 600 --positions -
      """
  )

  static var openFiles: Int { ServeProcess.openFiles }

  func validate() throws(UsageError) {
    guard track == nil || positions == nil else {
      throw UsageError("give either --track or --positions")
    }
    guard track != nil || reading.time == nil && reading.player == nil else {
      throw UsageError("--time and --player go with --track")
    }
    guard encoding != .framed || court.tablePath != nil else {
      throw UsageError("--encoding framed needs --table: the built-in table has digits")
    }
  }

  func run(_ output: Output) async throws {
    let clock = SystemClock(speed: speed)
    let running = try RunningConfiguration(clock: clock) { try effectiveConfiguration() }
    let configuration = await running.values
    let given = try positions.map {
      try PositionFeed(
        source: $0,
        clock: clock,
        calibration: configuration.calibration,
        frame: reading.frame.frame()
      )
    }
    let recorded = try track.map {
      try TrackFile.read(
        $0,
        complaining: "ballmachine simulate",
        as: reading,
        with: configuration.calibration
      )
    }
    // A bus that has no more simulation would run for ever.
    let signals = try endSignals()
    let machine = try await SimulatedMachine(encoding, clock: clock)
    defer { machine.stop() }
    let run = try BridgeRun(
      link: LinkConfiguration(encoding: CommandEncoding(encoding)),
      bus: machine.address,
      options: try serviceOptions(in: configuration),
      clock: clock,
      sink: .output(output),
      signals: signals
    )
    let sockets = sockets(
      for: run.service,
      running,
      takesPositions: given == nil,
      calibration: configuration.calibration,
      decisions: configuration.decisions,
      clock: clock,
      output
    )
    defer { withExtendedLifetime(sockets) {} }
    let feed = given ?? sockets?.feed
    await run.service.count(from: feed?.events)
    let terminal = output.style == .text ? LiveTerminal() : nil
    let ending = try await machine.run {
      try await serve(run, feed, sockets) {
        if let given {
          return try await run.run(given.events.recorded(in: sockets?.log), terminal: terminal)
        } else {
          let walk = walk(on: recorded, until: feed, clock: clock)
          return try await run.run(walk.recorded(in: sockets?.log), terminal: terminal)
        }
      }
    }
    await sockets?.log.close()
    if let outputFailure = ending.outputFailure { throw outputFailure }
    try await output.write(
      BridgeSummaryReport(summary: ending.summary, machineReceived: await machine.received())
    )
  }

  private func serviceOptions(
    in configuration: EffectiveConfiguration
  ) throws -> BridgeService.Options {
    var options = BridgeService.Options(configuration, armsAtStart: true, duration: limit)
    options.longestDelay = .seconds(max(1, speed))
    let plan = try library.plan(drill, level, seed: seed, in: configuration)
    try options.loadAsked(plan)
    return options
  }

  private func sockets(
    for service: BridgeService,
    _ running: RunningConfiguration,
    takesPositions: Bool,
    calibration: Calibration?,
    decisions: LogicManager.Settings,
    clock: SystemClock,
    _ output: Output
  ) -> SimulationSockets? {
    SimulationSockets(
      for: service,
      takesPositions: takesPositions,
      calibration: calibration,
      decisions: decisions,
      reload: { calibration, log, empty async throws(ControlError) in
        let reloading = Reloading(
          configuration: running,
          service: service,
          library: library,
          calibration: calibration,
          log: log,
          notifier: ServiceNotifier(),
          journal: JournalLog { Output.complain("ballmachine simulate: \($0)") },
          output: output,
          disk: DiskWait()
        )
        return try await reloading.perform(empty: empty)
      },
      training: TrainingLoader(
        service: service,
        library: library,
        configuration: running,
        disk: DiskWait()
      ),
      clock: clock
    )
  }

  /// Runs what a service has besides the bridge, until the bridge has ended.
  private func serve(
    _ run: BridgeRun,
    _ feed: PositionFeed?,
    _ sockets: SimulationSockets?,
    _ bridge: () async throws -> BridgeRun.Ending
  ) async throws -> BridgeRun.Ending {
    let service = run.service
    return try await withThrowingTaskGroup(of: Failure?.self) { group in
      if drill != nil, duration == nil {
        group.addTask {
          await service.waitUntilDrillIsOver()
          await service.giveUp()
          return nil
        }
      }
      if let feed {
        group.addTask { await ServeProcess.vital(to: service) { try await feed.run() } }
      }
      if let sockets {
        group.addTask {
          await ServeProcess.vital(to: service) { try await sockets.control.run() }
        }
        group.addTask {
          await sockets.log.follow(service, clock: run.clock)
          return nil
        }
      }
      let ending = try await bridge()
      group.cancelAll()
      for try await case let failure? in group { throw failure }
      return ending
    }
  }

  private var library: DrillLibrary { ConfigurationOptions().drills }

  /// It shows the program, not this box: it reads only files that options name.
  private func effectiveConfiguration() throws -> EffectiveConfiguration {
    try ConfigurationOptions.none.effective(court: court) {
      countdown.override(&$0.safety)
      // The simulated player is a tennis player, who stands behind the baseline.
      if court.apron == nil { $0.court.apron = 3 }
      $0.court.calibration = calibration
      $0.machine.encoding = encoding
    }
  }

  private var limit: Duration? { duration ?? (drill == nil ? .seconds(60) : nil) }

  /// The player's positions until a feeder's first one comes.
  private func walk(
    on recorded: Track?,
    until feed: PositionFeed?,
    clock: SystemClock
  ) -> AsyncStream<PositionEvent> {
    let player = SourceID(connection: "player")
    guard let recorded else {
      let seed = UInt64(seed ?? .random(in: 0...Int(Int32.max)))
      return .walk(PacedPositions(PlayerModel(seed: seed), from: player, clock: clock), until: feed)
    }
    let track = TrackPlayer(recorded, duration: limit ?? .seconds(86_400))
    return .walk(PacedPositions(track, from: player, clock: clock), until: feed)
  }
}
