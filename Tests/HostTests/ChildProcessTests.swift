import Foundation
import Glibc
import TestSupport
import Testing

@testable import Host

@Suite(.mustEnd)
struct ChildProcessTests {
  @Test func whatItSaysGoesToItsFileAlone() async throws {
    let folder = try TemporaryDirectory()
    let script = "cat; echo out; echo err >&2; exit 3"
    #expect(try await ChildProcess.run(["sh", "-c", script], output: folder("text")) == 3)
    #expect(try String(contentsOfFile: folder("text"), encoding: .utf8) == "out\nerr\n")
    var status = stat()
    #expect(stat(folder("text"), &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func aSignalIsToldAsShellsDo() async throws {
    let folder = try TemporaryDirectory()
    let status = try await ChildProcess.run(["sh", "-c", "kill -9 $$"], output: folder("text"))
    #expect(status == 128 + 9)
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
    #expect(end == ChildProcess.End(status: 3, complaint: "two"))
    await #expect(throws: SystemError("run no-such-program", code: ENOENT)) {
      try await ChildProcess.runUnlessCancelled(["no-such-program"])
    }
  }

  @Test func aProgramThatIsNotThereIsAnError() async throws {
    let folder = try TemporaryDirectory()
    await #expect(throws: SystemError("run no-such-program", code: ENOENT)) {
      try await ChildProcess.run(["no-such-program"], output: folder("text"))
    }
  }
}
