import Glibc

/// Files that whoever reads them finds whole, the old one or the new one.
package enum AtomicFile {
  /// Replaces a file, with mode 0644, or makes it.
  ///
  /// Made for figures that are written again soon: it waits for no disk.
  package static func write(_ text: String, to path: String) throws(SystemError) {
    // In the same directory, so that it can be renamed, and under no name that a reader looks for.
    let new = "\(path).\(getpid()).new"
    _ = unlink(new)
    do throws(SystemError) {
      let number = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
      guard number >= 0 else { throw SystemError("write \(path)") }
      let file = FileDescriptor(owning: number)
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw SystemError("write \(path)") }
        rest = rest.dropFirst(count)
      }
      guard rename(new, path) == 0 else { throw SystemError("write \(path)") }
    } catch {
      _ = unlink(new)
      throw error
    }
  }
}
