import Glibc

extension MachineLock {
  /// The process that has the lock.
  ///
  /// It only reads, and doesn't try the lock: even a short lock could turn away a bridge that
  /// starts at this moment.
  ///
  /// - Parameters:
  ///   - paths: the possible lock files, by default those that a bridge of this user or a service
  ///     would lock.
  ///   - table: the kernel's list of all locks.
  /// - Returns: nil when the lock is free, or when the kernel does not show it to this process.
  package static func holder(
    of paths: [String] = RuntimeDirectory.Environment().lockCandidates,
    table: String = "/proc/locks"
  ) -> Int32? {
    guard let bytes = try? InputFile.bytes(table, longest: 1 << 20) else { return nil }
    let locks = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .compactMap { KernelLock(line: $0) }
    for path in paths {
      var status = stat()
      guard stat(path, &status) == 0, let text = try? InputFile.bytes(path, longest: 16),
        let holder = Int32(
          String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        )
      else { continue }
      // The process in the file may have ended long ago; the kernel's list is never stale.
      if locks.contains(KernelLock(holder: holder, inode: UInt64(status.st_ino))) { return holder }
    }
    return nil
  }
}

extension MachineLock {
  /// The user of a process; nil when there is no such process.
  package static func user(of process: Int32) -> UInt32? {
    var status = stat()
    return stat("/proc/\(process)", &status) == 0 ? status.st_uid : nil
  }
}

/// Holder and inode of a line of `/proc/locks`: `1: FLOCK  ADVISORY  WRITE 812 00:19:1234 0 EOF`.
private struct KernelLock: Equatable {
  let holder: Int32
  let inode: UInt64

  init(holder: Int32, inode: UInt64) {
    self.holder = holder
    self.inode = inode
  }

  /// - Returns: nil for a lock of another kind, and for a process that waits for a lock.
  init?(line: Substring) {
    let fields = line.split(separator: " ")
    guard fields.count >= 6, fields[1] == "FLOCK", let holder = Int32(fields[4]),
      let inode = fields[5].split(separator: ":").last.flatMap({ UInt64($0) })
    else { return nil }
    self.init(holder: holder, inode: inode)
  }
}
