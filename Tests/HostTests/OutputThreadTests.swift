import Glibc
import TestSupport
import Testing

@testable import Host

/// A reader of standard output that takes nothing.
@Suite(.mustEnd) struct OutputThreadTests {
  @Test func whileTheProgramRunsItIsWaitedFor() async throws {
    let thread = OutputThread(timeout: .milliseconds(1))
    let blockade = try Blockade()
    let write = Task { try await thread.perform { blockade.block() } }
    // Longer than the timeout that it would have at the end.
    await #expect(throws: TimeoutError()) {
      try await waiting(atMost: .milliseconds(20)) { try await write.value }
    }
    blockade.release()
    try await write.value
  }

  @Test func atTheEndItIsGivenUp() async throws {
    let thread = OutputThread(timeout: .milliseconds(1))
    let blockade = try Blockade()
    let writes = (1...3).map { _ in Task { try await thread.perform { blockade.block() } } }
    thread.hurry()
    for write in writes {
      await #expect(throws: ReaderStuck()) { try await write.value }
    }
    await #expect(throws: ReaderStuck()) { try await thread.perform {} }
    for _ in writes { blockade.release() }
  }

  @Test func atTheEndAReaderThatTakesWhatComesIsToldAll() async throws {
    let thread = OutputThread(timeout: .seconds(3600))
    thread.hurry()
    for _ in 1...100 { try await thread.perform {} }
  }

  @Test func whatNobodyWaitsForIsBounded() async throws {
    let thread = OutputThread()
    let blockade = try Blockade()
    let isTaken = (1...20).map { _ in thread.performLater { blockade.block() } }
    #expect(isTaken.count { $0 } == 16 && isTaken.last == false)
    for _ in isTaken { blockade.release() }
    try await thread.perform {}
    #expect(thread.performLater {})
  }

  @Test func aPipeThatStaysFullIsLeftAlone() throws {
    let pipe = try FileDescriptor.pipe()
    // F_GETPIPE_SZ of Linux's fcntl(2).
    let size = Int(fcntl(pipe.writing.number, 1032))
    let error = #expect(throws: SystemError.self) {
      try writeAll(
        String(repeating: "x", count: size + 1),
        to: pipe.writing.number,
        within: .milliseconds(1)
      )
    }
    #expect(error?.code == ETIMEDOUT)
    // What it took is there, all but what a write could have waited for.
    var buffer = [UInt8](repeating: 0, count: size + 1)
    #expect(read(pipe.reading.number, &buffer, buffer.count) > size / 2)
    try writeAll("all", to: pipe.writing.number, within: .zero)
  }
}
