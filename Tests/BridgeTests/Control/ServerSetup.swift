import CourtLogic
import Glibc
import TestSupport
import Testing

@testable import Bridge
@testable import ControlProtocol
@testable import Host
@testable import JSON

/// A control server over a fake service, in a directory of its own.
struct ServerSetup {
  let service = FakeService()
  let directory: RuntimeDirectory
  private let base: TemporaryDirectory
  private let reload: (@Sendable (Bool) async throws(ControlError) -> ReloadRecord)?
  private let identities: ClientIdentities

  init(
    role: ControlRole = .technician,
    reload: (@Sendable (Bool) async throws(ControlError) -> ReloadRecord)? = nil
  ) throws {
    try self.init(ClientIdentities(role: role), reload: reload)
  }

  /// - Parameter identities: of the clients that connect to the control socket.
  init(
    _ identities: ClientIdentities,
    reload: (@Sendable (Bool) async throws(ControlError) -> ReloadRecord)? = nil
  ) throws {
    let base = try TemporaryDirectory()
    self.base = base
    self.reload = reload
    self.identities = identities
    directory = try RuntimeDirectory(at: base("run"))
  }

  var controlPath: String { directory.path(of: ControlSockets.control) }
  var stopPath: String { directory.path(of: ControlSockets.stop) }

  /// Runs the server as long as `body` does.
  ///
  /// - Parameters:
  ///   - other: what it serves instead of the fake.
  ///   - executor: serves the sockets.
  func run(
    serving other: (any ControlledService)? = nil,
    on executor: LoopExecutor = LoopExecutor(),
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    let server = try ControlServer(
      in: directory,
      service: other ?? service,
      executor: executor,
      identify: { [identities] _ in identities.next() },
      version: "1.2.3",
      clock: SystemClock(),
      reload: reload
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do { try await server.run() } catch {
          Issue.record(error, "the server can't go on")
          throw error
        }
      }
      group.addTask { [service] in
        // What is told before the server listens would be lost.
        while other == nil, await service.subscriberCount == 0 { await Task.yield() }
        try await body()
      }
      // The first to end: the body, or a server that can't go on.
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Holds the thread that serves the control socket, by a client that connects.
  func hold(by identities: ClientIdentities) async throws -> (Blockade, WireClient) {
    let blockade = try Blockade()
    identities.blockade.withLock { $0 = blockade }
    let newcomer = try await WireClient(controlPath)
    while identities.blockade.withLock({ $0 != nil }) { try await Task.yieldUnlessCancelled() }
    return (blockade, newcomer)
  }

  /// A client that has been greeted.
  func client() async throws -> WireClient {
    let client = try await WireClient(controlPath)
    let hello = try #require(await client.line())
    try #require(hello["method"]?.string == "hello")
    return client
  }
}

extension ServerSetup {
  /// So many who connect to the stop socket and say nothing yet.
  func callers(_ count: Int) async throws -> [WireClient] {
    var callers: [WireClient] = []
    for _ in 0..<count { callers.append(try await WireClient(stopPath)) }
    return callers
  }
}

/// Who the clients are, in the order in which they connect: what the kernel would tell of them.
final class ClientIdentities: Sendable {
  private let waiting = Locked<[ControlIdentity]>([])
  private let role: ControlRole

  /// - Parameter role: of those that are not named, each a user of its own.
  init(role: ControlRole) {
    self.role = role
  }

  /// Holds the thread that asks who the next client is.
  let blockade = Locked<Blockade?>(nil)
  private let lastUser = Locked<uid_t>(5_000)

  /// The next clients are these.
  func expect(_ count: Int, user: uid_t, role: ControlRole) {
    let identity = ControlIdentity(user: user, role: role)
    waiting.withLock { $0 += Array(repeating: identity, count: count) }
  }

  func next() -> ControlIdentity {
    blockade.withLock { $0.take() }?.block()
    if let identity = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return identity }
    let user = lastUser.withLock { user in
      user += 1
      return user
    }
    return ControlIdentity(user: user, role: role)
  }
}

extension JSONValue {
  var code: Int? { self["error"]?["code"]?.integer }
}
