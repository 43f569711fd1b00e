import Glibc

/// How many files this process may have open, sockets included.
enum OpenFileLimit {
  /// Has at least `count` allowed, if the system lets us: of itself it mostly allows 1,024, for the sake
  /// of programs that use `select`.
  ///
  /// - Returns: how many are allowed now.
  static func raise(to count: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    if limit.rlim_cur < rlim_t(count) {
      let before = limit.rlim_cur
      limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
      if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
        limit.rlim_cur = before
      }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
