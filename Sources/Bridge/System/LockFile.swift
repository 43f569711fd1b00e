import Glibc

/// A file that this process has locked.
struct LockFile: Sendable {
  private let descriptor: FileDescriptor

  /// Locks it, if it is free; makes it, if need be.
  ///
  /// - Parameter mode: of one that is made.
  init(path: String, mode: mode_t) throws(MachineLockError) {
    let descriptor = try Self.open(path, mode)
    while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: throw .held(by: Self.holder(descriptor))
      default: throw .system(SystemError("lock \(path)"))
      }
    }
    let holder = Array("\(getpid())\n".utf8)
    guard ftruncate(descriptor.number, 0) == 0,
      pwrite(descriptor.number, holder, holder.count, 0) == holder.count
    else { throw .system(SystemError("write \(path)")) }
    self.descriptor = descriptor
  }

  func release() {
    // The file stays: whoever removed it could remove it from under another one's lock.
    _ = ftruncate(descriptor.number, 0)
    // Closing it is not enough while a child process is just being started: until that one's exec
    // is through, it holds all our descriptors.
    _ = flock(descriptor.number, LOCK_UN)
  }

  /// Opens a file that is there, or makes one, but never opens another user's with the right to make
  /// it: in a directory for all, the kernel forbids that (`fs.protected_regular`).
  private static func open(_ path: String, _ mode: mode_t) throws(MachineLockError)
    -> FileDescriptor
  {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
    while true {
      var number = Glibc.open(path, flags)
      if number < 0, errno == ENOENT {
        number = Glibc.open(path, flags | O_CREAT | O_EXCL, mode)
        // Somebody was quicker.
        if number < 0, errno == EEXIST { continue }
        // Whatever umask this process has: those for whom the file is must be able to lock it.
        if number >= 0 { fchmod(number, mode) }
      }
      guard number >= 0 else { throw .system(SystemError("open \(path)")) }
      return FileDescriptor(owning: number)
    }
  }

  /// The process that stands in the file.
  private static func holder(_ descriptor: FileDescriptor) -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor.number, &text, text.count, 0)
    guard count > 0 else { return nil }
    let digits = text.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
    return Int32(String(decoding: digits, as: UTF8.self))
  }
}
