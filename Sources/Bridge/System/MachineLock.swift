package import CourtLogic
import Glibc
import Synchronization

/// The right to write to the machine, which one process has at a time.
///
/// It is a lock of the kernel's on a file in the runtime directory: it goes with its holder, however
/// that one ends. The holder's process id stands in the file for whoever finds it taken.
package final class MachineLock: Sendable {
  package static let fileName = "machine.lock"
  /// From one try to the next while waiting: the kernel tells nobody that a lock is free.
  private static let retry = Duration.milliseconds(50)

  private let descriptor: Mutex<FileDescriptor?>

  /// Takes the lock if it is free.
  package init(in directory: RuntimeDirectory) throws(MachineLockError) {
    let path = directory.path(of: Self.fileName)
    let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o660)
    guard number >= 0 else { throw .system(SystemError("open \(path)")) }
    let descriptor = FileDescriptor(owning: number)
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: throw .held(by: Self.holder(descriptor))
      default: throw .system(SystemError("lock \(path)"))
      }
    }
    let holder = Array("\(getpid())\n".utf8)
    guard ftruncate(number, 0) == 0, pwrite(number, holder, holder.count, 0) == holder.count else {
      throw .system(SystemError("write \(path)"))
    }
    self.descriptor = Mutex(descriptor)
  }

  /// Takes the lock as soon as it is free, at most `patience` later.
  package static func acquire(
    in directory: RuntimeDirectory,
    within patience: Duration,
    clock: any MonotonicClock
  ) async throws -> MachineLock {
    let deadline = clock.now.advanced(by: patience)
    while true {
      do throws(MachineLockError) {
        return try MachineLock(in: directory)
      } catch {
        guard case .held = error, clock.now < deadline else { throw error }
      }
      try await clock.sleep(until: min(clock.now.advanced(by: retry), deadline), tolerance: nil)
    }
  }

  /// Gives the lock back; it also goes with the last reference.
  package func release() {
    let descriptor = descriptor.withLock { $0.take() }
    guard let descriptor else { return }
    // The file stays: whoever removed it could remove it from under another one's lock.
    _ = ftruncate(descriptor.number, 0)
    // Closing it is not enough while a child process is just being started: until that one's exec
    // is through, it holds all our descriptors.
    _ = flock(descriptor.number, LOCK_UN)
  }

  deinit { release() }

  private static func holder(_ descriptor: FileDescriptor) -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor.number, &text, text.count, 0)
    guard count > 0 else { return nil }
    let digits = text.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
    return Int32(String(decoding: digits, as: UTF8.self))
  }
}

/// Why the machine may not be written to.
package enum MachineLockError: Error, Hashable, Sendable {
  /// The process id of the holder, unless it has just taken the lock.
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
