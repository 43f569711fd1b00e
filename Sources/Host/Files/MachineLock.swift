package import Clocks
import Glibc
import Synchronization

/// The right to a runtime directory's sockets, which one process has at a time, from its first moment to
/// its last. So a second program of the same directory knows at once that it is not alone.
///
/// It is a kernel lock on a file there (``RuntimeDirectory/lock``), which the kernel releases however the
/// holder ends. The file contains the holder's process id. Where the file is removed, or directories differ,
/// the ``MachineClaim`` alone keeps two programs from writing to one machine.
package final class MachineLock: Sendable {
  package static let fileName = "machine.lock"
  /// The pause between two tries while waiting: the kernel doesn't report that a lock is free.
  private static let retry = Duration.milliseconds(50)

  package let path: String
  private let file: Mutex<LockFile?>

  /// Takes the lock if it is free.
  package init(in directory: RuntimeDirectory) throws(MachineLockError) {
    path = directory.lock
    // To lock a file, reading it is enough.
    file = Mutex(try LockFile(path: directory.lock, mode: 0o600))
  }

  /// Takes the lock as soon as it is free, at most `timeout` later.
  package static func acquire(
    in directory: RuntimeDirectory,
    within timeout: Duration,
    clock: any MonotonicClock
  ) async throws -> MachineLock {
    let deadline = clock.now.advanced(by: timeout)
    while true {
      do throws(MachineLockError) {
        return try MachineLock(in: directory)
      } catch {
        guard case .held = error, clock.now < deadline else { throw error }
      }
      try await clock.sleep(until: min(clock.now.advanced(by: retry), deadline), tolerance: nil)
    }
  }

  /// Whether the locked file is still the one at the path; true once it is released.
  var isInPlace: Bool { file.withLock { $0?.isAt(path) ?? true } }

  /// Locks the file that is at the path now, or a new one.
  func renew() throws(MachineLockError) {
    let new = try LockFile(path: path, mode: 0o600)
    file.withLock { $0 = new }
  }

  /// Releases the lock; dropping the last reference does, too.
  package func release() {
    let file = file.withLock { file in
      defer { file = nil }
      return file
    }
    file?.release()
  }

  deinit { release() }
}

/// Why the machine may not be written to.
package enum MachineLockError: Error, Hashable, Sendable {
  /// The holder's process id; nil if it has just taken the lock.
  case held(by: Int32?)
  case system(SystemError)
}

extension MachineLockError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .held(let holder):
      "another ballmachine\(holder.map { ", process \($0)," } ?? "") controls the machine:"
        + " end it first"
    case .system(let error):
      error.description
    }
  }
}
