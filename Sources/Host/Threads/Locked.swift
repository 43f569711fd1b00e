import Glibc

/// A value that one thread at a time may touch.
///
/// The standard library's `Mutex` does the same, but under contention its slow path runs in a
/// library that ThreadSanitizer can't see into, which gives false alarms. ThreadSanitizer knows
/// POSIX mutexes, so this type is used where threads contend.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  // Invariant: `value` is read and written only while `mutex` is held, in `withLock`.
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
