import Glibc

/// How many files this process may have open, sockets included.
package enum OpenFileLimit {
  /// Raises the limit to at least `count` files beside the open ones, if the system lets us. The
  /// default is mostly 1,024, for programs that use `select`.
  ///
  /// - Returns: how many more may be opened now.
  private static func raise(to count: Int) -> Int {
    let open = openFiles
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    if limit.rlim_cur < rlim_t(open.count + count) {
      let before = limit.rlim_cur
      limit.rlim_cur = min(rlim_t(open.count + count), limit.rlim_max)
      if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
        limit.rlim_cur = before
      }
    }
    // The limit is on descriptor numbers: inherited files with higher numbers don't count.
    return Int(clamping: limit.rlim_cur) - open.count { rlim_t($0) < limit.rlim_cur }
  }

  /// Makes sure that `count` more files can be opened.
  package static func require(_ count: Int) throws(TooFewFiles) {
    let allowed = raise(to: count)
    guard allowed >= count else { throw TooFewFiles(needed: count, allowed: allowed) }
  }

  /// The numbers of the open files, inherited ones included.
  private static var openFiles: [Int32] {
    let streams = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    guard let names = try? Directory.names(in: "/proc/self/fd") else { return streams }
    // Without the descriptor that read the directory: it is closed again.
    return names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) != -1 }
  }
}

/// The system allows this process too few open files.
package struct TooFewFiles: Error, Hashable, Sendable, CustomStringConvertible {
  /// How many files are needed beside those that are open.
  package let needed: Int
  package let allowed: Int

  package var description: String {
    "the system allows only \(allowed) more open files where \(needed) are needed: raise the limit"
      + " (`ulimit -n`, or LimitNOFILE= of a systemd unit)"
  }
}
