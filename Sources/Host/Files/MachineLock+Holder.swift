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
  ///   - table: reads the kernel's list of all locks.
  /// - Returns: nil when the lock is free, or when the kernel does not show it to this process.
  package static func holder(
    of paths: [String] = RuntimeDirectory.Environment().lockCandidates,
    table: () -> [UInt8]? = { try? InputFile.bytes("/proc/locks", longest: 1 << 20) }
  ) -> Int32? {
    for path in paths {
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      // The process in the file may have ended long ago; the kernel's list is never stale. Not every
      // user may read the file of a service.
      let text = try? InputFile.bytes(path, longest: 16)
      let noted = text.flatMap { text in
        Int32(String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
      }
      if text != nil, noted == nil { continue }
      for _ in 0..<mostReads {
        guard let bytes = table() else { return nil }
        let lock = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
          .compactMap { KernelLock(line: $0) }
          .first { $0.inode == UInt64(status.st_ino) && $0.holder == noted ?? $0.holder }
        if let lock { return lock.holder }
      }
    }
    return nil
  }

  /// The kernel gives its list in pages. A lock is missing, rarely, when one before it goes between
  /// two pages.
  private static let mostReads = 5
}

extension MachineLock {
  /// The user of a process; nil when there is no such process.
  package static func user(of process: Int32) -> UInt32? {
    var status = stat()
    return stat("/proc/\(process)", &status) == 0 ? status.st_uid : nil
  }
}

/// Holder and inode of a line of `/proc/locks`: `1: FLOCK  ADVISORY  WRITE 812 00:19:1234 0 EOF`.
private struct KernelLock {
  let holder: Int32
  let inode: UInt64

  /// - Returns: nil for a lock of another kind, and for a process that waits for a lock.
  init?(line: Substring) {
    let fields = line.split(separator: " ")
    guard fields.count >= 6, fields[1] == "FLOCK", let holder = Int32(fields[4]),
      let inode = fields[5].split(separator: ":").last.flatMap({ UInt64($0) })
    else { return nil }
    self.holder = holder
    self.inode = inode
  }
}
