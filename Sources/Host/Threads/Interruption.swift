/// Work that can be interrupted, by Ctrl-C for example.
package final class Interruption: Sendable {
  private let running = Locked<Task<Void, any Error>?>(nil)

  package init() {}

  /// Returns when `body` has ended.
  ///
  /// - Throws: `CancellationError` if it was interrupted.
  package func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = OneThread.task { try await body() }
    running.withLock { $0 = task }
    defer { running.withLock { $0 = nil } }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
    // The last command may have had its outcome before the interruption was noticed.
    if task.isCancelled { throw CancellationError() }
  }

  /// - Returns: whether there was work to interrupt.
  package func interrupt() -> Bool {
    running.withLock { task in
      task?.cancel()
      return task != nil
    }
  }
}
