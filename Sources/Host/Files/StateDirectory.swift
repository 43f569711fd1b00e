import Glibc

/// The directory of the files that outlive a restart of the box.
///
/// The first of these that applies:
/// 1. `BALLMACHINE_STATE_DIRECTORY`, for tests and for two bridges on one box;
/// 2. `STATE_DIRECTORY`, which systemd sets for a service;
/// 3. `/var/lib/ballmachine`, or another program's, for root (hier(7));
/// 4. `XDG_STATE_HOME/ballmachine`, or `~/.local/state/ballmachine` without that variable.
///
/// Nothing is created before there is something to write.
package struct StateDirectory: Hashable, Sendable {
  package let path: String
  /// Whether to create its parent directories, too: in a home they may be missing.
  private let isInHome: Bool
  private let userID: UInt32

  package init(of program: String = "ballmachine") throws(StateDirectoryError) {
    try self.init(of: program, variable: { getenv($0).map { String(cString: $0) } })
  }

  /// - Parameters:
  ///   - program: whose directory it is, in place of `ballmachine`.
  ///   - variable: the environment.
  ///   - system: the directory that stands for `/var/lib`.
  package init(
    of program: String = "ballmachine",
    variable: (String) -> String?,
    userID: UInt32 = geteuid(),
    system: String = "/var/lib"
  ) throws(StateDirectoryError) {
    self.userID = userID
    for name in ["BALLMACHINE_STATE_DIRECTORY", "STATE_DIRECTORY"] {
      // systemd separates several directories by colons.
      guard let path = variable(name)?.split(separator: ":").first.map(String.init) else {
        continue
      }
      guard path.hasPrefix("/") else { throw .notAbsolute(variable: name, path) }
      self.path = path
      isInHome = false
      return
    }
    if userID == 0 {
      path = "\(system)/\(program)"
      isInHome = false
      return
    }
    isInHome = true
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") {
      path = "\(state)/\(program)"
    } else if let home = variable("HOME"), home.hasPrefix("/") {
      path = "\(home)/.local/state/\(program)"
    } else {
      throw .noHome
    }
  }

  /// The path of a file in this directory.
  package func path(of name: String) -> String { path + "/" + name }

  /// Whether this process may look into it; true also while there is none.
  package var isReadable: Bool { access(path, R_OK | X_OK) == 0 || errno == ENOENT }

  /// The users that its files may belong to; nil while there is no such directory.
  ///
  /// The files say which machine is ours, so only this user and root may write here. Root accepts
  /// any user's directory: the service may run as its own user.
  func owners() throws(StateDirectoryError) -> Set<UInt32>? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw .system(SystemError("use the state directory \(path)"))
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory(path) }
    guard [userID, 0].contains(status.st_uid) || userID == 0,
      status.st_mode & (S_IWGRP | S_IWOTH) == 0
    else { throw .notOurs(path) }
    return [userID, 0, status.st_uid]
  }

  /// This directory, after ``prepare()``.
  package func prepared() throws(StateDirectoryError) -> StateDirectory {
    try prepare()
    return self
  }

  /// Creates it if it is missing.
  package func prepare() throws(StateDirectoryError) {
    guard try owners() == nil else { return }
    // Source of the mode: XDG Base Directory Specification, 0.8.
    if isInHome {
      var end = path.startIndex
      while let next = path[end...].dropFirst().firstIndex(of: "/") {
        _ = mkdir(String(path[..<next]), 0o700)
        end = next
      }
    }
    guard mkdir(path, isInHome ? 0o700 : 0o755) == 0 || errno == EEXIST else {
      throw .system(SystemError("create the state directory \(path)"))
    }
    Directory.flush(holding: path)
  }
}

/// Why there is no state directory.
package enum StateDirectoryError: Error, Hashable, Sendable {
  case notAbsolute(variable: String, String)
  case noHome
  case notADirectory(String)
  /// Another user made it or may write into it.
  case notOurs(String)
  case system(SystemError)
}

extension StateDirectoryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAbsolute(let variable, let path):
      "\(variable) is “\(path)”: give a path that begins with /"
    case .noHome:
      "there is no home directory: set BALLMACHINE_STATE_DIRECTORY"
    case .notADirectory(let path):
      "\(path) is not a directory: remove it, or set BALLMACHINE_STATE_DIRECTORY"
    case .notOurs(let path):
      "\(path) belongs to another user, or others may write to it:"
        + " run `chmod go-w \(path)`, or set BALLMACHINE_STATE_DIRECTORY"
    case .system(let error):
      "\(error) (BALLMACHINE_STATE_DIRECTORY sets another one)"
    }
  }
}
