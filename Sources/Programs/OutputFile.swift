import Glibc
import Host

/// A file that others read while we write it.
package enum OutputFile {
  /// Replaces the file in one step: a reader sees the old text or the new one. All users may read
  /// it, as far as the umask allows.
  package static func replace(_ path: String, with text: String) throws {
    // In the same directory, for `rename`; hidden from collectors, which take `*.prom`.
    let new = path + ".\(getpid()).new"
    do {
      let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
      guard descriptor >= 0 else { throw WriteError(errno: errno) }
      defer { close(descriptor) }
      try writeAll(text, to: descriptor)
      guard rename(new, path) == 0 else { throw WriteError(errno: errno) }
    } catch let error as WriteError {
      _ = unlink(new)
      throw Failure(
        [EACCES, EPERM, EROFS].contains(error.errno) ? .noPermission : .inputOutput,
        "\(path): can't be written: \(String(cString: strerror(error.errno)))"
      )
    }
  }
}
