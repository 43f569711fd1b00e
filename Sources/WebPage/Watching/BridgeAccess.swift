import Clocks
package import ControlProtocol
package import Host
package import JSON

/// The page's connections to the service: one for requests, and, while phones watch, one for events
/// and one in reserve.
package actor BridgeAccess {
  package typealias Directory = @Sendable () throws -> RuntimeDirectory

  /// What phones hear of the service.
  package enum News: Sendable {
    case event(name: String, JSONValue)
    case status(JSONValue)
    case away(reason: String)

    /// The state of safety; nil if this news has none.
    var safetyState: String? {
      switch self {
      case .event("safety", let record): record["state"]?.string
      case .status(let record): record["safety"]?["state"]?.string
      case .event, .away: nil
      }
    }
  }

  private static let second = Duration.seconds(1)
  /// An answer that is awaited for so long should have come.
  private static let late = Duration.milliseconds(500)
  /// A phone shows a player's place ten times a second at most.
  private static let positions = Duration.milliseconds(100)

  private nonisolated let executor = LoopExecutor.ofProgram()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let directory: Directory
  private var requests: Task<ControlClient, any Error>?
  private var report: (@Sendable (News) -> Void)?
  private var following: Task<Void, Never>?
  private var events: ControlClient?
  /// Connected in advance: the service can tell whether a request or a stop came first only on a connection
  /// that is older than both.
  private var reserve: ControlClient?
  /// The client whose answer is awaited, and since when.
  private var asked: (client: ControlClient, since: MonotonicInstant)?
  /// How many events have made older statuses untrue.
  private var changes = 0
  /// Why no service is followed; nil: that isn't known yet.
  private var reason: String?

  package init(_ directory: @escaping Directory) { self.directory = directory }

  // MARK: Requests

  package func call(
    _ request: ControlRequest,
    timeout: Duration = .seconds(15)
  ) async throws -> JSONValue {
    try await client().call(request, timeout: timeout)
  }

  /// The kept connection, or a new one.
  private func client() async throws -> ControlClient {
    if let requests { return try await requests.value }
    let connecting = OneThread.task { [directory] in
      try await ControlClient.connect(in: directory())
    }
    requests = connecting
    do {
      let client = try await connecting.value
      OneThread.task { [weak self] in
        // Without a subscription there is none: this waits for the connection's end.
        for await _ in client.notifications {}
        await self?.forget(connecting)
      }
      return client
    } catch {
      forget(connecting)
      throw error
    }
  }

  private func forget(_ task: Task<ControlClient, any Error>) {
    if requests == task { requests = nil }
  }

  /// Another connection, which the caller holds.
  package func ownClient() async throws -> ControlClient {
    defer { OneThread.task { [weak self] in await self?.connectReserve() } }
    guard let client = reserve else { return try await ControlClient.connect(in: directory()) }
    reserve = nil
    return client
  }

  private func connectReserve() async {
    guard let service = events, reserve == nil,
      let client = try? await ControlClient.connect(in: directory())
    else { return }
    if events === service { reserve = client }
  }

  // MARK: News

  /// Begins to follow the service.
  package func follow(_ report: @escaping @Sendable (News) -> Void) {
    self.report = report
    guard following == nil else {
      // Who comes later gets the state now, too.
      OneThread.task { [weak self] in await self?.pulse() }
      return
    }
    following = OneThread.task { [weak self] in
      await withTaskGroup { group in
        group.addTask { [weak self] in await self?.followServices() }
        group.addTask { [weak self] in
          while (try? await SystemClock().sleep(for: Self.second)) != nil { await self?.look() }
        }
      }
    }
  }

  /// - Parameter isDone: asked here, so that what begins meanwhile is not ended.
  package func endFollowing(if isDone: @Sendable () -> Bool) {
    guard isDone() else { return }
    following?.cancel()
    following = nil
    report = nil
    events?.close()
    events = nil
    reserve = nil
    reason = nil
  }

  /// One service after the other.
  private func followServices() async {
    let service = FollowedService(player: Self.positions, in: directory)
    // After a cancellation another task follows the service.
    try? await service.follow { [weak self] news in try await self?.receive(news) }
  }

  private func receive(_ news: FollowedService.News) async throws {
    try Task.checkCancellation()
    switch news {
    case .here(let client):
      events = client
      OneThread.task { [weak self] in await self?.connectReserve() }
      await pulse()
    case .event(let event):
      let name = event["event"]?.string ?? ""
      report?(.event(name: name, event))
      // A dispatch's count and the next one's time are in no event.
      guard name == "dispatch" || Viewer.newerThanStatus.contains(name) else { return }
      changes += 1
      OneThread.task { [weak self] in await self?.pulse() }
    case .dropped: break
    case .ended: lose(ControlClientError.lost)
    case .away(let error): lose(error)
    }
  }

  private func lose(_ error: any Error) {
    events = nil
    reserve = nil
    reason = "\(error)"
    report?(.away(reason: "\(error)"))
  }

  /// Once a second: asks, or says that no answer has come.
  private func look() {
    if let asked, asked.client === events,
      asked.since.duration(to: SystemClock().now) >= Self.late
    {
      report?(.away(reason: "the service does not answer"))
    } else {
      OneThread.task { [weak self] in await self?.pulse() }
    }
  }

  /// Asks for the state as a whole, which shows that the service lives.
  private func pulse() async {
    guard let client = events else {
      if let reason { report?(.away(reason: reason)) }
      return
    }
    guard asked?.client !== client else { return }
    var status: JSONValue?
    var before: Int
    repeat {
      before = changes
      asked = (client, SystemClock().now)
      status = try? await client.call(.status, timeout: .seconds(5))
      // The answer may be older than an event that was reported meanwhile.
    } while status != nil && before != changes && events === client
    if asked?.client === client { asked = nil }
    if let status, events === client { report?(.status(status)) }
  }
}
