import Clocks
import ControlProtocol
import Host
import JSON
import Programs

/// Watches what a ball that waits in the console must not outlive: a change of the session's state by a
/// person, and a standstill of the console itself, as by Ctrl-Z.
final class StateWatch: Sendable {
  /// Between two looks at the clock.
  private static let look = Duration.milliseconds(100)

  static let stateChanged = Failure(
    .temporary,
    "not sent: the session's state changed meanwhile"
  )

  private let cause = Locked<(any Error)?>(nil)

  private let client: ControlClient

  private init(_ client: ControlClient) { self.client = client }

  /// Watches while `body` runs.
  ///
  /// - Parameter goesOn: whether a state of safety may follow another one.
  static func run(
    on service: ServiceConnection,
    while goesOn: @escaping @Sendable (SafetyRecord, _ after: SafetyRecord) -> Bool,
    _ body: (StateWatch) async throws -> Void
  ) async throws {
    let watch = try await open(on: service, while: goesOn)
    defer { watch.close() }
    try await body(watch)
  }

  /// Watches until ``close()``, on a connection of its own.
  static func open(
    on service: ServiceConnection,
    while goesOn: @escaping @Sendable (SafetyRecord, _ after: SafetyRecord) -> Bool
  ) async throws -> StateWatch {
    // An interruption doesn't wait for a service that takes its time.
    let client = try await waiting { [place = service.place] in
      try await ServiceConnection.open(place).client
    }
    do { _ = try await client.call(.subscribe()) } catch {
      client.close()
      throw error
    }
    let watch = StateWatch(client)
    // Ends with the connection.
    OneThread.task { watch.end(with: await Self.firstEnd(of: client.notifications, while: goesOn)) }
    // Notice a standstill also where nothing else sleeps. Ends with the watch.
    OneThread.task { try await watch.sleep(for: .seconds(1_000_000)) }
    return watch
  }

  func close() { client.close() }

  /// Throws what has ended the watch.
  func check() throws {
    if let cause = cause.withLock(\.self) { throw cause }
  }

  func sleep(for duration: Duration) async throws {
    try await sleep(until: SystemClock().now.advanced(by: duration), endsEarly: true)
  }

  /// - Parameter endsEarly: whether it throws at once what ends the watch.
  func sleep(until last: MonotonicInstant, endsEarly: Bool) async throws {
    let clock = SystemClock()
    var now = clock.now
    while now < last {
      let next = min(now.advanced(by: Self.look), last)
      try await clock.wait(until: next, tolerance: nil)
      now = clock.now
      if next.duration(to: now) > .seconds(1) {
        end(with: Failure(.temporary, "not sent: this console stood still meanwhile"))
      }
      if endsEarly { try check() }
    }
  }

  /// The first end counts.
  private func end(with error: any Error) {
    cause.withLock { $0 = $0 ?? error }
  }

  private static func firstEnd(
    of notifications: EventStream<ControlClient.Notification>,
    while goesOn: (SafetyRecord, _ after: SafetyRecord) -> Bool
  ) async -> any Error {
    // The first event is the present state.
    var last: SafetyRecord?
    for await notification in notifications {
      guard case .event(let object) = notification else { return stateChanged }
      guard let record = try? object.decoded(as: EventRecord.self),
        case .safety(let safety) = record.event
      else { continue }
      // A machine that takes a stop, say, is no person who steps in.
      if let last, !safety.differsInHoldsAlone(from: last), !goesOn(safety, last) {
        return stateChanged
      }
      last = safety
    }
    return ControlClientError.lost
  }
}

extension SafetyRecord {
  func differsInHoldsAlone(from old: SafetyRecord) -> Bool {
    (state, code) == (old.state, old.code) && holds != old.holds
  }
}
