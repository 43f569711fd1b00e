import Glibc

/// The directory of sockets and locks, which lives as long as the machine is up.
///
/// The first of these that applies, created when it is missing:
/// 1. `BALLMACHINE_RUNTIME_DIR`, for tests and for two bridges on one box;
/// 2. `RUNTIME_DIRECTORY`, which systemd sets for a service;
/// 3. `/run/ballmachine`, if it exists: a service is installed, most likely;
/// 4. `XDG_RUNTIME_DIR/ballmachine`, if that is really this user's;
/// 5. `/run/ballmachine`, if it can be made;
/// 6. `/tmp/ballmachine-UID`, if it is this user's alone.
///
/// A bridge must be able to write there. Clients of a bridge use ``ofRunningBridge(in:)``.
package struct RuntimeDirectory: Hashable, Sendable {
  package let path: String
  /// The lock file: a bridge in this directory locks it (``MachineLock``).
  package var lock: String { path(of: MachineLock.fileName) }
  /// Users that a client may trust here, see ``PathOwners/trusted``.
  package let trusted: Set<UInt32>

  /// What the choice of the directory depends on; tests give their own.
  package struct Environment {
    var variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    var userID: UInt32 = geteuid()
    /// The directory that stands for `/run`.
    var system = "/run"
    /// The directory that stands for `/tmp`.
    var temporary = "/tmp"
  }

  /// - Parameter isChecked: whether to refuse a directory in which other users could put sockets.
  ///   A program that only stops the machine does without the check.
  package init(
    in environment: Environment = Environment(),
    isChecked: Bool = true
  ) throws(RuntimeDirectoryError) {
    try self.init(choosingIn: environment)
    guard isChecked else { return }
    let userID = environment.userID
    try checkSafety(for: userID, mustOwn: path == environment.temporaryDirectory(of: userID))
  }

  /// - Parameter mustOwn: whether the directory must belong to the user, because another one can create that
  ///   name first.
  /// - Throws: if other users could put sockets there.
  private func checkSafety(
    for userID: UInt32,
    mustOwn: Bool
  ) throws(RuntimeDirectoryError) {
    if let weakness = PathOwners(of: path, userID: userID).weakness {
      throw .notSafe(path, weakness)
    }
    if mustOwn, FileStatus(path: path)?.owner != userID {
      throw .notSafe(path, "it belongs to another user")
    }
  }

  private init(choosingIn environment: Environment) throws(RuntimeDirectoryError) {
    if let path = try environment.checkedGiven {
      try self.init(creating: path)
      return
    }
    let service = environment.service
    if FileStatus(path: service) != nil {
      try self.init(using: service, isService: true)
      return
    }
    if let home = environment.variable("XDG_RUNTIME_DIR"), home.hasPrefix("/"),
      let status = FileStatus(path: home), status.isDirectory, status.owner == environment.userID
    {
      try self.init(creating: home + "/ballmachine")
      return
    }
    // Open to all users, as the installed service's directory: any user may stop the machine.
    if let directory = try? RuntimeDirectory(creating: service, mode: 0o755) {
      self = directory
      return
    }
    try self.init(creating: environment.temporaryDirectory(of: environment.userID))
  }

  /// The directory of a bridge that runs, or would run, for its clients: nothing is created, and no
  /// write permission is needed.
  package static func ofRunningBridge(
    in environment: Environment = Environment()
  ) throws(RuntimeDirectoryError) -> RuntimeDirectory {
    let userID = environment.userID
    if let path = try environment.checkedGiven {
      return RuntimeDirectory(path: path, userID: userID)
    }
    let candidates = environment.candidates
    let found = candidates.first { path in
      guard let status = FileStatus(path: path), status.isDirectory else { return false }
      // Only root makes directories in /run; elsewhere another user may have made this one.
      return path.hasPrefix(environment.system + "/") || status.isAlone(of: userID)
    }
    return RuntimeDirectory(path: found ?? candidates[0], userID: userID)
  }

  /// The directory of a simulation's sockets and lock, for this user alone. No bridge uses it, and
  /// its clients are only those that ask for a simulation. The same environment gives the same
  /// directory: `/tmp/ballmachine-simulation-UID`, or one in the directory that a variable names.
  ///
  /// - Parameter isMade: whether to create it, for a simulation.
  package static func ofSimulation(
    isMade: Bool = false,
    in environment: Environment = Environment()
  ) throws(RuntimeDirectoryError) -> RuntimeDirectory {
    let userID = environment.userID
    let given = try environment.checkedGiven
    let path =
      given.map { "\($0)/\(simulation)" } ?? "\(environment.temporary)/\(simulation)-\(userID)"
    guard isMade else { return RuntimeDirectory(path: path, userID: userID) }
    if let given { mkdir(given, 0o750) }
    let directory = try RuntimeDirectory(creating: path, mode: 0o700)
    try directory.checkSafety(for: userID, mustOwn: true)
    return directory
  }

  fileprivate static let simulation = "ballmachine-simulation"

  /// The path of a file in this directory.
  package func path(of name: String) -> String { path + "/" + name }

  private init(path: String, userID: UInt32 = geteuid()) {
    self.path = path
    trusted = PathOwners(of: path, userID: userID).trusted
  }

  private init(
    creating path: String,
    mode: mode_t = 0o750
  ) throws(RuntimeDirectoryError) {
    if mkdir(path, mode) != 0, errno != EEXIST {
      throw .system(SystemError("create the runtime directory \(path)"))
    }
    try self.init(using: path)
  }

  /// - Parameter isService: whether another user's service may have made it.
  private init(
    using path: String,
    isService: Bool = false
  ) throws(RuntimeDirectoryError) {
    // Links are not followed: one in `/tmp` may lead anywhere.
    guard let status = FileStatus(path: path), status.isDirectory else {
      throw .notADirectory(path)
    }
    guard access(path, W_OK | X_OK) == 0 else {
      if isService, errno == EACCES { throw .ofAnotherUser(path) }
      throw .system(SystemError("use the runtime directory \(path)"))
    }
    self.init(path: path)
  }
}

extension RuntimeDirectory {
  /// The users whom a client believes wherever they listen: root, its own user, and the installed
  /// service's, which owns `/run/ballmachine` or is called `ballmachine`.
  package static func believed(in environment: Environment = Environment()) -> Set<UInt32> {
    let owner = FileStatus(path: environment.service)?.owner
    let service = owner ?? getpwnam("ballmachine")?.pointee.pw_uid
    return Set([0, environment.userID] + [service].compactMap(\.self))
  }

  /// Whether the environment names the directory: then only a bridge there is meant.
  package static var isGiven: Bool { Environment().given != nil }
}

extension RuntimeDirectory.Environment {
  fileprivate var service: String { system + "/ballmachine" }

  fileprivate func temporaryDirectory(of userID: UInt32) -> String {
    "\(temporary)/ballmachine-\(userID)"
  }

  /// The possible directories of a bridge of this user, or of a service that this user inspects;
  /// none of them is created.
  var candidates: [String] {
    if let path = given?.path { return [path] }
    let home = variable("XDG_RUNTIME_DIR").map { [$0 + "/ballmachine"] } ?? []
    return [service] + home + [temporaryDirectory(of: userID)]
  }

  /// The files that a bridge of this user, or a service, may have locked; none of them is created.
  package var lockCandidates: [String] {
    candidates.map { "\($0)/\(MachineLock.fileName)" }
  }

  /// The directory that the environment names, and the variable's name.
  fileprivate var given: (name: String, path: String)? {
    for name in ["BALLMACHINE_RUNTIME_DIR", "RUNTIME_DIRECTORY"] {
      // systemd separates several directories by colons.
      if let path = variable(name)?.split(separator: ":").first { return (name, String(path)) }
    }
    return nil
  }

  /// - Throws: if the variable names no place for a bridge.
  fileprivate var checkedGiven: String? {
    get throws(RuntimeDirectoryError) {
      guard let (name, path) = given else { return nil }
      guard path.hasPrefix("/") else { throw .notAbsolute(variable: name, path) }
      guard path.split(separator: "/").last?.hasPrefix(RuntimeDirectory.simulation) != true else {
        throw .ofSimulation(variable: name, path)
      }
      return path
    }
  }
}

/// Why there is no runtime directory.
package enum RuntimeDirectoryError: Error, Hashable, Sendable {
  case notAbsolute(variable: String, String)
  /// A simulation's directory, where no bridge may be.
  case ofSimulation(variable: String, String)
  case notADirectory(String)
  /// Other users could put sockets there, and why.
  case notSafe(String, String)
  /// The directory of the installed service, which runs as another user.
  case ofAnotherUser(String)
  case system(SystemError)
}

extension RuntimeDirectoryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAbsolute(let variable, let path):
      "\(variable) is “\(path)”: give a path that begins with /"
    case .ofSimulation(let variable, let path):
      "\(variable) is “\(path)”, a directory of simulations: give another path"
    case .notADirectory(let path):
      "\(path) is not a directory: remove it, or set BALLMACHINE_RUNTIME_DIR"
    case .notSafe(let path, let weakness):
      "\(path) is not a safe place for the sockets, \(weakness):"
        + " run `chmod go-w` or `chown` there, or set BALLMACHINE_RUNTIME_DIR"
    case .ofAnotherUser(let path):
      "\(path) belongs to the ballmachine service's user, so that one program at a time controls"
        + " the machine: run this as root, or let the service do it"
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

  func isAlone(of userID: UInt32) -> Bool { owner == userID && !isWritableByOthers }
}
