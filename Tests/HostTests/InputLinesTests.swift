import Testing

@testable import Host

struct InputLinesTests {
  private let reading: FileDescriptor
  private var writing: FileDescriptor?

  init() throws {
    (reading, writing) = try FileDescriptor.pipe()
  }

  private func write(_ bytes: some Sequence<UInt8>) throws {
    try writeAll(Array(bytes), to: try #require(writing).number)
  }

  @Test mutating func linesComeAsTheyAreWrittenAndEndWithTheInput() async throws {
    var lines = InputLines.lines(of: reading.number).makeAsyncIterator()
    try write("one\r\n\ntw".utf8)
    #expect(await lines.next() == "one")
    #expect(await lines.next() == "")
    try write("o\nthr\u{FF}ee".utf8)
    #expect(await lines.next() == "two")
    writing = nil
    #expect(await lines.next() == "thrÿee")
    #expect(await lines.next() == nil)
  }

  @Test mutating func aLongLineIsWhole() async throws {
    var lines = InputLines.lines(of: reading.number).makeAsyncIterator()
    let long = String(repeating: "a", count: 10_000)
    try write("\(long)\n".utf8)
    #expect(await lines.next() == long)
    writing = nil
    #expect(await lines.next() == nil)
  }

  @Test mutating func whatIsNoTextIsReplaced() async throws {
    var lines = InputLines.lines(of: reading.number).makeAsyncIterator()
    try write([0x66, 0xFF, 0x72, 0x0A])
    #expect(await lines.next() == "f\u{FFFD}r")
    writing = nil
    #expect(await lines.next() == nil)
  }
}
