import Clocks
package import ControlProtocol
package import Host
package import JSON

/// One court between the bridge's service and the broker: what it says goes out, and stops come in.
package actor CourtService {
  /// What is asked of the bridge. Nothing of it moves a ball.
  package struct Bridge: Sendable {
    package var services: FollowedService
    package var stop: @Sendable () async -> StopRecord
    /// The lines of `ballmachine doctor --json`; nil: it could not be run.
    package var findings: @Sendable () async -> [JSONValue]?
    /// The summary of a session, or of the `last` one; nil: there is none. Asked if sessions are
    /// published.
    package var session: @Sendable (_ name: String) async -> JSONValue?
    /// A JPEG of the court. Called only on a request, and only where pictures are allowed.
    package var picture: @Sendable () async throws(LineClientError) -> [UInt8]

    /// - Parameter place: where the service has its sockets.
    package init(
      _ place: @escaping @Sendable () throws -> RuntimeDirectory,
      findings: @escaping @Sendable () async -> [JSONValue]?,
      session: @escaping @Sendable (_ name: String) async -> JSONValue?,
      picture: @escaping @Sendable () async throws(LineClientError) -> [UInt8]
    ) {
      services = FollowedService(in: place)
      stop = { await StopRecord { try await ControlClient.stop(in: try place()) } }
      self.findings = findings
      self.session = session
      self.picture = picture
    }
  }

  /// A service that stands still says nothing: it is asked so often.
  private static let pulse = Duration.seconds(15)
  private static let second = Duration.seconds(1)
  /// From a change to the doctor's examination: a link that comes back has no problem.
  private static let settling = Duration.seconds(10)
  private static let examinations = Duration.seconds(60)
  private static let hour = Duration.seconds(3600)
  /// So many stops at once get an outcome.
  private static let mostStops = 16
  /// A log's last lines are on the disk by then.
  private static let logging = Duration.seconds(3)

  private nonisolated let executor: LoopExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let settings: FleetSettings
  private let bridge: Bridge
  private let stops: StopLine
  private let publisher: CourtPublisher
  private let report: @Sendable (CourtPublisher.News) -> Void
  private var state: CourtState
  private var client: ControlClient?
  private var isAsking = false
  private var asksAgain = false
  private var runningStops = 0
  private var pictures = PictureTurns()
  private var answered: [(stop: String, at: MonotonicInstant)] = []
  private var summing: Task<Void, Never>?
  private var lastSafety: String?
  private var condition = ""
  private var examination: (due: MonotonicInstant, task: Task<Void, Never>)?
  private var lastExamination: MonotonicInstant?

  /// - Parameters:
  ///   - box: this box's ID.
  ///   - former: whose court it was when this program ran last.
  ///   - version: of this program.
  ///   - report: called on the executor's thread.
  package init(
    _ settings: FleetSettings,
    box: String,
    former: FormerOwner = .unknown,
    version: String,
    on broker: BrokerSettings,
    of bridge: Bridge,
    executor: LoopExecutor = .ofProgram(),
    report: @escaping @Sendable (CourtPublisher.News) -> Void
  ) {
    self.executor = executor
    self.settings = settings
    self.bridge = bridge
    self.report = report
    stops = StopLine(bridge.stop)
    state = CourtState(settings, version: version)
    publisher = CourtPublisher(
      settings,
      box: box,
      former: former,
      version: version,
      on: broker,
      executor: executor,
      report: report
    )
  }

  /// Until the task is cancelled.
  package func run() async {
    // Until the service says something, what the broker keeps of an earlier run is not known any more.
    _ = state.leave("the bridge has not answered yet", time: WallTime())
    publish(state.all)
    examine(after: Self.settling)
    await withTaskGroup { group in
      group.addTask {
        await self.publisher.run { [weak self] request in
          self?.assumeIsolated { $0.take(request) }
        }
      }
      group.addTask { try? await self.bridge.services.follow { await self.receive($0) } }
      group.addTask {
        while (try? await SystemClock().sleep(for: self.settings.player ? Self.second : Self.pulse))
          != nil
        {
          await self.ask()
        }
      }
    }
    examination?.task.cancel()
  }

  // MARK: The service

  private func receive(_ news: FollowedService.News) async {
    switch news {
    case .here(let client):
      self.client = client
      await ask()
    case .event(let event):
      publish(state.receive(event: event))
      await look(at: event)
    case .dropped: await ask()
    case .ended: leave(ControlClientError.lost)
    case .away(let error): leave(error)
    }
  }

  private func leave(_ error: any Error) {
    client = nil
    lastSafety = nil
    publish(state.leave("\(error)", time: WallTime()))
    change(to: "away")
  }

  private func look(at event: JSONValue) async {
    let word = event["state"]?.string ?? ""
    switch event["event"]?.string {
    // The counts of balls are in no event: ask for them.
    case "dispatch", "manual": await ask()
    case "link": change(to: "link \(word)")
    case "safety":
      let wasArmed = lastSafety.map(SafetyRecord.isArmed) ?? false
      if wasArmed, !SafetyRecord.isArmed(word) { sumUp() }
      if word != lastSafety { change(to: "safety \(word)") }
      lastSafety = word
    default: break
    }
  }

  /// Asks for the state as a whole. A service that doesn't answer is followed no longer, until it does.
  private func ask() async {
    guard let client else { return }
    guard !isAsking else {
      asksAgain = true
      return
    }
    isAsking = true
    defer { isAsking = false }
    repeat {
      asksAgain = false
      do {
        let answer = try await client.call(.status, timeout: .seconds(5))
        guard self.client === client else { return }
        if let status = try? answer.decoded(as: StatusRecord.self) {
          publish(state.receive(status: status, time: WallTime()))
        }
      } catch {
        client.close()
        return
      }
    } while asksAgain
  }

  private func publish(_ messages: [CourtState.Message]) {
    publisher.assumeIsolated { publisher in
      for message in messages { publisher.set(message.topic, message.payload) }
    }
  }

  private func take(_ request: CourtPublisher.Request) {
    switch request {
    case .stop(let payload): takeStop(payload)
    case .picture: takePicture()
    }
  }

  // MARK: Pictures

  private func takePicture() {
    guard settings.picture, pictures.begin(at: SystemClock().now) else { return }
    OneThread.task { [bridge] in
      do throws(LineClientError) {
        await self.give(.success(try await bridge.picture()))
      } catch {
        await self.give(.failure(error))
      }
    }
  }

  private func give(_ picture: Result<[UInt8], LineClientError>) {
    pictures.end()
    switch picture {
    case .success(let bytes):
      publish([(.picture, bytes)])
      report(.picture(nil))
    case .failure(let error): report(.picture(error.description))
    }
  }

  // MARK: Stops

  private func takeStop(_ payload: [UInt8]) {
    // One that waits begins after this message has come: it is this one's, too.
    guard runningStops < Self.mostStops else { return }
    runningStops += 1
    OneThread.task { [stops] in await self.say(await stops.stop(), to: payload) }
  }

  /// An answer may replace one that is not published yet: so it names the stops of the last answers, too.
  private func say(_ answer: StopRecord, to payload: [UInt8]) {
    runningStops -= 1
    let now = SystemClock().now
    answered.removeAll { $0.at.advanced(by: CourtStop.timeout) < now }
    if let text = CourtStop.text(of: payload) { answered.append((text, now)) }
    answered = answered.suffix(Self.mostStops)
    // The newest first: where the broker's packets are short, the others are left out.
    let record = CourtStopRecord(answer, to: answered.reversed().map(\.stop), time: WallTime())
    guard let payload = try? JSONEncoding.line(record) else { return }
    publish([(.outcome, payload)])
  }

  // MARK: What other programs say

  /// One after the other, so that the newest is published last.
  private func sumUp() {
    guard settings.session else { return }
    summing = OneThread.task { [earlier = summing] in
      await earlier?.value
      try? await SystemClock().sleep(for: Self.logging)
      await self.publishEndedSession()
    }
  }

  private func publishEndedSession() async {
    guard let summary = await endedSession() else { return }
    publish(state.receive(session: summary))
  }

  /// The last one may have begun meanwhile.
  private func endedSession() async -> JSONValue? {
    guard let last = await bridge.session("last") else { return nil }
    guard let before = CourtState.session(before: last) else { return last }
    return await bridge.session(before)
  }

  /// Another condition may have other problems: the doctor is asked again.
  private func change(to condition: String) {
    guard condition != self.condition else { return }
    self.condition = condition
    let last = lastExamination.map {
      SystemClock().now.duration(to: $0.advanced(by: Self.examinations))
    }
    examine(after: max(Self.settling, last ?? .zero))
  }

  private func examine(after delay: Duration) {
    let due = SystemClock().now.advanced(by: delay)
    if let examination {
      guard due < examination.due else { return }
      examination.task.cancel()
    }
    let task = OneThread.task {
      guard (try? await SystemClock().wait(until: due, tolerance: nil)) != nil else { return }
      await self.publishFindings()
    }
    examination = (due, task)
  }

  private func publishFindings() async {
    // Another one may have been set meanwhile.
    guard !Task.isCancelled else { return }
    examination = nil
    lastExamination = SystemClock().now
    if let lines = await bridge.findings() {
      publish(state.receive(problems: CourtProblemsRecord(doctor: lines)))
    }
    examine(after: Self.hour)
  }
}
