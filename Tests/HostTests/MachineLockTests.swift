import Foundation
import Glibc
import TestSupport
import Testing

@testable import Host

@Suite(.mustEnd)
struct MachineLockTests {
  private let base: TemporaryDirectory
  private let directory: RuntimeDirectory

  init() throws {
    let base = try TemporaryDirectory()
    self.base = base
    directory = try RuntimeDirectory(at: base("run"))
  }

  @Test func oneHolderAtATimeAndItIsNamed() throws {
    let lock = try MachineLock(in: directory)
    #expect(throws: MachineLockError.held(by: getpid())) { try MachineLock(in: directory) }
    #expect(
      "\(MachineLockError.held(by: 42))"
        == "another ballmachine, process 42, controls the machine: end it first"
    )
    let path = directory.path(of: MachineLock.fileName)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "\(getpid())\n")
    lock.release()
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_size == 0)
    lock.release()
    _ = try MachineLock(in: directory)
  }

  /// The service must be able to lock it after root has run a program by hand.
  @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
  func whatRootLocksIsTheServices() throws {
    let path = base("state")
    try #require(mkdir(path, 0o755) == 0 && chown(path, 1234, 1235) == 0)
    let lock = try LockFile(path: path + "/lock", mode: 0o600)
    defer { lock.release() }
    var status = stat()
    try #require(lstat(path + "/lock", &status) == 0)
    #expect(status.st_uid == 1234 && status.st_gid == 1235 && status.st_mode & 0o777 == 0o600)
  }

  /// Linux's full disk.
  @Test func aFullDiskKeepsNoOneFromLocking() throws {
    let lock = try LockFile(path: "/dev/full", mode: 0o600)
    defer { lock.release() }
    #expect(throws: MachineLockError.held(by: nil)) {
      try LockFile(path: "/dev/full", mode: 0o600)
    }
  }

  @Test func theLockGoesWithItsHolder() throws {
    do { _ = try MachineLock(in: directory) }
    let lock = try MachineLock(in: directory)
    lock.release()
  }

  @Test func aChildProcessDoesNotKeepIt() throws {
    let lock = try MachineLock(in: directory)
    // A child that lives until its input ends.
    var pipe = Optional(try FileDescriptor.pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, try #require(pipe).reading.number, STDIN_FILENO)
    var child: pid_t = 0
    var arguments = [strdup("cat"), nil]
    try #require(posix_spawn(&child, "/bin/cat", &actions, nil, &arguments, environ) == 0)
    lock.release()
    _ = try MachineLock(in: directory)
    pipe = nil
    var status: Int32 = 0
    #expect(waitpid(child, &status, 0) == child)
    #expect(status == 0)
    posix_spawn_file_actions_destroy(&actions)
    free(arguments[0])
  }

  @Test func aWaiterGetsItAsSoonAsItIsFree() async throws {
    let clock = ManualClock()
    let lock = try MachineLock(in: directory)
    async let waiter = MachineLock.acquire(in: directory, within: .seconds(2), clock: clock)
    await clock.sleepers(atLeast: 1)
    lock.release()
    clock.advance(by: .milliseconds(50))
    _ = try await waiter
  }

  @Test func aWaitersPatienceEnds() async throws {
    let clock = ManualClock()
    let lock = try MachineLock(in: directory)
    let waiter = Task { [directory] in
      try await MachineLock.acquire(in: directory, within: .milliseconds(120), clock: clock)
    }
    for step in [50, 50, 20] {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .milliseconds(step))
    }
    await #expect(throws: MachineLockError.held(by: getpid())) { try await waiter.value }
    lock.release()
  }

  @Test func withoutPatienceItIsTriedOnce() async throws {
    let lock = try MachineLock(in: directory)
    await #expect(throws: MachineLockError.held(by: getpid())) {
      try await MachineLock.acquire(in: directory, within: .zero, clock: ManualClock())
    }
    lock.release()
  }

  /// A reader's flock would keep the service and safe-stop away.
  @Test func onlyTheOwnerCanLockAServicesFile() throws {
    let lock = try MachineLock(in: directory)
    var status = stat()
    try #require(stat(directory.path(of: MachineLock.fileName), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    lock.release()
  }

  // MARK: Only looking

  @Test func whoOnlyLooksSeesTheHolderAndLeavesNoTrace() throws {
    let path = directory.path(of: MachineLock.fileName)
    #expect(MachineLock.holder(of: [directory.lock]) == nil)
    #expect(!FileManager.default.fileExists(atPath: path))
    let lock = try MachineLock(in: directory)
    #expect(MachineLock.holder(of: [base("none"), directory.lock]) == getpid())
    lock.release()
    #expect(MachineLock.holder(of: [directory.lock]) == nil)
  }

  @Test(arguments: ["1\n", "999999\n", "\n", "x", "99999999999999999999", ""])
  func aHolderThatIsGoneIsNoHolder(_ text: String) throws {
    _ = try base.write(text, to: "run/" + MachineLock.fileName)
    #expect(MachineLock.holder(of: [directory.lock]) == nil)
    #expect(MachineLock.holder(of: [directory.lock], table: { nil }) == nil)
  }

  /// Only an exclusive lock of the kind that we take, on this file, by this process counts.
  @Test(
    arguments: [
      ("1: FLOCK  ADVISORY  WRITE P 00:19:I 0 EOF\n", true),
      ("1: POSIX  ADVISORY  WRITE P 00:19:I 0 EOF\n", false),
      ("1: -> FLOCK  ADVISORY  WRITE P 00:19:I 0 EOF\n", false),
      ("1: FLOCK  ADVISORY  WRITE 1P 00:19:I 0 EOF\n", false),
      ("1: FLOCK  ADVISORY  WRITE P 00:19:1I 0 EOF\n", false),
      ("1: FLOCK  ADVISORY  WRITE P\n", false),
      ("nonsense\n\u{0}", false),
    ]
  )
  func theKernelsListIsReadByTheWord(_ line: String, _ isHeld: Bool) throws {
    let path = try base.write("812\n", to: "run/" + MachineLock.fileName)
    var status = stat()
    try #require(stat(path, &status) == 0)
    let table = line.replacing(" P", with: " 812").replacing("1P", with: "1812")
      .replacing("I ", with: "\(status.st_ino) ")
    #expect(
      MachineLock.holder(of: [directory.lock]) { Array(table.utf8) } == (isHeld ? 812 : nil)
    )
  }

  @Test func aLockThatTheKernelsListMissesOnceIsHeldAllTheSame() throws {
    let path = try base.write("812\n", to: "run/" + MachineLock.fileName)
    var status = stat()
    try #require(stat(path, &status) == 0)
    let line = "1: FLOCK  ADVISORY  WRITE 812 00:19:\(status.st_ino) 0 EOF\n"
    var reads = 0
    let holder = MachineLock.holder(of: [directory.lock]) {
      reads += 1
      return Array((reads == 1 ? "" : line).utf8)
    }
    #expect(holder == 812 && reads == 2)
  }
}
