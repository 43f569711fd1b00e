import Glibc
import Testing

@testable import Host

struct InputLinesTests {
  @Test func linesComeAsTheyAreWrittenAndEndWithTheInput() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    var lines = InputLines.lines(of: ends[0]).makeAsyncIterator()
    try write("one\r\n\ntw", to: ends[1])
    #expect(await lines.next() == "one")
    #expect(await lines.next() == "")
    try write("o\nthr\u{FF}ee", to: ends[1])
    #expect(await lines.next() == "two")
    #expect(close(ends[1]) == 0)
    #expect(await lines.next() == "thrÿee")
    #expect(await lines.next() == nil)
    close(ends[0])
  }

  @Test func aLongLineIsWhole() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    var lines = InputLines.lines(of: ends[0]).makeAsyncIterator()
    let long = String(repeating: "a", count: 10_000)
    try write(long + "\n", to: ends[1])
    #expect(await lines.next() == long)
    close(ends[1])
    close(ends[0])
  }

  private func write(_ text: String, to descriptor: Int32) throws {
    let bytes = Array(text.utf8)
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }
}
