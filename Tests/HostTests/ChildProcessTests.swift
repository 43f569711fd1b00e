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

  @Test func aProgramThatIsNotThereIsAnError() async throws {
    let folder = try TemporaryDirectory()
    await #expect(throws: SystemError("run no-such-program", code: ENOENT)) {
      try await ChildProcess.run(["no-such-program"], output: folder("text"))
    }
  }
}
