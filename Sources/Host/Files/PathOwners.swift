import Glibc

/// The users who could put their own files in a directory, by the owners and modes along its path.
/// Links along the path are judged and followed; a link at its end is not followed.
package struct PathOwners: Hashable, Sendable {
  /// The users that a program of this user may trust there: root, this user, and each user to whom
  /// the owner of a directory on the path gave the next one, as root gives a service its directory
  /// in `/run`.
  package private(set) var trusted: Set<UInt32>
  /// Why ``trusted`` is not certain: others may write to a directory, or an untrusted user made it.
  package private(set) var weakness: String?
  /// Whether every user of the box may pass through all directories.
  package private(set) var isOpenToAll = true

  /// - Parameters:
  ///   - directory: an absolute path; its missing parts have no owner.
  ///   - userID: of this user.
  package init(of directory: String, userID: UInt32 = geteuid()) {
    trusted = [0, userID]
    // The directories passed, and whether any user may have made the next one, as in `/tmp`.
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
        guard links <= Self.mostLinks, let target = Directory.target(ofLink: next) else { return }
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

  /// The kernel's limit.
  private static let mostLinks = 40

  private static func parts(of path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.map(String.init)
  }
}

/// A user as people know one: by name, or by number where there is no name.
package struct UserName: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ userID: UInt32) {
    description = getpwuid(userID).map { String(cString: $0.pointee.pw_name) } ?? "\(userID)"
  }
}
