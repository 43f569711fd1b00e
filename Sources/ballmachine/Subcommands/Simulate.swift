import Bridge
import Clocks
import Configuration
import CourtLogic
import Host
import MachineLink
import MockMachine
import Positions
import SessionLog

/// `ballmachine simulate`: the bridge with a mock machine on a bus of its own.
struct Simulate: Subcommand {
  /// `nil`: the built-in player model.
  var track: String?
  var court = CourtOptions()
  var countdown = CountdownOption(countdown: .zero)
  var duration = Duration.seconds(60)
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
        "Play this recorded track in a loop instead of the built-in player"
      )
    ] + CourtOptions.options.within(\.court) + [
      .value(
        "duration",
        .seconds,
        \.duration,
        "End after this many seconds of simulated time (default 60)"
      ),
      CountdownOption.option("0").within(\.countdown),
      .value("speed", .speed, \.speed, "Let time pass this many times faster (default 1)"),
      .value(
        "seed",
        .integer("N", in: 0...Int.max),
        \.seed,
        "The built-in player's random seed: the same seed repeats its walk"
      ),
    ] + OutputOptions.options.within(\.output),
    details: """
      Starts a private dbus-daemon, so neither root nor a Bluetooth adapter is needed. On a \
      terminal it shows the court live; otherwise it prints a line per event. A summary comes \
      last. Far beyond --speed 100 the bus can't keep up, and the summary shows the bus's limits.

      Example: ballmachine simulate --duration 60 --speed 4
      """
  )

  func run(_ output: Output) async throws {
    // It shows the program, not this box: it reads only files that options name.
    let configuration = try ConfigurationOptions.none.effective(court: court) {
      countdown.override(&$0.safety)
    }
    let recorded = try track.map { try TrackFile.read($0, complaining: "ballmachine simulate") }
    let bus: PrivateBus
    do { bus = try PrivateBus.start() } catch { throw Failure(.unavailable, "\(error)") }
    defer { bus.stop() }
    let clock = SystemClock(speed: speed)
    let model = MockModel.oneMachine
    let mock = MockBlueZ(
      bus: bus.address,
      model: model,
      clock: clock,
      timestamp: { clock.now.seconds }
    )
    try await mock.start()

    let run = BridgeRun(
      link: LinkConfiguration(),
      bus: bus.address,
      options: BridgeService.Options(configuration, armsAtStart: true, duration: duration),
      clock: clock,
      sink: .output(output)
    )
    let terminal = output.style == .text ? LiveTerminal() : nil
    let ending = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await mock.run() }
      let ending: BridgeRun.Ending
      if let recorded {
        let positions = PacedPositions(
          TrackPlayer(recorded, duration: duration),
          from: Self.player,
          clock: clock
        )
        ending = try await run.run(positions, terminal: terminal)
      } else {
        let seed = UInt64(seed ?? .random(in: 0...Int(Int32.max)))
        let positions = PacedPositions(PlayerModel(seed: seed), from: Self.player, clock: clock)
        ending = try await run.run(positions, terminal: terminal)
      }
      await mock.stop()
      try await group.waitForAll()
      return ending
    }
    var received: [String] = []
    for machine in model.peripherals {
      received += await mock.received(by: machine.address).map { $0.text ?? "(not text)" }
    }
    if let outputFailure = ending.outputFailure { throw outputFailure }
    try await output.write(
      BridgeSummaryReport(summary: ending.summary, machineReceived: received)
    )
  }

  private static let player = SourceID(connection: "player")
}
