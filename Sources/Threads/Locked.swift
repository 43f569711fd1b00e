import Glibc

/// A value that one thread at a time may touch.
///
/// The standard library's `Mutex` does the same, but when two threads really meet there, its slow
/// path runs in a library that ThreadSanitizer can't see into, and a clean run becomes a list of
/// false alarms. A POSIX mutex it knows. So this one stands where threads do meet.
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
