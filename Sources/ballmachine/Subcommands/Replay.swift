import Bridge
import Configuration
import CourtLogic
import Drills
import Host
import MachineLink
import Options
import Positions
import Programs
import Reports
import RunLog
import Safety
import Service
import Training

/// `ballmachine replay`: a recorded track instead of live positions.
struct Replay: AdapterSubcommand {
  var path = ""
  var dryRun = false
  var asIfLive = false
  var speed = 1.0
  var wait = Duration.seconds(60)
  var track = TrackOptions()
  var countdown = CountdownOption()
  var drill: String?
  var level: SkillLevel?
  var seed: Int?
  var configuration = ConfigurationOptions()
  var court = CourtOptions()
  var machine = MachineOptions()
  var needsAdapter: Bool { !dryRun }

  static let usage = Usage<Self>(
    name: "replay",
    summary: "Play a recorded track to the machine, or show its decisions",
    options: [
      .flag(
        "dry-run",
        \.dryRun,
        "Only print the decisions, at the track's own times, without a machine"
      ),
      .flag(
        "as-if-live",
        \.asIfLive,
        "With --dry-run: also decide where the session's balls could not fly"
      ),
      .value(
        "speed",
        .speed,
        \.speed,
        "Let the player move this many times faster; balls keep their interval (default 1)"
      ),
      .value(
        "wait",
        .seconds,
        \.wait,
        "Give up if the machine is not ready after this many seconds (default 60)"
      ),
    ] + TrackOptions.options.within(\.track) + [
      CountdownOption.option("3").within(\.countdown),
      .value(
        "drill",
        .text("DRILL"),
        \.drill,
        "Throw this drill to the track's player, once; `drills' lists the names"
      ),
      .value(
        "level",
        .choice("LEVEL"),
        \.level,
        "The drill's level, or the player's: beginner, intermediate or advanced"
      ),
      .value(
        "seed",
        .integer("N", in: Drill.seeds),
        \.seed,
        "Draw the drill's shots with this seed (default: its own, or 0)"
      ),
    ] + ConfigurationOptions.options.within(\.configuration)
      + CourtOptions.options.within(\.court) + MachineOptions.options.within(\.machine),
    arguments: [.required(.text("FILE"), \.path)],
    details: """
      FILE has a line per position: CSV, timestamp,x,y, the timestamp in seconds or as \
      yyyy-MM-dd HH:mm:ss; or JSON, {"x": 4.1, "y": 9.8, "t": 0.04}, also as one array. - is standard input. \
      `check-track' says what else a tracker's output needs.

      FILE may also be a session log, or a part of one: then the track is that session's player. \
      A dry run of a log decides only while the session's balls could fly, with the interval and \
      level that were in force, and that court and those commands unless --apron or --table replaces \
      them: it shows what the session did. Decisions that a hold kept back (a player too near the net, for example) are \
      counted, not shown. With --drill the drill aims, and has its interval, sets and rests; a \
      session's own drill aims again only with its --drill, --level and --seed.

      A dry run takes no time, whatever the speed. The same file always gives the same output.

      \(MachineOptions.memory)

      Example: ballmachine replay rally.csv --apron 3 --dry-run
      """
  )

  func validate() throws(UsageError) {
    guard dryRun || !asIfLive else { throw UsageError("--as-if-live goes with --dry-run") }
    try machine.validate()
  }

  func run(_ output: Output) async throws {
    let configuration = try configuration.effective(machine: machine, court: court) {
      countdown.override(&$0.safety)
    }
    let track = try TrackFile.read(
      path,
      complaining: "ballmachine replay",
      as: track,
      with: configuration.calibration
    )
    let plan = try self.configuration.drills.plan(
      drill,
      level,
      seed: seed,
      orElse: 0,
      in: configuration
    )
    if dryRun {
      let isPlanned = drill != nil || level != nil
      try decide(track, configuration.logic, isPlanned ? plan : nil, output)
    } else {
      try await play(track, configuration, plan, output)
    }
  }

  /// Plays the track once to the real machine, as if it were live.
  private func play(
    _ track: Track,
    _ configuration: EffectiveConfiguration,
    _ plan: TrainingPlan,
    _ output: Output
  ) async throws {
    try output.requirePlace()
    let lock = try MachineLock(in: RuntimeDirectory())
    defer { lock.release() }
    let clock = SystemClock()
    let debts = StopDebts(of: "replay")
    try await debts.takeDirectory()
    let machines = KnownMachines(of: "replay")
    var options = BridgeService.Options(configuration, armsAtStart: true)
    try options.loadAsked(plan)
    let owed = await options.keepDebts(in: debts)
    for debt in owed {
      Output.complain("ballmachine replay: warning: \(debt)")
    }
    // The track begins when the countdown is over: until then, silence is no fault.
    options.rules.silenceBeforeCountdown += options.rules.countdown
    options.rules.silenceBeforeDisarming += options.rules.countdown
    try refuseGap(in: track, within: options.rules.silenceBeforeDisarming)
    let run = try BridgeRun(
      link: await machines.link(
        for: configuration.values.machine,
        forgetting: machine.forgetsMachine,
        owing: owed
      ),
      bus: configuration.values.machine.bus,
      options: options,
      clock: clock,
      sink: .output(output),
      machines: machines
    )
    // The machine comes first: without it, the track is not played.
    let positions = PacedPositions(
      TrackPlayer(track),
      from: SourceID(connection: "track"),
      clock: clock,
      speed: speed,
      after: { [service = run.service] in await service.waitUntilCountedDown() }
    )
    let stops = try StopLoop(actions: StopLoop.Actions(run.service, clock: clock))
    let stopping = OneThread.task { await stops.run(run.claims) }
    defer { stopping.cancel() }
    let ending = try await run.run(positions, readyTimeout: wait)
    var outputFailure = ending.outputFailure
    do { try await output.write(BridgeSummaryReport(summary: ending.summary)) } catch {
      outputFailure = outputFailure ?? error
    }
    try run.check(ending.summary)
    if let outputFailure { throw outputFailure }
  }

  /// A gap ends the session, and nothing arms it again: no ball would fly, whatever follows.
  private func refuseGap(in track: Track, within silence: Duration) throws(Failure) {
    for (last, next) in zip(track.positions, track.positions.dropFirst())
    where next.offset - last.offset >= silence * speed {
      throw Failure(
        .badData,
        """
        \(path): \((next.offset - last.offset).rough) without a position, \(last.offset.rough) after the \
        first: there the session would end. Cut the file in two
        """
      )
    }
  }

  /// - Parameter plan: nil: the recorded levels and intervals.
  private func decide(
    _ track: Track,
    _ configured: LogicManager,
    _ plan: TrainingPlan?,
    _ output: Output
  ) throws {
    let first = track.court.map { court.court(configured, replacing: $0) }
    var logic = first.map { LogicManager($0) } ?? configured
    if let interval = plan?.interval { logic.reconfigure(interval: interval) }
    let changes = track.changes.compactMap { (change) -> SettingChange? in
      var change = change
      switch change.setting {
      case .court(let recorded):
        var court = court.court(configured, replacing: recorded)
        court.interval = plan?.interval ?? court.interval
        change.setting = .court(court)
      case .training where plan != nil: return nil
      case .training: break
      }
      return change
    }
    let isRecorded = first != nil && court.tablePath == nil
    for table in [logic.table] + changes.compactMap(\.court?.table) {
      let missing = table.missing(for: plan?.strokes ?? []).joined(separator: ", ")
      guard missing.isEmpty else {
        let name = isRecorded ? "the session's command table" : "the command table"
        throw Failure(.usage, "\(name) has no command for \(missing)")
      }
    }
    var run = DryRun(logic: logic, changes: changes)
    var trainer = DryTraining(plan ?? .follow(nil))
    var summary = DryRunSummary(track: track)
    let held = try run.decide(on: track, asRecorded: !asIfLive) { followed, logic, training in
      if plan == nil {
        let level = training.level
        trainer.follow(level.map { TrainingPlan.Level($0, interval: logic.interval) })
      }
      guard let decision = trainer.aim(followed, by: logic) else { return }
      summary.count(decision)
      try output.writeBlocking(decision.report)
    }
    if held > 0 { summary.held = held }
    try output.writeBlocking(summary)
  }
}
