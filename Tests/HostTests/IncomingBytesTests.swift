import Glibc
import TestSupport
import Testing

struct IncomingBytesTests {
  /// The kernel reports both at once, and once only.
  @Test(.mustEnd, arguments: [1, 100_000])
  func aHangUpThatComesTogetherWithDataIsSeen(length: Int) async throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let bytes = [UInt8](repeating: 7, count: length)
    try #require(write(writing, bytes, length) == length)
    close(writing)

    let (lengths, continuation) = AsyncStream.makeStream(of: Int.self)
    IncomingBytes.read(reading) { bytes in
      continuation.yield(bytes.count)
    } end: {
      continuation.finish()
    }
    #expect(await lengths.reduce(0, +) == length)
  }
}
