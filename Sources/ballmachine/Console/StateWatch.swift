import Clocks
import ControlProtocol
import Host
import JSON
import Programs
import Reports

/// Watches what a ball that waits in the console must not outlive: a change of the session's state by a
/// person, and a standstill of the console itself, as by Ctrl-Z.
final class StateWatch: Sendable {
  /// Between two looks at the clock.
  private static let look = Duration.milliseconds(100)

  private static let stateChanged = Failure(
    .temporary,
    "not sent: the session's state changed meanwhile"
  )

  private let cause = Locked<(any Error)?>(nil)

  /// Watches while `body` runs, on a connection of its own.
  static func run(
    on service: ServiceConnection,
    _ body: (StateWatch) async throws -> Void
  ) async throws {
    // An interruption doesn't wait for a service that takes its time.
    let client = try await waiting { [place = service.place] in
      try await ServiceConnection.open(place).client
    }
    defer { client.close() }
    _ = try await client.call(.subscribe())
    let watch = StateWatch()
    // Ends with the connection.
    OneThread.task { watch.end(with: await Self.firstEnd(of: client.notifications)) }
    // Notice a standstill also where nothing else sleeps. Ends with the watch.
    OneThread.task { try await watch.sleep(for: .seconds(1_000_000)) }
    try await body(watch)
  }

  /// Throws what has ended the watch.
  func check() throws {
    if let cause = cause.withLock(\.self) { throw cause }
  }

  /// Throws at once what ends the watch.
  func sleep(for duration: Duration) async throws {
    let clock = SystemClock()
    var now = clock.now
    let last = now.advanced(by: duration)
    while now < last {
      let next = min(now.advanced(by: Self.look), last)
      try await clock.wait(until: next, tolerance: nil)
      now = clock.now
      if next.duration(to: now) > .seconds(1) {
        end(with: Failure(.temporary, "not sent: this console stood still meanwhile"))
      }
      try check()
    }
  }

  /// The first end counts.
  private func end(with error: any Error) {
    cause.withLock { $0 = $0 ?? error }
  }

  private static func firstEnd(
    of notifications: EventStream<ControlClient.Notification>
  ) async -> any Error {
    // The first event is the present state.
    var last: SafetyRecord?
    for await notification in notifications {
      guard case .event(let object) = notification else { return stateChanged }
      guard let record = try? object.decoded(as: EventRecord.self),
        case .safety(let safety) = record.event
      else { continue }
      // A machine that takes a stop, say, is no person who steps in.
      if let last, !safety.differsInHoldsAlone(from: last), !safety.comesByHand(after: last) {
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
