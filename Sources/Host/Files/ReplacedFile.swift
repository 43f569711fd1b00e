import Glibc

/// A file that is replaced in one step: after a power failure the old or the new one is there.
package enum ReplacedFile {
  /// - Parameters:
  ///   - mode: who may read it, as far as the umask allows.
  ///   - new: where it is until then, in the same folder; nil: the path is a person's. Then the name has
  ///     this process's number, because several may write, and does not end in `.prom`, which collectors
  ///     take; and a device or a pipe is written to. Another file is the service's, where root writes it.
  package static func write(
    _ bytes: [UInt8],
    to path: String,
    mode: UInt32 = 0o644,
    through new: String? = nil
  ) throws(SystemError) {
    let attempt = "write \(path)"
    if new == nil, try isFilled(path, with: bytes, attempt) { return }
    let temporary = new ?? path + ".\(getpid()).new"
    // A crash may have left one.
    _ = unlink(temporary)
    do throws(SystemError) {
      try make(temporary, with: bytes, mode, isServices: new != nil)
      guard rename(temporary, path) == 0 else { throw SystemError(attempt) }
    } catch {
      _ = unlink(temporary)
      throw error
    }
  }

  /// Writes into a device or a pipe; `/dev/stdout` counts as one, wherever it leads.
  ///
  /// - Returns: false for a file of a disk, and where there is none.
  private static func isFilled(
    _ path: String,
    with bytes: [UInt8],
    _ attempt: String
  ) throws(SystemError) -> Bool {
    let isSystems = ["/dev/", "/proc/"].contains { path.hasPrefix($0) }
    var status = stat()
    guard stat(path, &status) == 0, isSystems || !status.isRegularFile else {
      return false
    }
    // A pipe without a reader is an error, not a wait. A link that was put there after `stat` isn't followed.
    let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (isSystems ? 0 : O_NOFOLLOW)
    let number = open(path, flags)
    guard number >= 0 else { throw SystemError(attempt) }
    let file = FileDescriptor(owning: number)
    try writeAll(bytes, to: file.number, attempt)
    return true
  }

  private static func make(
    _ path: String,
    with bytes: [UInt8],
    _ mode: UInt32,
    isServices: Bool
  ) throws(SystemError) {
    let attempt = "write \(path)"
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard number >= 0 else { throw SystemError(attempt) }
    let file = FileDescriptor(owning: number)
    if isServices { try file.giveToOwner(ofFolderHolding: path) }
    try writeAll(bytes, to: file.number, attempt)
    guard fsync(file.number) == 0 else { throw SystemError(attempt) }
  }
}
