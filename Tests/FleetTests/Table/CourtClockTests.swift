import Fleet
import Host
import Testing

@Suite struct CourtClockTests {
  /// A court whose state changes at once to another.
  private struct Changes {
    var academy = Academy()
    private var number = 0

    init() { academy.say(.availability, of: "court-1", "online") }

    /// - Parameters:
    ///   - lead: how much later than now the state says that it began, in seconds.
    ///   - isNew: whether it comes from the court, and not from what the broker has kept.
    mutating func change(lead: Int, isNew: Bool = true) {
      number += 1
      let since = Academy.now.advanced(by: .seconds(lead)).iso8601
      academy.say(
        .state,
        of: "court-1",
        #"{"state":"\#(number % 2 == 0 ? "live" : "disarmed")","since":"\#(since)"}"#,
        isNew: isNew
      )
    }

    var row: CourtRow { academy.table.rows[0] }
  }

  @Test func aTimeToComeSaysThatTheClockIsAhead() {
    var changes = Changes()
    changes.change(lead: 300, isNew: false)
    #expect(changes.row.clock.ahead == 300)
    #expect(changes.row.shownSince == nil)
    #expect(
      changes.row.troubles == [
        "its clock is 5 min ahead of this computer's; look at `date' on both"
      ]
    )
    // This one was seen to begin.
    changes.change(lead: 290)
    #expect(changes.row.clock.ahead == 290)
    #expect(changes.row.shownSince == Academy.now)
    changes.change(lead: 2)
    #expect(changes.row.clock.ahead == nil)
    #expect(changes.row.troubles.isEmpty)
  }

  @Test func upToAMinuteIsNothing() {
    var changes = Changes()
    for lead in [60, -60, 60, -60] { changes.change(lead: lead) }
    #expect(changes.row.clock.ahead == nil)
    #expect(changes.row.shownSince == Academy.now.advanced(by: .seconds(-60)))
  }

  /// What the broker has kept is only as old as it says, at least.
  @Test func whatWasKeptIsTheLeast() {
    var changes = Changes()
    changes.change(lead: 300, isNew: false)
    changes.change(lead: 100, isNew: false)
    #expect(changes.row.clock.ahead == 300)
    changes.change(lead: -3_000, isNew: false)
    #expect(changes.row.clock.ahead == 300)
  }

  @Test func twoChangesThatAreAsLateSayThatTheClockIsBehind() {
    var changes = Changes()
    changes.change(lead: -600, isNew: false)
    changes.change(lead: -600)
    #expect(changes.row.clock.ahead == nil, "an old state may come late")
    changes.change(lead: -605)
    #expect(changes.row.clock.ahead == -605)
    #expect(changes.row.clock.words == "its clock is 10 min behind this computer's")
    changes.change(lead: 0)
    #expect(changes.row.clock.ahead == nil)
  }

  @Test func aCourtThatComesBackTellsOldThings() {
    var changes = Changes()
    changes.change(lead: 0)
    changes.change(lead: -600)
    changes.academy.say(.availability, of: "court-1", "offline", isNew: true)
    changes.academy.say(.availability, of: "court-1", "online", isNew: true)
    changes.change(lead: -600)
    #expect(changes.row.clock.ahead == nil)
    // They were late by different times.
    changes.change(lead: -300)
    #expect(changes.row.clock.ahead == nil)
  }

  @Test func aBallOfTheFutureCountsToo() {
    var academy = Academy()
    academy.add("court-1")
    let time = Academy.now.advanced(by: .seconds(7_000)).iso8601
    academy.say(
      .balls,
      of: "court-1",
      #"{"session":1,"last":{"outcome":"queued","time":"\#(time)"}}"#
    )
    #expect(academy.table.rows[0].clock.words == "its clock is 117 min ahead of this computer's")
  }
}
