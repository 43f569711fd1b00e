import Glibc

/// The directory of sockets and locks, which lives as long as the machine is up.
///
/// The first of these that applies, created with mode 0750 when it is missing:
/// 1. `BALLMACHINE_RUNTIME_DIR`, for tests and for two bridges on one box;
/// 2. `RUNTIME_DIRECTORY`, which systemd sets for a service;
/// 3. `XDG_RUNTIME_DIR/ballmachine`, if that is really this user's;
/// 4. `/run/ballmachine`, if it is writable or can be made;
/// 5. `/tmp/ballmachine-UID`, if it is this user's alone.
package struct RuntimeDirectory: Hashable, Sendable {
  package let path: String

  package init() throws(RuntimeDirectoryError) {
    try self.init(variable: { getenv($0).map { String(cString: $0) } })
  }

  /// - Parameters:
  ///   - variable: the environment.
  ///   - system: the directory that stands for `/run`.
  ///   - temporary: the directory that stands for `/tmp`.
  package init(
    variable: (String) -> String?,
    userID: UInt32 = geteuid(),
    system: String = "/run",
    temporary: String = "/tmp"
  ) throws(RuntimeDirectoryError) {
    if let (name, path) = Self.given(variable) {
      guard path.hasPrefix("/") else { throw .notAbsolute(variable: name, path) }
      try self.init(creating: path)
      return
    }
    if let home = variable("XDG_RUNTIME_DIR"), home.hasPrefix("/"),
      let status = FileStatus(path: home), status.isDirectory, status.owner == userID
    {
      try self.init(creating: home + "/ballmachine")
      return
    }
    if let directory = try? RuntimeDirectory(creating: system + "/ballmachine") {
      self = directory
      return
    }
    try self.init(creating: temporary + "/ballmachine-\(userID)")
    // Anybody can create that name first.
    guard let status = FileStatus(path: path), status.owner == userID, !status.isWritableByOthers
    else { throw .notOurs(path) }
  }

  /// Where a bridge of this user, or a service that this user looks at, has its directory; none of
  /// them is made.
  package static func candidates(
    variable: (String) -> String? = { getenv($0).map { String(cString: $0) } },
    userID: UInt32 = geteuid()
  ) -> [String] {
    if let path = given(variable)?.path { return [path] }
    let home = variable("XDG_RUNTIME_DIR").map { [$0 + "/ballmachine"] } ?? []
    return home + ["/run/ballmachine", "/tmp/ballmachine-\(userID)"]
  }

  /// The directory that the environment names, and by which variable.
  private static func given(_ variable: (String) -> String?) -> (name: String, path: String)? {
    for name in ["BALLMACHINE_RUNTIME_DIR", "RUNTIME_DIRECTORY"] {
      // systemd separates several directories by colons.
      if let path = variable(name)?.split(separator: ":").first { return (name, String(path)) }
    }
    return nil
  }

  /// The path of a file in this directory.
  package func path(of name: String) -> String { path + "/" + name }

  private init(creating path: String) throws(RuntimeDirectoryError) {
    if mkdir(path, 0o750) != 0, errno != EEXIST {
      throw .system(SystemError("create the runtime directory \(path)"))
    }
    // Not followed: a link in `/tmp` may lead anywhere.
    guard let status = FileStatus(path: path), status.isDirectory else {
      throw .notADirectory(path)
    }
    guard access(path, W_OK | X_OK) == 0 else {
      throw .system(SystemError("use the runtime directory \(path)"))
    }
    self.path = path
  }
}

/// Why there is no runtime directory.
package enum RuntimeDirectoryError: Error, Hashable, Sendable {
  case notAbsolute(variable: String, String)
  case notADirectory(String)
  /// Somebody else made it or may write into it.
  case notOurs(String)
  case system(SystemError)
}

extension RuntimeDirectoryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAbsolute(let variable, let path):
      "\(variable) is “\(path)”: give a path that begins with /"
    case .notADirectory(let path):
      "\(path) is not a directory: remove it, or set BALLMACHINE_RUNTIME_DIR"
    case .notOurs(let path):
      "\(path) belongs to somebody else or is open to others:"
        + " remove it, or set BALLMACHINE_RUNTIME_DIR"
    case .system(let error):
      "\(error) (BALLMACHINE_RUNTIME_DIR sets another one)"
    }
  }
}

private struct FileStatus {
  let isDirectory: Bool
  let owner: UInt32
  let isWritableByOthers: Bool

  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
    owner = status.st_uid
    isWritableByOthers = status.st_mode & (S_IWGRP | S_IWOTH) != 0
  }
}
