import Doctor
import TestSupport
import Testing

/// Of a long log, the end is enough to see what happened.
struct LogTailTests {
  @Test func theNewestLogEndsInWholeLines() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write("{\"old\":1}\n", to: "000001-20261121T165737Z-001.ndjson")
    _ = try folder.write("{\"a\":1}\n{\"b\":2}\n{\"c\":", to: "000002-20261121T165738Z-001.ndjson")
    _ = try folder.write("x", to: "000002-20261121T165738Z-001-player_positions.csv")
    let all = try #require(try LogTail.of(.newest, in: folder.path, longest: 1000))
    #expect(all.name == "000002-20261121T165738Z-001.ndjson")
    #expect(all.text == "{\"a\":1}\n{\"b\":2}\n{\"c\":")
    #expect(
      try LogTail.of(.newest, in: folder.path, longest: 16)?.text == "{\"b\":2}\n{\"c\":"
    )
    #expect(try LogTail.of(.newest, in: folder.path, longest: 4)?.text == "")
  }

  @Test func theLastSessionIsFoundBehindRunsWithoutOne() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write("{\"a\":1}\n", to: "000001-20261121T165737Z-001.ndjson")
    func session() throws -> String? {
      try LogTail.of(.newestWithSession, in: folder.path, longest: 1000)?.name
    }
    #expect(try session() == "000001-20261121T165737Z-001.ndjson")
    // Of a run in parts, the end is in the last one.
    let armed = "{\"event\":\"safety\",\"state\":\"countdown\"}\n"
    _ = try folder.write(armed, to: "000002-20261121T165738Z-001.ndjson")
    _ = try folder.write("{\"b\":2}\n", to: "000002-20261121T165738Z-002.ndjson")
    _ = try folder.write("{\"c\":3}\n", to: "000003-20261121T165739Z-001.ndjson")
    #expect(try session() == "000002-20261121T165738Z-002.ndjson")
  }

  @Test func withoutALogThereIsNone() throws {
    let folder = try TemporaryDirectory()
    #expect(try LogTail.of(.newest, in: folder.path, longest: 10) == nil)
    #expect(try LogTail.of(.newestWithSession, in: folder("nowhere"), longest: 10) == nil)
  }
}
