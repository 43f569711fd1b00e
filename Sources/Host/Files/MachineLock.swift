package import Clocks
import Glibc
import Synchronization

/// The right to write to the machine, which one process has at a time.
///
/// It is a kernel lock on one or two files (``RuntimeDirectory/locks``), which the kernel releases
/// however the holder ends. The file contains the holder's process id.
///
/// It excludes only bridges that agree on the directory: not a bridge whose directory was set by
/// hand (`BALLMACHINE_RUNTIME_DIR`), which only the ``StateLock`` keeps from our files, and not
/// another box.
package final class MachineLock: Sendable {
  package static let fileName = "machine.lock"
  /// The pause between two tries while waiting: the kernel doesn't report that a lock is free.
  private static let retry = Duration.milliseconds(50)

  private let files: Mutex<[LockFile]>

  /// Takes the lock if it is free.
  package init(in directory: RuntimeDirectory) throws(MachineLockError) {
    var files: [LockFile] = []
    for path in directory.locks {
      do throws(MachineLockError) {
        // To lock a file, reading it is enough. The bridge's own is for its user; the shared one for all.
        let isOwn = path.hasPrefix(directory.path + "/")
        files.append(try LockFile(path: path, mode: isOwn ? 0o600 : 0o666))
      } catch {
        for file in files { file.release() }
        throw error
      }
    }
    self.files = Mutex(files)
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

  /// Releases the lock; dropping the last reference does, too.
  package func release() {
    let files = files.withLock { files in
      defer { files = [] }
      return files
    }
    for file in files { file.release() }
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
