import DBus
import MockMachine
import TestSupport
import Testing

/// A private bus with the mock on it, one client, and the log of what both said.
struct Setup {
  let bus: PrivateBus
  let mock: MockBlueZ
  let clock: ManualClock
  let client: Client
  let events: Log<MockEvent.Kind>

  /// Waits for an event that the mock tells from now on or told already.
  func event(_ kind: MockEvent.Kind) async { await events.wait { $0.contains(kind) } }

  /// Waits until the mock took a call of this method.
  func called(_ method: String, times: Int = 1) async {
    await events.wait { kinds in
      kinds.count { kind in
        if case .called(method, _, _, _) = kind { true } else { false }
      } >= times
    }
  }

  func perform(_ line: String) async throws {
    try await mock.perform(#require(try MockVerb(parsing: line)))
  }

  func anotherClient() async throws -> Client { try await Client(bus) }
}

/// Runs a test's body on a setup. Nothing takes time but what the manual clock passes, unless
/// `timings` says otherwise.
///
/// - Parameter version: what the most of what is tested was recorded on first.
func withSetup(
  _ model: MockModel = .oneMachine,
  timings: MockTimings = .instant,
  version: MockVersion = .v5_66,
  _ body: (Setup) async throws -> Void
) async throws {
  let bus = try PrivateBus.start()
  defer { bus.stop() }
  let clock = ManualClock()
  let mock = MockBlueZ(
    bus: bus.address,
    model: model,
    timings: timings,
    version: version,
    clock: clock
  )
  try await mock.start()
  let events = Log<MockEvent.Kind>()
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { await mock.run() }
    group.addTask {
      for await event in mock.events { await events.append(event.kind) }
    }
    let client = try await Client(bus)
    group.addTask { await client.listen() }
    do {
      try await body(
        Setup(bus: bus, mock: mock, clock: clock, client: client, events: events)
      )
    } catch {
      await mock.stop()
      await client.connection.close()
      throw error
    }
    await mock.stop()
    await client.connection.close()
  }
}

/// The error of a call that must fail.
func failure(
  _ body: () async throws(DBusError) -> Void,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> DBusError {
  do throws(DBusError) {
    try await body()
    Issue.record("the call succeeded", sourceLocation: sourceLocation)
    return DBusError(name: "none", message: "")
  } catch {
    return error
  }
}

func bluezError(_ name: String, _ message: String) -> DBusError {
  DBusError(name: "org.bluez.Error.\(name)", message: message)
}

/// What came so far, and waiting for what comes.
actor Log<Entry: Sendable> {
  private(set) var entries: [Entry] = []
  private var waiters:
    [(condition: ([Entry]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

  func append(_ entry: Entry) {
    entries.append(entry)
    let satisfied = waiters.filter { $0.condition(entries) }
    waiters.removeAll { $0.condition(entries) }
    for waiter in satisfied { waiter.continuation.resume() }
  }

  func wait(until condition: sending @escaping ([Entry]) -> Bool) async {
    if condition(entries) { return }
    await withCheckedContinuation { waiters.append((condition, $0)) }
  }
}
