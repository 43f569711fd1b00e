import Glibc

/// Who could put files of their own in a directory, as the way to it tells, from the root down.
package struct PathOwners: Hashable, Sendable {
  /// Those whom a program of this user may believe there: root, this user, and the users to whom
  /// the owner of a directory on the way has given the next one, as root gives a service its
  /// directory in `/run`.
  package private(set) var trusted: Set<UInt32>
  /// Why that is not certain: a directory that others may write to, or that a stranger has made.
  package private(set) var weakness: String?
  /// Whether every user of the box may pass through all directories.
  package private(set) var isOpenToAll = true

  /// - Parameters:
  ///   - directory: an absolute path; what is missing of it owns nothing.
  ///   - userID: of this user.
  package init(of directory: String, userID: UInt32 = geteuid()) {
    trusted = [0, userID]
    // Whether every user may have made the next directory, as in `/tmp`.
    var isForAll = false
    for path in Self.way(to: directory) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        weakness = "\(path) is not a directory"
        return
      }
      if !trusted.contains(status.st_uid) {
        guard !isForAll else {
          weakness = "\(path) belongs to the user \(UserName(status.st_uid))"
          return
        }
        trusted.insert(status.st_uid)
      }
      let isWritable = status.st_mode & (S_IWGRP | S_IWOTH) != 0
      isForAll = isWritable && status.st_mode & S_ISVTX != 0
      guard !isWritable || isForAll else {
        weakness = "others may write to \(path)"
        return
      }
      if status.st_mode & S_IXOTH == 0 { isOpenToAll = false }
    }
  }

  /// `/`, `/run` and `/run/ballmachine`. Links on the way are followed, that at its end is not.
  private static func way(to directory: String) -> [String] {
    var parts = directory.split(separator: "/")
    guard let last = parts.popLast() else { return ["/"] }
    let parent = "/" + parts.joined(separator: "/")
    if let real = realpath(parent, nil) {
      parts = String(cString: real).split(separator: "/")
      free(real)
    }
    var way = ["/"]
    for part in parts + [last] {
      way.append((way.count == 1 ? "" : way[way.count - 1]) + "/" + part)
    }
    return way
  }
}

/// A user as people know one: by name, or by number where there is no name.
package struct UserName: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ userID: UInt32) {
    description = getpwuid(userID).map { String(cString: $0.pointee.pw_name) } ?? "\(userID)"
  }
}
