import Host
import Testing

@testable import RunLog

struct LogFileNameTests {
  private static let name = LogFileName(
    run: 42,
    beginning: "20261121T165737Z",
    part: 1,
    kind: .records
  )

  private static func beginning(_ seconds: Int) -> String {
    LogFileName.beginning(WallTime(secondsSince1970: seconds))
  }

  @Test func aNameIsReadBack() {
    #expect(Self.name.text == "000042-20261121T165737Z-001.ndjson")
    var track = Self.name
    track.kind = .playerPositions
    #expect(track.text == "000042-20261121T165737Z-001-player_positions.csv")
    for name in [Self.name, track] { #expect(LogFileName(name.text) == name) }
  }

  @Test(arguments: [
    "", ".", "machine.json", "000042-20261121T165737Z-001.ndjson.gz", "000042-x-001.csv",
    "42-20261121T165737Z-001.ndjson", "000042-20261121T165737Z-1.ndjson",
    "+00042-20261121T165737Z-001.ndjson", "000000-20261121T165737Z-001.ndjson",
    "000042-20261121T165737Z-000.ndjson", "000042-a-b-001.ndjson", "000042--001-.ndjson",
    // No number comes after it.
    "9223372036854775807-20261121T165737Z-001.ndjson",
    "000042-20261121T165737Z-9223372036854775807.ndjson",
  ])
  func anythingElseIsNotOurs(_ text: String) { #expect(LogFileName(text) == nil) }

  @Test func textsSortAsRunsDoWhateverTheClockOnTheWallSaid() {
    var names: [LogFileName] = []
    for (run, beginning) in [(7, 1_795_280_257), (8, 12), (9, 1_795_280_000), (10, 0)] {
      for part in [1, 2, 10] {
        for kind in [LogFileName.Kind.playerPositions, .records] {
          names.append(
            LogFileName(
              run: run,
              beginning: Self.beginning(beginning),
              part: part,
              kind: kind
            )
          )
        }
      }
    }
    #expect(names.shuffled().sorted() == names)
    #expect(names.map(\.text).shuffled().sorted() == names.map(\.text))
  }

  @Test func aBeginningIsInUniversalTime() {
    #expect(Self.beginning(1_795_280_257) == "20261121T165737Z")
    #expect(Self.beginning(0) == "19700101T000000Z")
  }
}
