import Glibc
import Host
package import Programs
package import RunLog

/// The room for run logs.
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
    let files = (try? LogDirectory(path: path).files()) ?? []
    let used = files.reduce(0) { $0 + Self.size("\(path)/\($1.text)") }
    let nearest = Self.nearest(path)
    self.init(
      path: path,
      free: nearest.flatMap(Self.free),
      isReadOnly: nearest.map(Self.isReadOnly) ?? false,
      used: used
    )
  }

  private static func size(_ path: String) -> UInt64 {
    var status = stat()
    return lstat(path, &status) == 0 ? UInt64(status.st_size) : 0
  }

  /// The folder, or the nearest one above it that is there; nil if that can't be seen.
  private static func nearest(_ path: String) -> String? {
    var status = stat()
    if stat(path, &status) == 0 { return path }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/") else { return nil }
    return nearest(slash == path.startIndex ? "/" : String(path[..<slash]))
  }

  private static func free(_ path: String) -> UInt64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }

  private static func isReadOnly(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0,
      let table = try? InputFile.bytes("/proc/self/mountinfo", longest: 1 << 20)
    else { return false }
    return isReadOnly(device: numbers(status.st_dev), in: String(decoding: table, as: UTF8.self))
  }

  /// Major and minor number, as `8:1`. Swift doesn't see glibc's macros for them (`sys/sysmacros.h`).
  package static func numbers(_ device: UInt) -> String {
    let major = device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000
    let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
    return "\(major):\(minor)"
  }

  /// Whether the kernel writes nothing to a file system, by whichever mount it is reached: the sandbox of a
  /// service mounts nearly all as read-only, and that says nothing about the disk.
  ///
  /// - Parameters:
  ///   - device: its numbers, as in `8:1`.
  ///   - table: lines such as `36 35 8:1 / /var rw,noatime - ext4 /dev/sda1 rw,errors=remount-ro`, see
  ///     proc_pid_mountinfo(5). ext4 has `emergency_ro` since Linux 6.15 where it has met an error.
  package static func isReadOnly(device: String, in table: String) -> Bool {
    table.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      guard fields.count > 2, fields[2] == device, let options = fields.last else { return false }
      return options.split(separator: ",").contains { $0 == "ro" || $0 == "emergency_ro" }
    }
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
