import Host

/// Work that waits for a disk, with a limit: new requests must not pile up behind a read that is
/// stuck.
package struct DiskWait: Sendable {
  /// How long a caller waits; a client of the control socket waits longer than that.
  private let limit: Duration
  private let state = Locked(State())

  package init(limit: Duration = .seconds(10)) { self.limit = limit }

  private struct State: Sendable {
    var underWay = 0
    /// Whether a read still goes on after the wait for it has ended.
    var isStuck = false
  }

  /// The disk has not answered in time.
  struct Stuck: Error {}

  /// - Throws: ``Stuck``, `CancellationError`, and what the work throws.
  func callAsFunction<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let isStuck = state.withLock { state in
      if !state.isStuck { state.underWay += 1 }
      return state.isStuck
    }
    guard !isStuck else { throw Stuck() }
    do {
      return try await waiting(atMost: limit) { [state] in
        defer {
          state.withLock { state in
            state.underWay -= 1
            state.isStuck = false
          }
        }
        return try await work()
      }
    } catch is TimeoutError {
      state.withLock { $0.isStuck = $0.underWay > 0 }
      throw Stuck()
    }
  }
}
