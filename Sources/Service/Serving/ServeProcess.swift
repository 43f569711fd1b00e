package import Bridge
import Configuration
import ControlProtocol
package import Drills
package import Host
import MachineLink
package import Positions
package import Programs
import RunLog
import StateFiles
package import Training

/// The parts of `serve` and how they are connected. Data goes one way:
///
/// ```
///  positions ─▶ PositionFeed ─▶ BridgeService ─▶ events ─┬▶ standard output or the journal
///                    │                ▲                  ├▶ RunLog
///                    └▶ RunLog        │                  ├▶ systemd's status
///  control.sock, stop.sock ─▶ ControlServer ◀────────────┘
///  SIGHUP, reload ─▶ RunningConfiguration ─▶ BridgeService
/// ```
///
/// The caller of `init` must hold the ``MachineLock``.
package struct ServeProcess {
  private let run: BridgeRun
  private let feed: PositionFeed
  private let control: ControlServer
  private let log: RunLog?
  private let reloading: Reloading
  private let keeper: SocketKeeper
  private let notifier: ServiceNotifier
  private let journal: JournalLog
  private let clock: SystemClock
  /// What is trained from the start on.
  package let training: TrainingPlan
  /// False where the level that was loaded is lost.
  package let armsAtStart: Bool

  /// Opens everything that can fail before anything runs: positions, sockets, the log.
  package init(
    _ configuration: RunningConfiguration,
    options: Options,
    in directory: RuntimeDirectory,
    lock: MachineLock,
    output: Output
  ) async throws {
    let settings = await configuration.values
    let journal = JournalLog(least: settings.values.journalLevel) {
      Output.complainBlocking("ballmachine serve: \($0)")
    }
    for blank in settings.blankWarnings { journal.write("warning: \(blank)", .warning) }
    let debts = StopDebts(of: "serve")
    try await debts.takeDirectory()
    let machines = KnownMachines(of: "serve")
    let trained = TrainingMemory(in: try? StateDirectory()) {
      journal.write("warning: \($0)", .warning)
    }
    let (clock, notifier) = (options.clock, ServiceNotifier())
    feed = try PositionFeed(
      source: settings.values.positions.source
        ?? .socket(directory.path(of: Self.positionSocketName)),
      clock: clock,
      calibration: settings.calibration,
      frame: settings.values.positions.frame
    )
    log = Self.log(settings, clock: clock, warnings: journal)
    var service = BridgeService.Options(
      settings,
      armsAtStart: options.arms,
      duration: options.duration,
      heartbeat: notifier.heartbeat
    )
    let owed = await service.keepDebts(in: debts)
    for debt in owed {
      journal.write("warning: \(debt)", .warning)
    }
    var recalled: TrainingMemory.Choice?
    func warn(_ text: String) { journal.write("warning: \(text)", .warning) }
    switch await trained.recall() {
    case .nothing: break
    case .content(let choice):
      recalled = choice
      service.load(choice, by: { try options.drills.plan($0, in: settings) }, warn: warn)
    case .unreadable: service.loseTraining(warn: warn)
    }
    training = service.training
    armsAtStart = service.armsAtStart
    let run = try BridgeRun(
      link: await machines.link(
        for: settings.values.machine,
        forgetting: options.forgetsMachine,
        owing: owed
      ),
      bus: settings.values.machine.bus,
      options: service,
      clock: clock,
      // In the journal, standard output would be a second, poorer copy.
      sink: journal.isStructured && output.style == .text
        ? .journal(journal) : .output(output, journal: journal),
      machines: machines
    )
    await run.service.count(from: feed.events)
    await run.service.onBallsMayFly { [feed] in feed.attend() }
    await trained.keepCommands(of: run.service)
    let disk = DiskWait()
    let reloading = Reloading(
      configuration: configuration,
      service: run.service,
      library: options.drills,
      calibration: feed.calibration,
      log: log,
      notifier: notifier,
      journal: journal,
      output: output,
      disk: disk,
      memory: trained,
      recalled: recalled
    )
    let drills = TrainingLoader(
      service: run.service,
      library: options.drills,
      configuration: configuration,
      disk: disk,
      memory: trained
    )
    do {
      control = try ControlServer(
        in: directory,
        service: run.service,
        access: settings.values.control,
        version: Version.number,
        clock: clock,
        configuration: { configuration.status },
        reload: { empty async throws(ControlError) in try await reloading.perform(empty: empty) },
        training: drills,
        adopt: { [service = run.service] (device) async throws(ControlError) in
          try await service.adopt(device) { (machine) async throws(ControlError) in
            try await machines.keep(machine)
          }
        },
        claims: run.claims
      )
    } catch {
      // Earlier warnings must come before the error.
      try? await waiting(atMost: Self.endTimeout) { await journal.flush() }
      throw error
    }
    keeper = SocketKeeper(control.kept + [feed.kept].compactMap(\.self), in: directory, lock: lock)
    self.run = run
    self.reloading = reloading
    self.notifier = notifier
    self.journal = journal
    self.clock = clock
  }

  /// What the command line adds to the configuration.
  package struct Options: Sendable {
    /// Whether the machine of the last good link is forgotten first.
    var forgetsMachine: Bool
    var arms: Bool
    var duration: Duration?
    var clock: SystemClock
    var drills: DrillLibrary

    package init(
      forgetsMachine: Bool,
      arms: Bool,
      duration: Duration?,
      clock: SystemClock,
      drills: DrillLibrary
    ) {
      self.forgetsMachine = forgetsMachine
      self.arms = arms
      self.duration = duration
      self.clock = clock
      self.drills = drills
    }
  }

  /// The default socket for positions, in the runtime directory.
  package static let positionSocketName = "positions.sock"

  /// The clients of all its sockets, and 64 of its own (40 were measured).
  package static let openFiles = PositionFeed.clientLimit + ControlServer.mostClients + 64

  package var positions: PositionSource { feed.source }

  /// Runs until the service ends, by itself or by a signal.
  ///
  /// - Parameter sumUp: gets the summary, before any failure is reported.
  package func serve(sumUp: (BridgeSummary) async throws -> Void) async throws -> BridgeRun.Ending {
    let (service, notifier) = (run.service, notifier)
    var (ending, failure) = try await withThrowingTaskGroup(of: Failure?.self) { group in
      group.addTask { [feed] in await Self.vital(to: service) { try await feed.run() } }
      // Without its control sockets the service ends.
      group.addTask { [control] in await Self.vital(to: service) { try await control.run() } }
      group.addTask { [self] in await Self.vital(to: service) { try await keepSockets() } }
      group.addTask { [clock] in
        await StatusLine.follow(service, clock: clock, with: notifier)
        return nil
      }
      group.addTask { [log, clock] in
        await log?.follow(service, clock: clock)
        return nil
      }
      // The configuration is valid and the sockets listen.
      notifier.ready()
      let ending = try await run(feed.events)
      notifier.stopping()
      group.cancelAll()
      var failure: Failure?
      for try await ending in group { failure = failure ?? ending }
      return (ending, failure)
    }
    await finish()
    do { try await sumUp(ending.summary) } catch {
      ending.outputFailure = ending.outputFailure ?? error
    }
    if let failure {
      // An unconfirmed stop is reported last.
      if ending.summary.isStopUnconfirmed { Output.complain("ballmachine serve", failure) }
      try run.checkStop(ending.summary)
      throw failure
    }
    return ending
  }

  /// Makes sockets again that are removed. Where that fails, no ball flies: a stop could not come in.
  private func keepSockets() async throws {
    let (news, continuation) = AsyncStream.makeStream(of: SocketKeeper.News.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [keeper] in
        defer { continuation.finish() }
        try await keeper.run { continuation.yield($0) }
      }
      for await change in news {
        switch change {
        case .restored(let paths):
          await run.service.setReachable(true)
          guard !paths.isEmpty else { continue }
          let list = paths.joined(separator: ", ")
          journal.write(
            "warning: another program removed or replaced \(list); made again",
            .warning
          )
        case .lost(let reason):
          await run.service.setReachable(false)
          journal.write(
            "error: a socket was removed and can't be made again, so no ball flies: \(reason);"
              + " `ballmachine stop' still reaches this service; restart it",
            .error
          )
        }
      }
      try await group.waitForAll()
    }
  }

  /// Flushes the log, systemd's status and the journal. A disk that hangs or a reader that takes
  /// nothing must not keep the machine's lock.
  private func finish() async {
    if let log {
      do { try await waiting(atMost: Self.diskTimeout) { await log.close() } } catch {
        journal.write(
          "warning: the last records of the session log may be missing: its disk did not answer"
            + " within \(Self.diskTimeout.components.seconds) s",
          .warning
        )
      }
    }
    try? await waiting(atMost: Self.endTimeout) { [notifier] in await notifier.flush() }
    do { try await waiting(atMost: Self.endTimeout) { [journal] in await journal.flush() } } catch {
      Output.complain("ballmachine serve: \(journal.waiting) log lines were not written in time")
    }
  }

  /// How long the end waits for systemd and for the journal, each.
  private static let endTimeout = Duration.seconds(1)
  /// How long the end waits for the run log's disk: a slow disk needs seconds for its records.
  private static let diskTimeout = Duration.seconds(3)

  /// Throws if the run has failed.
  package func check(_ summary: BridgeSummary) throws {
    if summary.positionsEnded, !summary.wasReady, summary.link?.fault == nil {
      let ended = "the positions ended before the machine was ready"
      guard feed.isRecorded else {
        throw Failure(.unavailable, "\(ended): look at what sends them, and start again")
      }
      throw Failure(
        .badData,
        "\(ended): they must be live; `ballmachine replay' plays a recorded track, and"
          + " `ballmachine simulate --track' without a machine"
      )
    }
    try run.check(summary)
  }

  private func run(_ events: PositionEventQueue) async throws -> BridgeRun.Ending {
    let hangUp: @Sendable () async -> Void = { [reloading] in _ = try? await reloading.perform() }
    return try await run.run(events.recorded(in: log), hangUp: hangUp)
  }

  /// Runs a part without which the bridge would only pretend to work: its failure ends the service.
  package static func vital(
    to service: BridgeService,
    _ part: () async throws -> Void
  ) async -> Failure? {
    do {
      try await part()
      return nil
    } catch is CancellationError {
      return nil
    } catch {
      await service.giveUp()
      return Failure(.inputOutput, error)
    }
  }

  /// - Returns: nil if the configuration wants no log, or if there is no directory for it.
  private static func log(
    _ settings: EffectiveConfiguration,
    clock: SystemClock,
    warnings: JournalLog
  ) -> RunLog? {
    guard settings.values.logsRuns else { return nil }
    do {
      let log = RunLog(
        settings.values.log,
        in: try StateDirectory(),
        program: "ballmachine \(Version.number)",
        clock: clock,
        warn: { warnings.write("warning: \($0)", .warning) }
      )
      log.record(settings.decisions)
      return log
    } catch {
      warnings.write("warning: this session is not logged: \(error)", .warning)
      return nil
    }
  }
}

extension RunLog {
  /// Records all events until the service ends; positions are recorded separately.
  package func follow(_ service: BridgeService, clock: SystemClock) async {
    for await event in await service.subscribe() {
      record(EventRecord(event, at: clock.now, on: clock))
    }
  }
}
