import Glibc

/// A separate thread for work that sleeps in the kernel, which Swift's threads must not do.
///
/// It is a new thread, not a pool's: with an exhausted pool the work would have to wait.
package enum WaitingThread {
  /// Runs `body` and returns when it does. If the task is cancelled while `body` hangs at a disk,
  /// returns after a second and leaves the thread behind.
  ///
  /// - Parameter body: gets a descriptor that becomes readable when the task is cancelled; it must
  ///   then return soon.
  package static func run(
    _ body: @escaping @Sendable (_ interruption: FileDescriptor) throws -> Void
  ) async throws {
    let interruption = try FileDescriptor.pipe()
    let end = FirstAnswer<Void>()
    try start { end.give(Result { try body(interruption.reading) }) }
    try await withTaskCancellationHandler {
      try await end.wait()
    } onCancel: {
      _ = write(interruption.writing.number, [UInt8(1)], 1)
      OneThread.task {
        try await SystemClock().sleep(for: .seconds(1))
        end.give(.failure(CancellationError()))
      }
    }
  }

  /// Runs `body`, which ends by itself, and returns what it returns.
  ///
  /// - Throws: why no thread could be started.
  package static func value<Value: Sendable>(
    of body: @escaping @Sendable () -> Value
  ) async throws(SystemError) -> Value {
    let handover = Handover<Value>()
    try start { handover.give(body()) }
    return await handover.value()
  }

  /// Runs `body`, which ends by itself, on a detached thread.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let status = startThread(body)
    guard status == 0 else { throw SystemError("start a thread", code: status) }
  }
}
