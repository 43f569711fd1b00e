import CourtLogic
import Testing

struct ZoneTests {
  @Test func thereAre16InReadingOrder() {
    #expect(Zone.allCases.map(\.id) == Array(0..<16))
    #expect(
      Zone.allCases.map(\.description).joined(separator: " ")
        == "0-0 0-1 0-2 0-3 1-0 1-1 1-2 1-3 2-0 2-1 2-2 2-3 3-0 3-1 3-2 3-3"
    )
    #expect(Zone.allCases == Zone.allCases.sorted())
  }

  @Test(arguments: Zone.allCases) func bothFormsNameIt(zone: Zone) {
    #expect(Zone("\(zone.id)") == zone)
    #expect(Zone("\(zone)") == zone)
    #expect(Zone(rowColumn: "\(zone)") == zone)
    #expect(Zone(row: zone.row, column: zone.column) == zone)
    #expect(Zone(rowColumn: "\(zone.id)") == nil, "tables write row-column only")
  }

  @Test func fiveIsRowOneColumnOne() throws {
    let zone = try #require(Zone("5"))
    #expect((zone.row, zone.column) == (1, 1))
    #expect(zone.description == "1-1")
  }

  @Test(
    arguments: [
      "", "16", "-1", "+5", "05", " 5", "5 ", "1-4", "4-1", "1-", "-1-1", "1–1", "１-１", "1-1-1",
      "a", "1-1\n", "0x5", "1.0", "99999999999999999999",
    ]
  )
  func anythingElseIsNoZone(text: String) {
    #expect(Zone(text) == nil)
  }
}
