/// A place for one answer, where a task waits for it. The first answer counts.
package final class FirstAnswer<Value: Sendable>: Sendable {
  private let handover = Handover<Result<Value, any Error>>()

  package init() {}

  package func give(_ answer: Result<Value, any Error>) { handover.give(answer) }

  /// Waits for the answer. For one task.
  package func wait() async throws -> Value { try await handover.value().get() }
}

/// Waits for an answer that `body` gives while it runs; then `body` is cancelled.
///
/// - Parameter limit: nil waits until the task is cancelled.
/// - Throws: as ``waiting(atMost:for:)``; `CancellationError`, too, if `body` ends without an answer.
package func firstAnswer<Value: Sendable>(
  atMost limit: Duration? = nil,
  of body: @escaping @Sendable (FirstAnswer<Value>) async throws -> Void
) async throws -> Value {
  let answer = FirstAnswer<Value>()
  let running = OneThread.task {
    do {
      try await body(answer)
      answer.give(.failure(CancellationError()))
    } catch { answer.give(.failure(error)) }
  }
  defer { running.cancel() }
  return try await waiting(atMost: limit) { try await answer.wait() }
}

/// Waits until the task is cancelled.
package func cancellation() async {
  let end = FirstAnswer<Void>()
  await withTaskCancellationHandler {
    try? await end.wait()
  } onCancel: {
    end.give(.success(()))
  }
}

/// Something took longer than its caller could wait.
package struct TimeoutError: Error, Hashable {
  package init() {}
}

/// Waits for `body`, which may never return because a disk hangs or a pipe is full: no longer than
/// `limit`, and not after the task is cancelled. Then `body` goes on without its caller, until it
/// returns or the process ends.
///
/// - Parameter limit: nil waits until the task is cancelled.
/// - Throws: ``TimeoutError`` after the limit, `CancellationError` after a cancellation, and
///   `body`'s errors.
package func waiting<Value: Sendable>(
  atMost limit: Duration? = nil,
  for body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let answer = FirstAnswer<Value>()
  OneThread.task {
    do { answer.give(.success(try await body())) } catch { answer.give(.failure(error)) }
  }
  let alarm = limit.map { limit in
    OneThread.task {
      guard (try? await SystemClock().sleep(for: limit)) != nil else { return }
      answer.give(.failure(TimeoutError()))
    }
  }
  defer { alarm?.cancel() }
  return try await withTaskCancellationHandler {
    try await answer.wait()
  } onCancel: {
    answer.give(.failure(CancellationError()))
  }
}
