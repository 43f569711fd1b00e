import Glibc
package import SessionLog

/// The room for session logs.
package struct DiskView: Hashable, Sendable {
  /// Where the logs are, or will be.
  package let path: String
  /// Bytes that may still be written there; nil when unknown.
  package var free: UInt64?
  /// Whether nothing can be written there at all.
  package var isReadOnly = false
  /// Bytes that the logs have already.
  package var used: UInt64 = 0
}

extension DiskView {
  /// A few hours of a camera's positions, and what the rest of the box needs.
  static let least: UInt64 = 100_000_000

  /// Looks at the folder, or at the nearest one above it that is there.
  package init(of path: String) {
    let files = (try? SessionDirectory(path: path).files()) ?? []
    let used = files.reduce(0) { $0 + Self.size("\(path)/\($1.text)") }
    let system = Self.fileSystem(path)
    self.init(
      path: path,
      free: system.map { UInt64($0.f_bavail) * UInt64($0.f_frsize) },
      isReadOnly: system.map { $0.f_flag & UInt(ST_RDONLY) != 0 } ?? false,
      used: used
    )
  }

  private static func size(_ path: String) -> UInt64 {
    var status = stat()
    return lstat(path, &status) == 0 ? UInt64(status.st_size) : 0
  }

  private static func fileSystem(_ path: String) -> statvfs? {
    var status = statvfs()
    if statvfs(path, &status) == 0 { return status }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/") else { return nil }
    return fileSystem(slash == path.startIndex ? "/" : String(path[..<slash]))
  }

  /// - Parameter options: the bound of all logs together.
  package func finding(within options: LogSettings) -> Finding {
    if isReadOnly {
      return .problem(
        .diskReadOnly,
        "nothing can be written to \(path): its file system is read-only",
        "look for its errors in `sudo dmesg`: the kernel does this to a card that fails, which needs to"
          + " be replaced"
      )
    }
    guard let free else { return .note(.diskUnknown, "the free space of \(path) is not known") }
    let text = "\(free / 1_000_000) MB are free for session logs in \(path)"
    let wanted = UInt64(options.totalSize) - min(used, UInt64(options.totalSize))
    guard free >= Self.least, free >= wanted else {
      return .note(
        .diskLow,
        "\(text), which may grow by \(wanted / 1_000_000) MB",
        "free some space, or lower log.total-size; on a full disk, balls fly without a log"
      )
    }
    return .ok(.diskEnough, text)
  }
}
