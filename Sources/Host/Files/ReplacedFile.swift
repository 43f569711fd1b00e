import Glibc

/// A file that is replaced in one step: after a power failure the old or the new one is there. What is no
/// file of a disk, such as `/dev/stdout`, is written to.
package enum ReplacedFile {
  /// - Parameters:
  ///   - mode: who may read it, as far as the umask allows.
  ///   - new: where it is until then, in the same folder. By default it is this process's own, because
  ///     several may write, and hidden from collectors, which take `*.prom`.
  package static func write(
    _ bytes: [UInt8],
    to path: String,
    mode: UInt32 = 0o644,
    through new: String? = nil
  ) throws(SystemError) {
    let new = new ?? path + ".\(getpid()).new"
    let attempt = "write \(path)"
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let file = FileDescriptor(owning: open(path, O_WRONLY | O_CLOEXEC))
      guard file.number >= 0 else { throw SystemError(attempt) }
      return try fill(file.number, with: bytes, attempt)
    }
    // A crash may have left one.
    _ = unlink(new)
    do throws(SystemError) {
      try make(new, with: bytes, mode)
      guard rename(new, path) == 0 else { throw SystemError(attempt) }
    } catch {
      _ = unlink(new)
      throw error
    }
  }

  private static func make(
    _ path: String,
    with bytes: [UInt8],
    _ mode: UInt32
  ) throws(SystemError) {
    let attempt = "write \(path)"
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard number >= 0 else { throw SystemError(attempt) }
    let file = FileDescriptor(owning: number)
    try fill(file.number, with: bytes, attempt)
    guard fsync(file.number) == 0 else { throw SystemError(attempt) }
  }

  private static func fill(
    _ number: Int32,
    with bytes: [UInt8],
    _ attempt: String
  ) throws(SystemError) {
    do throws(WriteError) { try writeAll(bytes, to: number) } catch {
      throw SystemError(attempt, code: error.errno)
    }
  }
}
