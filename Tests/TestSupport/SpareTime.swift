import Foundation

/// Runs long work on a thread of its own that has only what time is left: the tests beside it that wait
/// for an answer get theirs as if it weren't there.
package func inSpareTime<Value: Sendable>(
  _ body: @escaping @Sendable () -> Value
) async -> Value {
  await withCheckedContinuation { continuation in
    let thread = Thread {
      // Linux takes it for the calling thread alone. Every thread may give way.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
      continuation.resume(returning: body())
    }
    thread.start()
  }
}
