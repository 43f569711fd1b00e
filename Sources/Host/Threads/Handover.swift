/// A place for one value, where a task waits for it. The first value counts.
///
/// It is handed over under a mutex: ThreadSanitizer can't see how a continuation does it.
package final class Handover<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var value: Value?
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  package init() {}

  package func give(_ value: Value) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.value == nil else { return nil }
      state.value = value
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Waits for the value. For one task.
  package func value() async -> Value {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.value == nil { state.waiter = continuation }
        return state.value != nil
      }
      if isThere { continuation.resume() }
    }
    guard let value = state.withLock({ $0.value }) else {
      preconditionFailure("only a value ends the waiting")
    }
    return value
  }
}
