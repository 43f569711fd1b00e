import Host

/// Work that can be interrupted, by Ctrl-C for example.
final class Interruption: Sendable {
  private let running = Locked<Task<Void, any Error>?>(nil)

  /// Returns when `body` has ended or was interrupted, which is no error.
  func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task<Void, any Error> { try await body() }
    running.withLock { $0 = task }
    defer { running.withLock { $0 = nil } }
    do {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch is CancellationError {}
  }

  /// - Returns: whether there was work to interrupt.
  func interrupt() -> Bool {
    running.withLock { task in
      task?.cancel()
      return task != nil
    }
  }
}
