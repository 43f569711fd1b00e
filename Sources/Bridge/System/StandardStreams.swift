import Glibc

/// Standard input, output and error, of which the parent process may have closed some.
package enum StandardStreams {
  /// Puts `/dev/null` in the place of each that is closed, so that no other file gets its number.
  /// To be called before anything is opened.
  ///
  /// It is open the wrong way round, as in the GNU core utilities: what is to be read or printed
  /// there is an error still, and is not lost without a word.
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
