import Glibc

/// Who could put files of their own in a directory, as the way to it tells, from the root down. Links
/// on the way are judged and followed, one at its end is not followed.
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
    // Those that are passed, and whether every user may have made the next one, as in `/tmp`.
    var way: [(path: String, isForAll: Bool)] = []
    var rest = Array(Self.parts(of: directory).reversed())
    var links = 0
    var next = "/"
    while true {
      var status = stat()
      guard lstat(next, &status) == 0 else { return }
      let isForAll = way.last?.isForAll == true
      guard trusted.contains(status.st_uid) || !isForAll else {
        weakness = "\(next) belongs to the user \(UserName(status.st_uid))"
        return
      }
      if status.st_mode & S_IFMT == S_IFLNK, !rest.isEmpty {
        links += 1
        guard links <= Self.mostLinks, let target = Self.target(ofLink: next) else { return }
        if target.hasPrefix("/") { way = Array(way.prefix(1)) }
        rest += Self.parts(of: target).reversed()
      } else {
        pass(next, status, along: &way)
        guard weakness == nil else { return }
      }
      while rest.last == ".." {
        rest.removeLast()
        if way.count > 1 { way.removeLast() }
      }
      guard let part = rest.popLast() else { return }
      next = (way.count == 1 ? "" : way[way.count - 1].path) + "/" + part
    }
  }

  private mutating func pass(
    _ path: String,
    _ status: stat,
    along way: inout [(path: String, isForAll: Bool)]
  ) {
    guard status.st_mode & S_IFMT == S_IFDIR else {
      weakness = "\(path) is not a directory"
      return
    }
    trusted.insert(status.st_uid)
    let isWritable = status.st_mode & (S_IWGRP | S_IWOTH) != 0
    let isForAll = isWritable && status.st_mode & S_ISVTX != 0
    guard !isWritable || isForAll else {
      weakness = "others may write to \(path)"
      return
    }
    if status.st_mode & S_IXOTH == 0 { isOpenToAll = false }
    way.append((path, isForAll))
  }

  /// As the kernel does it.
  private static let mostLinks = 40

  private static func parts(of path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.map(String.init)
  }

  private static func target(ofLink path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }
}

/// A user as people know one: by name, or by number where there is no name.
package struct UserName: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ userID: UInt32) {
    description = getpwuid(userID).map { String(cString: $0.pointee.pw_name) } ?? "\(userID)"
  }
}
