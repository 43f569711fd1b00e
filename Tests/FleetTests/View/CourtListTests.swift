import Fleet
import Host
import JSON
import Testing

@Suite struct CourtListTests {
  private func courts(
    _ table: CourtTable,
    by order: CourtList.Order = .worst,
    only kind: CourtList.Kind? = nil,
    filter: String = ""
  ) -> [String] {
    CourtList(table, by: order, only: kind, filter: filter, at: Academy.now).rows.map(\.court)
  }

  @Test func theWorstIsFirstAndOthersStandAsPeopleCount() {
    let table = Academy.evening.table
    #expect(courts(table, by: .name) == (1...30).map { "court-\($0)" })
    let off = (1...29).filter { ![17, 21, 22, 23, 24].contains($0) }
    #expect(courts(table) == ([30, 17, 21, 22, 23, 24] + off).map { "court-\($0)" })
  }

  @Test func rowsStayWhileTheirRanksStay() {
    var academy = Academy.evening
    let before = courts(academy.table)
    for state in ["countdown", "live", "resting", "live"] {
      academy.say(.state, of: "court-22", #"{"state":"\#(state)","mode":"REAL"}"#, isNew: true)
      academy.say(.balls, of: "court-23", #"{"session":8}"#, isNew: true)
      #expect(courts(academy.table) == before)
    }
    academy.say(.state, of: "court-22", #"{"state":"disarmed","mode":"REAL"}"#, isNew: true)
    #expect(
      courts(academy.table).prefix(7).map { $0.dropFirst(6) } == [
        "30", "17", "21", "23", "24", "22", "1",
      ]
    )
  }

  @Test func aKindIsLeft() {
    let table = Academy.evening.table
    #expect(courts(table, only: .problems) == ["court-30", "court-17"])
    #expect(courts(table, only: .live) == ["court-21", "court-22", "court-23", "court-24"])
    #expect(courts(table, only: .off).count == 25)
    let list = CourtList(table, by: .name, only: .live, at: Academy.now)
    #expect((list.count, list.countToLookAt, list.countOff) == (30, 2, 25))
  }

  @Test(arguments: [
    (
      "COURT-2",
      [
        "court-21", "court-22", "court-23", "court-24", "court-2", "court-20", "court-25",
        "court-26", "court-27", "court-28", "court-29",
      ]
    ),
    ("30", ["court-30"]), ("not deliv", ["court-30"]), ("zoë", ["court-22"]),
    ("corners", ["court-21"]),
    ("live", ["court-17", "court-21", "court-22", "court-23", "court-24"]), ("ourt", []),
    ("\u{1B}", []),
  ])
  func aFilterLooksAtTheBeginningsOfWords(_ filter: String, found: [String]) {
    var academy = Academy.evening
    academy.say(.version, of: "court-22", #"{"name":"Zoë's court"}"#)
    academy.say(.drill, of: "court-21", #"{"drill":"two-corners"}"#)
    #expect(courts(academy.table, filter: filter) == found)
  }

  @Test func courtsWhoseNamesLookTheSameAreMarked() throws {
    var academy = Academy()
    for court in ["court-1", "court-2", "court-3", "court-4"] { academy.add(court) }
    academy.say(.version, of: "court-2", #"{"name":"Centre"}"#)
    academy.say(.version, of: "court-3", #"{"name":"\u0421entre "}"#)
    academy.say(.version, of: "court-4", #"{"name":"court-1"}"#)
    academy.say(.version, of: "court-1", "{}")
    let rows = CourtList(academy.table, by: .name, at: Academy.now).rows
    #expect(rows.map(\.namesake) == ["court-4", "court-3", "court-2", "court-1"])
    #expect(rows.allSatisfy { $0.shownName == nil && $0.needsAttention })
    #expect(
      rows[2].troubles == [
        "its name has blanks at its ends, in a row, or of a special kind: change fleet.name in its mqtt.yaml",
        "its name looks like that of court-2: change fleet.name in its mqtt.yaml",
      ]
    )
    academy.say(.version, of: "court-3", #"{"name":"North"}"#)
    academy.say(.version, of: "court-1", #"{"name":"South"}"#)
    let mended = CourtList(academy.table, by: .name, at: Academy.now).rows
    // It has the name by which court-1 is stopped.
    #expect(mended.map(\.namesake) == [nil, nil, nil, "court-1"])
    #expect(mended[1].shownName == "Centre")
    #expect(mended[2].troubles.isEmpty)
  }

  @Test func whatACourtThatIsOffHasSaidIsNoPresentToAScript() throws {
    var academy = Academy()
    academy.add("court-1", more: #","reason":"balls may still fly""#)
    academy.say(.problem, of: "court-1", #"{"problems":[{"code":"disk"}]}"#)
    academy.say(.availability, of: "court-1", "offline", isNew: true)
    #expect(
      String(decoding: try JSONEncoding.line(academy.table.rows[0]), as: UTF8.self) == """
        {"court":"court-1","isOnline":false,\
        "last":{"balls":{"byHand":0,"session":24,"total":100},"link":{"state":"ready"},"problems":[{"code":"disk"}],\
        "state":{"mode":"REAL","reason":"balls may still fly","since":"\(Academy.since.iso8601)",\
        "state":"live"}},"name":"Court 1","offlineSince":"\(Academy.now.iso8601)","problems":[],\
        "version":"2.0.0"}
        """
    )
  }
}
