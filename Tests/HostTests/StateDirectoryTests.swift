import Foundation
import Glibc
import TestSupport
import Testing

@testable import Host

struct StateDirectoryTests {
  private let base: TemporaryDirectory

  init() throws {
    base = try TemporaryDirectory()
  }

  @Test(
    arguments: [
      (["BALLMACHINE_STATE_DIRECTORY": "/own", "STATE_DIRECTORY": "/service"], 0, "/own"),
      (["STATE_DIRECTORY": "/service", "XDG_STATE_HOME": "/state"], 1000, "/service"),
      (["STATE_DIRECTORY": "/first:/second"], 0, "/first"),
      (["XDG_STATE_HOME": "/state", "HOME": "/home/me"], 0, "/var/lib/ballmachine"),
      (["XDG_STATE_HOME": "/state", "HOME": "/home/me"], 1000, "/state/ballmachine"),
      (["XDG_STATE_HOME": "state", "HOME": "/h"], 1000, "/h/.local/state/ballmachine"),
      (["BALLMACHINE_STATE_DIRECTORY": "", "HOME": "/h"], 1000, "/h/.local/state/ballmachine"),
    ] as [([String: String], UInt32, String)]
  )
  func theFirstThatAppliesIsTaken(
    environment: [String: String],
    userID: UInt32,
    expected: String
  ) throws {
    let directory = try StateDirectory(variable: { environment[$0] }, userID: userID)
    #expect(directory.path == expected)
    #expect(directory.path(of: "x") == expected + "/x")
  }

  @Test func whereThereIsNoneThatIsSaid() {
    #expect(throws: StateDirectoryError.noHome) {
      try StateDirectory(variable: { _ in nil }, userID: 1000)
    }
    let name = "BALLMACHINE_STATE_DIRECTORY"
    #expect(throws: StateDirectoryError.notAbsolute(variable: name, "here")) {
      try StateDirectory(variable: { $0 == name ? "here" : nil })
    }
  }

  @Test func nothingIsMadeBeforeItIsNeeded() throws {
    let home = base("home")
    let directory = try StateDirectory(variable: { $0 == "HOME" ? home : nil }, userID: 1000)
    #expect(try directory.owners() == nil)
    #expect(access(home, F_OK) != 0)
    try directory.prepare()
    var status = stat()
    try #require(lstat(directory.path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o700)
    try directory.prepare()
  }

  @Test func onlyOwnersMayBeAbleToWriteThere() throws {
    let path = base("state")
    func owners(as userID: UInt32) throws -> Set<UInt32>? {
      try StateDirectory(variable: { _ in path }, userID: userID).owners()
    }
    try #require(mkdir(path, 0o755) == 0)
    try #require(chmod(path, 0o775) == 0)
    #expect(throws: StateDirectoryError.notOurs(path)) { try owners(as: geteuid()) }
    try #require(chmod(path, 0o755) == 0)
    #expect(try owners(as: geteuid()) == [geteuid(), 0])
    if geteuid() == 0 {
      // Root may look into the service's own; the service not into a stranger's.
      try #require(chown(path, 1000, 1000) == 0)
      #expect(try owners(as: 0) == [0, 1000])
      #expect(throws: StateDirectoryError.notOurs(path)) { try owners(as: 1001) }
    }
    try #require(rmdir(path) == 0)
    _ = try base.write("", to: "state")
    #expect(throws: StateDirectoryError.notADirectory(path)) { try owners(as: geteuid()) }
  }

  /// The page's phones are in a file that nobody else may read.
  @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
  func whatRootWritesIsTheServices() throws {
    let path = base("state")
    try #require(mkdir(path, 0o755) == 0 && chown(path, 1234, 1235) == 0)
    let file = StateFile("phones.json", in: try StateDirectory { _ in path }, mode: 0o600)
    try file.write(Array("[]".utf8))
    var status = stat()
    try #require(lstat(file.path, &status) == 0)
    #expect(status.st_uid == 1234 && status.st_gid == 1235 && status.st_mode & 0o777 == 0o600)
  }

  /// The service must be able to take it later.
  @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
  func theLockThatRootMakesIsTheServices() throws {
    let path = base("state")
    try #require(mkdir(path, 0o755) == 0 && chown(path, 1234, 1235) == 0)
    let lock = try StateLock(of: try StateDirectory { _ in path })
    defer { lock.release() }
    var status = stat()
    try #require(lstat(path + "/" + StateLock.fileName, &status) == 0)
    #expect(status.st_uid == 1234 && status.st_mode & 0o777 == 0o600)
  }
}
