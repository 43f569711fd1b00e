import Doctor
import TestSupport
import Testing

/// Of a long log, the end is enough to see what happened.
struct SessionTailTests {
  @Test func theNewestLogEndsInWholeLines() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write("{\"old\":1}\n", to: "000001-20261121T165737Z-001.ndjson")
    _ = try folder.write("{\"a\":1}\n{\"b\":2}\n{\"c\":", to: "000002-20261121T165738Z-001.ndjson")
    _ = try folder.write("x", to: "000002-20261121T165738Z-001-player_positions.csv")
    let all = try #require(try SessionTail.newest(in: folder.path, longest: 1000))
    #expect(all.name == "000002-20261121T165738Z-001.ndjson")
    #expect(all.text == "{\"a\":1}\n{\"b\":2}\n{\"c\":")
    #expect(try SessionTail.newest(in: folder.path, longest: 16)?.text == "{\"b\":2}\n{\"c\":")
    #expect(try SessionTail.newest(in: folder.path, longest: 4)?.text == "")
  }

  @Test func withoutALogThereIsNone() throws {
    let folder = try TemporaryDirectory()
    #expect(try SessionTail.newest(in: folder.path, longest: 10) == nil)
    #expect(try SessionTail.newest(in: folder("nowhere"), longest: 10) == nil)
  }
}
