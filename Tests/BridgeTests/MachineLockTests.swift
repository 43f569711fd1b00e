import Bridge
import CourtLogic
import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MachineLockTests {
  private let base: TemporaryDirectory
  private let directory: RuntimeDirectory

  init() throws {
    let base = try TemporaryDirectory()
    self.base = base
    directory = try RuntimeDirectory(
      variable: { $0 == "BALLMACHINE_RUNTIME_DIR" ? base("run") : nil }
    )
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
}
