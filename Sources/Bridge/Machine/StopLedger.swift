import Clocks
import Safety

/// The outcome of the last stop command, and the callers that wait for one.
struct StopLedger: Sendable {
  /// The outcome of the last stop command, until a ball leaves.
  var last: StopOutcome?
  private var waiters: [Waiter] = []

  /// Who asked, and how.
  enum Caller: Hashable, Sendable {
    case request(BridgeMachine.RequestID)
    case byHand(BridgeMachine.RequestID)
  }

  private struct Waiter: Hashable {
    let caller: Caller
    let deadline: MonotonicInstant
  }

  /// When the first of them gets what is known by then.
  var nextDeadline: MonotonicInstant? { waiters.map(\.deadline).min() }

  mutating func wait(_ caller: Caller, until deadline: MonotonicInstant) {
    waiters.append(Waiter(caller: caller, deadline: deadline))
  }

  /// - Returns: all of them, who wait no longer.
  mutating func takeAll() -> [Caller] {
    defer { waiters = [] }
    return waiters.map(\.caller)
  }

  /// - Returns: those whose time is over, who wait no longer.
  mutating func takeExpired(at now: MonotonicInstant) -> [Caller] {
    defer { waiters.removeAll { $0.deadline <= now } }
    return waiters.filter { $0.deadline <= now }.map(\.caller)
  }
}
