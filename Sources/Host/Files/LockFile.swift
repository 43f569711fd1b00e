import Glibc

/// A file that this process has locked.
package struct LockFile: Sendable {
  private let descriptor: FileDescriptor

  /// Locks the file if it is free; creates it if it is missing. The file then contains our process
  /// id, but on a full disk.
  ///
  /// - Parameter mode: of a new file.
  package init(path: String, mode: UInt32) throws(MachineLockError) {
    let descriptor = try Self.open(path, mode)
    while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: throw .held(by: Self.holder(descriptor))
      default: throw .system(SystemError("lock \(path)"))
      }
    }
    self.descriptor = descriptor
    let holder = Array("\(getpid())\n".utf8)
    guard ftruncate(descriptor.number, 0) == 0 else { return }
    _ = pwrite(descriptor.number, holder, holder.count, 0)
  }

  /// Whether the path names this file.
  func isAt(_ path: String) -> Bool {
    var (own, there) = (stat(), stat())
    return fstat(descriptor.number, &own) == 0 && lstat(path, &there) == 0
      && own.st_ino == there.st_ino && own.st_dev == there.st_dev
  }

  package func release() {
    // The file stays: removing it could remove a file that another process has locked.
    _ = ftruncate(descriptor.number, 0)
    // Closing is not enough: a child process that is just being started holds all our descriptors
    // until its exec.
    _ = flock(descriptor.number, LOCK_UN)
  }

  /// Opens the file, or creates it. Never passes O_CREAT for an existing file: for another user's
  /// file in a directory for all users the kernel forbids that (`fs.protected_regular`).
  private static func open(
    _ path: String,
    _ mode: mode_t
  ) throws(MachineLockError) -> FileDescriptor {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
    while true {
      var number = Glibc.open(path, flags)
      let isNew = number < 0 && errno == ENOENT
      if isNew {
        number = Glibc.open(path, flags | O_CREAT | O_EXCL, mode)
        // Another process was quicker.
        if number < 0, errno == EEXIST { continue }
      }
      guard number >= 0 else { throw .system(SystemError("open \(path)")) }
      let file = FileDescriptor(owning: number)
      guard isNew else { return file }
      // Independent of the umask: the intended users must be able to lock the file.
      fchmod(number, mode)
      do throws(SystemError) { try file.giveToOwner(ofFolderHolding: path) } catch {
        throw .system(error)
      }
      return file
    }
  }

  /// The process id in the file.
  private static func holder(_ descriptor: FileDescriptor) -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor.number, &text, text.count, 0)
    guard count > 0 else { return nil }
    let digits = text.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
    return Int32(String(decoding: digits, as: UTF8.self))
  }
}
