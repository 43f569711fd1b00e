import Fleet
import Host
import Terminal
import Testing

@Suite struct CourtTableViewTests {
  private static let bare = TerminalAbilities(colours: false)
  private static let then = Academy.since.local
  private static let now = Academy.now.local

  private func view(
    _ table: CourtTable,
    by order: CourtList.Order = .name,
    only kind: CourtList.Kind? = nil
  ) -> CourtTableView {
    var screen = CourtScreen()
    (screen.order, screen.kind) = (order, kind)
    return CourtTableView(
      table,
      CourtList(table, by: order, only: kind, at: Academy.now),
      screen,
      of: .init(broker: "broker:1883", user: "office"),
      now: Academy.now
    )
  }

  private func frame(
    _ table: CourtTable,
    width: Int = 80,
    height: Int = 24,
    by order: CourtList.Order = .name
  ) -> String {
    view(table, by: order)
      .frame(width: width, height: height, abilities: Self.bare).joined(separator: "\n")
  }

  @Test func twelveCourtsIn80Columns() {
    #expect(
      frame(Academy.atWork) == """
        Courts on broker:1883  12 courts, 4 to look at, 1 off

          Court     Name      State              Mode  Link    Balls  Drill     Since
          court-1   Court 1   LIVE               REAL  ready       7  two-cor…  \(Self.then)
          court-2   Court 2   countdown          REAL  ready      24            \(Self.then)
          court-3   Court 3   LIVE               REAL  ready      21            \(Self.then)
        ! court-4   Court 4   stopped            REAL  ready      24            \(Self.then)
        ! court-5   Court 5   offline, was LIVE                                 \(Self.now)
          court-6   Court 6   LIVE               REAL  ready      42            \(Self.then)
        ! court-7   Court 7   LIVE               REAL  backi…     49            \(Self.then)
          court-8   Court 8   LIVE               REAL  ready      56            \(Self.then)
        ! court-9   Court 9   LIVE               REAL  ready      63            \(Self.then)
          court-10  Court 10  disarmed           REAL  ready       0            \(Self.then)
          court-11  Court 11  LIVE               REAL  ready      24            \(Self.then)
          court-12  Court 12  LIVE, held: no p…  SIM   ready      84            \(Self.then)

        court-4: stopped from the phone
        court-5: its box is off or has lost the broker; its last state was LIVE: balls
          may still fly
        court-7: the machine does not answer; switch it on
        court-9: the clock is 3 min slow; connect the box to the network
        court-9: the disk is nearly full; remove old session logs

        q leaves, Enter opens, / filters, o sorts; `ballmachine mqtt stop COURT' stops
        """
    )
  }

  @Test func ballsByHandStandBesideTheOthers() {
    var academy = Academy()
    academy.add("court-1", state: "disarmed")
    academy.say(.balls, of: "court-1", #"{"session":4,"total":100,"byHand":3}"#)
    academy.table.filled()
    #expect(frame(academy.table, width: 100).contains("disarmed  REAL  ready      4 +3 by hand  "))
  }

  @Test func twelveCourtsIn60Columns() {
    #expect(
      frame(Academy.atWork, width: 60, height: 23) == """
        Courts on broker:1883  12 courts, 4 to look at, 1 off

          Court     State              Mode  Link    Balls  Since
          court-1   LIVE               REAL  ready       7  \(Self.then)
          court-2   countdown          REAL  ready      24  \(Self.then)
          court-3   LIVE               REAL  ready      21  \(Self.then)
        ! court-4   stopped            REAL  ready      24  \(Self.then)
        ! court-5   offline, was LIVE                       \(Self.now)
          court-6   LIVE               REAL  ready      42  \(Self.then)
        ! court-7   LIVE               REAL  backi…     49  \(Self.then)
          court-8   LIVE               REAL  ready      56  \(Self.then)
        ! court-9   LIVE               REAL  ready      63  \(Self.then)
          court-10  disarmed           REAL  ready       0  \(Self.then)
          court-11  LIVE               REAL  ready      24  \(Self.then)
          court-12  LIVE, held: no p…  SIM   ready      84  \(Self.then)

        court-4: stopped from the phone
        court-5: its box is off or has lost the broker; its last
          state was LIVE: balls may still fly
        court-7: the machine does not answer; switch it on
        court-9: the clock is 3 min slow; connect the box to the
        …
        q leaves; `ballmachine mqtt stop COURT' stops a machine
        """
    )
  }

  @Test func twelveCourtsIn120Columns() {
    let lines = frame(Academy.atWork, width: 120).split(separator: "\n")
    #expect(
      lines[2] == """
          court-1   Court 1   LIVE                           REAL  ready            7  \
        two-corners 2/3 4/10  \(Self.then)
        """
    )
    #expect(
      lines[8] == """
        ! court-7   Court 7   LIVE                           REAL  backing off     49  \
                              \(Self.then)
        """
    )
    #expect(
      lines[13] == """
          court-12  Court 12  LIVE, held: no player is seen  SIM   ready           84  \
                              \(Self.then)
        """
    )
  }

  @Test func whereThereAreFewLinesTheWorstAreShown() {
    #expect(
      frame(Academy.atWork, height: 13, by: .worst) == """
        Courts on broker:1883  12 courts, 4 to look at, 1 off

          Court     State                Mode  Link    Balls  Since     Problem
        ! court-5   offline, was LIVE                         \(Self.now)  its box is off …
        ! court-7   LIVE                 REAL  backi…     49  \(Self.then)  the machine doe…
        ! court-9   LIVE                 REAL  ready      63  \(Self.then)  the clock is 3 …
          court-1   LIVE                 REAL  ready       7  \(Self.then)
          court-2   countdown            REAL  ready      24  \(Self.then)
          court-3   LIVE                 REAL  ready      21  \(Self.then)
        6 below, 1 of them to look at
        court-5: its box is off or has lost the broker; its last state was LIVE: balls
          may still fly
        q leaves, Enter opens, / filters, o sorts; `ballmachine mqtt stop COURT' stops
        """
    )
  }

  /// Row for row what an office saw too little of: 25 courts that are off, and one that was not stopped.
  @Test func thirtyCourtsInTheEvening() {
    let lines = frame(Academy.evening.table, by: .worst).split(separator: "\n")
    #expect(lines[0] == "Courts on broker:1883  30 courts, 2 to look at, 25 off")
    #expect(
      lines[2...4] == [
        "! court-30  Court 30  stop NOT delivered     REAL    210  stop NOT delivered; t…",
        "! court-17  Court 17  offline, was LIVE                   its box is off or has…",
        "  court-21  Court 21  LIVE                   REAL    147",
      ]
    )
    #expect(lines[8] == "  court-1   Court 1   offline, was disarmed")
    #expect(
      lines.suffix(4) == [
        "13 below, none of them to look at",
        "court-30: stop NOT delivered; the machine does not answer; look at the",
        "  machine, and use its switch",
        "q leaves, Enter opens, / filters, o sorts; `ballmachine mqtt stop COURT' stops",
      ]
    )
  }

  /// It is cut only where nothing else is left to go.
  @Test(arguments: [30, 34, 40, 60, 80])
  func aStopThatWasNotDeliveredIsReadWhole(_ width: Int) {
    var academy = Academy.evening
    academy.add("court-5", state: "resting")
    let frame = frame(academy.table, width: width, by: .worst)
    #expect(frame.contains("! court-30  ") && frame.contains("  stop NOT delivered"), "\(frame)")
  }

  @Test func whatSaysTheSameOfAllGoesWhereThereIsNoRoom() {
    var academy = Academy()
    for number in 1...3 { academy.add("court-\(number)", balls: number) }
    academy.table.filled()
    #expect(
      frame(academy.table, width: 80).contains("Court    Name     State  Mode  Link   Balls  Since")
    )
    #expect(frame(academy.table, width: 40).contains("  Court    Name     State  Mode  Balls\n"))
  }

  @Test func withoutABrokerNothingLooksLikeThePresent() {
    var table = Academy.atWork
    table.lost(MQTTFailure(.unreachable, "can't connect: Connection refused"), at: Academy.now)
    #expect(
      frame(table, height: 18) == """
        Courts on broker:1883  12 courts
         NO BROKER  since \(Self.now)
        can't connect: Connection refused. It is tried again. Below is what was known
        then.

          Court     Name      State          Since
        ! court-1   Court 1   was LIVE
        ! court-2   Court 2   was countdown
        ! court-3   Court 3   was LIVE
        ! court-4   Court 4   was stopped
        ! court-5   Court 5   was offline    \(Self.now)
        ! court-6   Court 6   was LIVE
        ! court-7   Court 7   was LIVE
        ! court-8   Court 8   was LIVE
        ! court-9   Court 9   was LIVE
        ! court-10  Court 10  was disarmed
        2 below
        q leaves, Enter opens, / filters, o sorts; `ballmachine mqtt stop COURT' stops
        """
    )
  }

  @Test(arguments: [
    ("confirmed", "stopped"), ("alreadyStopped", "stopped"), ("pending", "stopping"),
    ("unconfirmed", "stop unconfirmed"), ("notDelivered", "stop NOT delivered"),
    // Of a later version: when in doubt, the machine is not stopped.
    ("other", "stop unconfirmed"),
  ])
  func aStopThatTheMachineMayNotHaveIsNotShownAsStopped(_ outcome: String, cell: String) {
    var academy = Academy()
    academy.add("court-1", state: "stopped", more: #","stop":{"outcome":"\#(outcome)"}"#)
    academy.table.filled()
    #expect(frame(academy.table).contains("Court 1  \(cell)  REAL"), "\(frame(academy.table))")
  }

  @Test(arguments: [
    ("live", "LIVE, held: why"), ("disarmed", "disarmed, why"), ("resting", "resting, why"),
    // Armed, but not feeding: the state says enough.
    ("paused", "paused"),
  ])
  func whatIsStillToComeStandsBesideTheState(_ state: String, cell: String) {
    var academy = Academy()
    academy.add("court-1")
    let holds = #"[{"code":"stopOwed","reason":"why"}]"#
    academy.say(
      .state,
      of: "court-1",
      #"{"state":"\#(state)","holds":\#(holds),"balls":0,"mode":"REAL"}"#
    )
    academy.table.filled()
    #expect(frame(academy.table).contains("Court 1  \(cell)  REAL"), "\(frame(academy.table))")
  }

  /// Neither escape sequences nor wide or stacked characters reach the terminal's columns.
  @Test func hostileTextsStayInTheirColumns() {
    var academy = Academy()
    academy.add("court-1")
    academy.add("court-2")
    let tower = "e" + String(repeating: "\u{301}", count: 200)
    academy.say(
      .version,
      of: "court-1",
      #"{"version":"2","name":"コート\#(tower)🎾é"}"#
    )
    academy.say(
      .problem,
      of: "court-2",
      #"{"problems":[{"code":"x","text":"a\nb\r\u001b]0;title\u0007 \#(String(repeating: "w", count: 400))"}]}"#
    )
    academy.table.filled()
    #expect(
      frame(academy.table, height: 10) == """
        Courts on broker:1883  2 courts, 1 to look at

          Court    Name     State  Mode  Link   Balls  Since
          court-1  ?????é   LIVE   REAL  ready     24  \(Self.then)
        ! court-2  Court 2  LIVE   REAL  ready     24  \(Self.then)

        court-2: a?b??]0;title?
          \(String(repeating: "w", count: 77))…

        q leaves, Enter opens, / filters, o sorts; `ballmachine mqtt stop COURT' stops
        """
    )
  }

  /// A name that can be mistaken, or hides something, doesn't stand for a court.
  @Test(arguments: ["コート\\u001b[2J\\u202e", "Court 2 ", "\\u0421ourt 1"])
  func aNameInDoubtIsNotShown(_ name: String) {
    var academy = Academy()
    academy.add("court-1")
    academy.say(.version, of: "court-1", #"{"name":"\#(name)"}"#)
    academy.table.filled()
    #expect(frame(academy.table).contains("! court-1  LIVE   REAL  ready     24"))
    #expect(frame(academy.table).contains("\ncourt-1: its name has "))
  }

  @Test func aFrameFitsAnyTerminal() {
    for width in [0, 1, 2, 9, 20, 40, 59, 61, 80, 100, 120] {
      for height in [0, 1, 2, 3, 4, 5, 6, 15, 17, 20, 24] {
        let lines = view(Academy.atWork).frame(width: width, height: height, abilities: Self.bare)
        #expect(lines.count <= height)
        #expect(lines.allSatisfy { $0.count <= max(width, 1) })
      }
    }
  }

  @Test func aPipeGetsAllOfItOnce() {
    let lines = view(Academy.atWork).text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 1 + 12 + 1 + 5)
    #expect(lines[0].hasPrefix("  Court     Name"))
    #expect(!lines.contains { $0.contains("\u{1B}") })
    #expect(
      lines.last == "court-9: the disk is nearly full; remove old session logs"
    )
  }

  @Test func withoutCourtsItSaysSo() {
    var table = CourtTable()
    #expect(frame(table, height: 3).hasPrefix("Courts on broker:1883  connecting …\n"))
    table.connected()
    table.filled()
    #expect(
      view(table).text == "\(NoCourt(user: "office"))"
    )
    table.connected(keepsMessages: false)
    table.filled()
    #expect(view(table).text.hasPrefix("this broker keeps no messages"))
  }
}
