import Fleet
import Glibc
import Host
import JSON
import Programs

/// `ballmachine mqtt run`: puts the court on the broker, as a service or by hand.
struct Run: Subcommand {
  var mqtt = MQTTOptions()
  var simulate = false
  var forget = false
  var isBoxGone = false
  /// The court to forget; nil: the configuration's.
  var court: String?

  static let usage = Usage<Self>(
    name: "run",
    summary: "Put the court on the broker",
    options: MQTTOptions.options.within(\.mqtt) + [
      .flag("simulate", \.simulate, "Publish this user's simulation instead of the service"),
      .flag("forget", \.forget, "Remove from the broker what it keeps of the court, and end"),
      .flag("box-is-gone", \.isBoxGone, "With --forget: also if the broker calls the court online"),
    ],
    arguments: [.optional(ValueKind("COURT", .court), \.court)],
    details: """
      It publishes the court's state until SIGINT or SIGTERM. It waits for the bridge's service and \
      for the broker, and follows the next one when that ends. When this program ends, nothing that \
      the bridge does changes. A second one on the box ends with 75.

      --forget is for a court that is no more: Home Assistant forgets it, too. End the service \
      first. Only if the box is dead or lost, and the broker still calls its court online, as after \
      a power failure of the broker, add --box-is-gone. Of a court that was renamed, give its \
      earlier name as COURT. Where the broker has an access list, it may let only the earlier \
      court's user do that: forget the court before it is renamed, or with a copy of the earlier \
      configuration.
      """
  )

  func validate() throws(UsageError) {
    guard court == nil || forget else { throw UsageError("COURT goes with --forget") }
    guard !isBoxGone || forget else { throw UsageError("--box-is-gone goes with --forget") }
    if simulate, forget { throw UsageError("--simulate and --forget contradict each other") }
  }

  func run(_ output: Output) async throws {
    let settings = try mqtt.settings()
    let broker = try settings.readBroker()
    guard !forget else {
      var forgotten = settings
      if let court { forgotten.court = court }
      try await ForgottenCourt(
        settings: forgotten,
        broker: broker,
        isBoxGone: isBoxGone,
        remembered: RememberedOwner(
          of: forgotten.court ?? "",
          in: try ProgramPlaces.mqtt.stateOfService()
        )
      ).forget()
      try await output.confirm(Forgotten(court: forgotten.court ?? ""))
      return
    }
    let journal = JournalLog(least: .information) { Output.complain("ballmachine mqtt: \($0)") }
    let notifier = ServiceNotifier()
    let state = try ProgramPlaces.mqtt.state()
    let box = try loadBox(state)
    let lock = try takeLock(in: state, warningOn: journal)
    defer { lock?.release() }
    // `ballmachine doctor' and `session', which this asks, would look for the bridge's logs there.
    unsetenv("STATE_DIRECTORY")
    if let doubt = settings.nameDoubt {
      journal.write("warning: fleet.name has \(doubt): change it in \(mqtt.path)", .warning)
    }
    let log = FleetLog(journal, notifier, court: settings.court ?? "", broker: broker)
    let memory = RememberedOwner(of: settings.court ?? "", in: state)
    let service = CourtService(
      settings,
      box: box,
      former: memory.owner,
      version: Version.number,
      on: broker,
      of: simulate ? .simulation : .service,
      report: { news in
        log.write(news)
        do { try memory.receive(news) } catch { journal.write("warning: \(error)", .warning) }
      }
    )
    let signals = try endSignals()
    notifier.ready()
    let runs = UnfinishedRuns(in: state) { journal.write("warning: \($0)", .warning) }
    let unfinished = runs.begin()
    let delay = UnfinishedRuns.delay(after: unfinished)
    let settling = OneThread.task {
      guard (try? await SystemClock().sleep(for: delay + UnfinishedRuns.steady)) != nil else {
        return
      }
      runs.settle()
    }
    defer { settling.cancel() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        if delay > .zero {
          log.wait(delay, after: unfinished)
          guard (try? await SystemClock().sleep(for: delay)) != nil else { return }
        }
        await service.run()
      }
      group.addTask { for await _ in signals { return } }
      try await group.next()
      group.cancelAll()
      // It says farewell to the broker.
      do { try await group.waitForAll() } catch is CancellationError {}
    }
    notifier.stopping()
    runs.finish()
    await journal.flush()
    try await output.flush()
  }

  /// - Returns: this box's ID.
  private func loadBox(_ state: StateDirectory) throws -> String {
    let identity = BoxIdentity(in: state)
    do throws(StateFileError) { return try identity.load() } catch {
      throw Failure(.cannotCreate, "\(identity.path): \(error)")
    }
  }

  /// Two of one name would take each other's connection for ever, and a broker needn't say why.
  ///
  /// - Returns: nil if no lock can be made: a full disk must not take the office's stop away.
  private func takeLock(
    in state: StateDirectory,
    warningOn journal: JournalLog
  ) throws -> LockFile? {
    do throws(MachineLockError) {
      return try LockFile(path: state.path(of: "lock"), mode: 0o600)
    } catch {
      switch error {
      case .held(let holder):
        let process = holder.map { ", process \($0)" } ?? ""
        throw Failure(.temporary, "ballmachine-mqtt already runs here\(process): end it first")
      case .system(let error):
        journal.write("warning: a second one is not kept from running here: \(error)", .warning)
        return nil
      }
    }
  }
}

extension CourtService.Bridge {
  /// The bridge of a simulation, without findings: those are the service's.
  fileprivate static let simulation = CourtService.Bridge(
    { try .ofSimulation() },
    findings: { [] },
    session: { await session($0, ["--simulate"]) },
    picture: picture
  )

  fileprivate static let service = CourtService.Bridge(
    { try .ofRunningBridge() },
    findings: {
      await records(of: ["doctor", "--json"])?.filter {
        !unseen.contains($0["code"]?.string ?? "")
      }
    },
    session: { await session($0) },
    picture: picture
  )

  private static let picture = { @Sendable () async throws(LineClientError) in
    try await CourtPicture.take(at: ProgramPlaces.camera.picture)
  }

  private static func session(_ name: String, _ options: [String] = []) async -> JSONValue? {
    await records(of: ["session", name, "--json"] + options)?.last {
      $0["event"]?.string == "trainingSession"
    }
  }

  /// What the doctor finds in this service's sandbox alone, which keeps Bluetooth, cameras and listening
  /// at addresses from it.
  private static let unseen: Set = [
    "bus.refused", "camera.missing", "kernel.no-bluetooth", "kernel.unknown", "page.address",
    "permission.refused",
  ]

  /// What `ballmachine` prints.
  private static func records(of arguments: [String]) async -> [JSONValue]? {
    let program = OtherProgram.path(beside: "ballmachine") ?? "ballmachine"
    return await OtherProgram.records(of: [program] + arguments, within: .seconds(60))
  }
}

/// What the broker keeps no longer.
private struct Forgotten: Report {
  var event = "forgotten"
  var court: String

  var text: String { "the broker has forgotten \(court)" }
}
