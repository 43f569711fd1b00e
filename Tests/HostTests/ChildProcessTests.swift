import Foundation
import Glibc
import TestSupport
import Testing

@testable import Host

@Suite(.mustEnd)
struct ChildProcessTests {
  /// Far within a test's time.
  private static func output(of script: String, within limit: Duration = .seconds(20)) async throws
    -> ChildProcess.End
  {
    try await ChildProcess.output(of: ["sh", "-c", script], longest: 1 << 20, within: limit)
  }

  @Test func whatItSaysIsKept() async throws {
    let end = try await Self.output(of: "cat; echo out; echo err >&2; exit 3")
    #expect(end == ChildProcess.End(status: 3, errors: "err\n", output: Array("out\n".utf8)))
  }

  @Test func aSignalIsToldAsShellsDo() async throws {
    #expect(try await Self.output(of: "kill -9 $$").status == 128 + 9)
  }

  @Test(arguments: ["yes >&2", "echo out; sleep 1000"])
  func itsLimitEndsIt(script: String) async throws {
    // More errors than their pipe takes stop it, and then it never ends by itself.
    let end = try await Self.output(of: script, within: .milliseconds(200))
    #expect(end.status == 128 + SIGKILL)
  }

  @Test func aCancellationKillsAChildAndItsOwn() async throws {
    let folder = try TemporaryDirectory()
    let path = folder("fifo")
    #expect(mkfifo(path, 0o600) == 0)
    let begun = FirstAnswer<Void>()
    let child = Task {
      let script = "exec 3> \(path); echo Begun >&3; echo Complaint >&2; sleep 1000; true"
      return try await ChildProcess.runUnlessCancelled(["sh", "-c", script])
    }
    async let isOver = WaitingThread.value {
      let file = FileDescriptor(owning: open(path, O_RDONLY))
      var bytes = [UInt8](repeating: 0, count: 16)
      // Nothing more to read: all who could write are gone.
      while read(file.number, &bytes, bytes.count) > 0 { begun.give(.success(())) }
      return true
    }
    try await begun.wait()
    child.cancel()
    #expect(try await child.value.status == 128 + SIGKILL)
    #expect(try await isOver)
  }

  @Test func theLastComplaintIsKept() async throws {
    let script = "echo one >&2; echo two >&2; cat; echo out; exit 3"
    let end = try await ChildProcess.runUnlessCancelled(["sh", "-c", script])
    #expect(end == ChildProcess.End(status: 3, errors: "one\ntwo\n"))
    #expect(end.complaint == "two")
    await #expect(throws: SystemError("run no-such-program", code: ENOENT)) {
      try await ChildProcess.runUnlessCancelled(["no-such-program"])
    }
  }
}
