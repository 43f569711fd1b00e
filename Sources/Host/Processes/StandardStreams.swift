import Glibc

/// Standard input, output and error. The parent process may have closed some of them.
package enum StandardStreams {
  /// Opens `/dev/null` for each closed stream, so that no other file gets its number.
  /// Call this before anything is opened.
  ///
  /// It is opened in the opposite direction, as in the GNU core utilities, so that reading or
  /// printing there still fails and no output is lost silently.
  ///
  /// - Throws: when there is no `/dev/null`.
  package static func reopen() throws(SystemError) {
    let streams = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    for (number, mode) in streams where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is this one.
      guard open("/dev/null", mode) == number else { throw SystemError("open /dev/null") }
    }
  }

  /// Whether a descriptor is open for writing.
  package static func isWritable(_ number: Int32) -> Bool {
    let flags = fcntl(number, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }
}
