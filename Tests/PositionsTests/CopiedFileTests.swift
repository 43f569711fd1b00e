import Glibc
import Host
import TestSupport
import Testing

@testable import Positions

@Suite(.mustEnd)
struct CopiedFileTests {
  @Test func itHasTheFilesBytesAndItsEnd() throws {
    let directory = try TemporaryDirectory()
    let text = (0..<20_000).map { "\($0)\n" }.joined()
    let path = try directory.write(text, to: "file")
    let copy = try CopiedFile(FileDescriptor(owning: open(path, O_RDONLY)), name: path)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1_000)
    while true {
      let count = read(copy.pipe.number, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    #expect(bytes == Array(text.utf8))
    #expect(copy.failure == nil)
  }

  @Test func itsEndSaysWhyTheFileWasNotRead() throws {
    let copy = try CopiedFile(FileDescriptor(owning: open("/", O_RDONLY)), name: "stdin")
    var byte: UInt8 = 0
    #expect(read(copy.pipe.number, &byte, 1) == 0)
    #expect(copy.failure == SystemError("read positions from stdin", code: EISDIR))
  }

  @Test func itsThreadEndsWithThePipesReaderWhileItWaitsForRoom() async throws {
    try await expectEnd(of: open("/dev/zero", O_RDONLY)) { pipe in
      var (waiting, before): (Int32, Int32) = (0, -1)
      // It writes as much as has room.
      while waiting < 65_536 || waiting != before {
        before = waiting
        try #require(ioctl(pipe.number, UInt(FIONREAD), &waiting) == 0)
        try await Task.yieldUnlessCancelled()
      }
    }
  }

  @Test func itsThreadEndsWithThePipesReaderWhileItWaitsForTheFile() async throws {
    try await expectEnd(of: open("/dev/ptmx", O_RDWR | O_NOCTTY)) { _ in }
  }

  private func expectEnd(
    of number: Int32,
    waiting: (FileDescriptor) async throws -> Void
  ) async throws {
    try #require(number >= 0)
    var file = Optional(FileDescriptor(owning: number))
    weak let held = file
    var copy = Optional(try CopiedFile(try #require(file), name: "file"))
    file = nil
    try await waiting(try #require(copy).pipe)
    #expect(held != nil)
    copy = nil
    while held != nil { try await Task.yieldUnlessCancelled() }
  }
}
