import Glibc

/// How many files this process may have open, sockets included.
package enum OpenFileLimit {
  /// Has at least `count` allowed beside those that are open, if the system lets us: of itself it
  /// mostly allows 1,024, for the sake of programs that use `select`.
  ///
  /// - Returns: how many more may be opened now.
  static func raise(to count: Int) -> Int {
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
    // The limit is on the numbers: what a parent has left open above it takes none.
    return Int(clamping: limit.rlim_cur) - open.count { rlim_t($0) < limit.rlim_cur }
  }

  /// Makes sure that so many files can be opened.
  package static func require(_ count: Int) throws(TooFewFiles) {
    let allowed = raise(to: count)
    guard allowed >= count else { throw TooFewFiles(needed: count, allowed: allowed) }
  }

  /// The numbers of those that are open, a parent's too.
  private static var openFiles: [Int32] {
    let streams = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    guard let folder = opendir("/proc/self/fd") else { return streams }
    defer { closedir(folder) }
    var numbers: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { name in
        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = Int32(name), number != dirfd(folder) { numbers.append(number) }
    }
    return numbers
  }
}

/// The system allows this process too few open files.
package struct TooFewFiles: Error, Hashable, Sendable, CustomStringConvertible {
  /// Beside those that are open.
  package let needed: Int
  package let allowed: Int

  package var description: String {
    "the system allows only \(allowed) more open files where \(needed) are needed: raise the limit"
      + " (`ulimit -n`, or LimitNOFILE= of a systemd unit)"
  }
}
