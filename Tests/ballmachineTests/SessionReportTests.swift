import ControlProtocol
import Host
import Programs
import TestSupport
import Testing

@testable import SessionSummary
@testable import ballmachine

/// What people and programs read of a training session.
struct SessionReportTests {
  private static let session: Session = {
    var session = Session(
      name: SessionName(run: 42, arming: 2),
      t: 12.5,
      begin: WallTime(secondsSince1970: 1_795_280_257)
    )
    (session.seconds, session.live, session.rested) = (1443, 1270.25, 120)
    (session.mode, session.drill, session.level, session.aim) = (
      "REAL", "corners", "beginner", "plan"
    )
    (session.label, session.seed, session.interval) = ("Anna", 7, 3)
    session.progress = Session.Progress(set: 3, sets: 4, ball: 7, ballsPerSet: 12)
    (session.balls, session.outOfCourt) = (67, 1)
    session.targets[12] = 40
    session.targets[3] = 26
    (session.outcomes.delivered, session.outcomes.unknown) = (66, 1)
    session.manualOutcomes.delivered = 2
    var answers = CountsRecord.Answers()
    answers.completed = 66
    answers.none = 1
    session.answers = answers
    session.holds = [
      Session.Interruption(
        code: "nearNet",
        reason: "the player is nearer to the net than 0.5 m",
        count: 2,
        seconds: 12
      )
    ]
    session.pauses = [
      Session.Interruption(
        code: "operator",
        reason: "a user paused it",
        count: 1,
        seconds: 40
      )
    ]
    session.ending = Session.Ending(code: "drillOver", reason: "the drill is over")
    session.movement = Movement(
      seen: 1244.8,
      distance: 1234.56,
      meanSpeed: 0.9917,
      greatestSpeed: 4.123,
      firstStep: 0.625,
      firstSteps: 61,
      stood: [Movement.Cell(column: -1, row: 23, seconds: 12.5)]
    )
    return session
  }()

  @Test func aSessionForPrograms() throws {
    let report = SessionReport(session: Self.session, before: [Self.session, Self.session])
    let line = try Output.json(report)
    PrintedRecords.add(line)
    #expect(
      line == #"""
        {"aim":"plan","answers":{"accepted":0,"completed":66,"none":1,"refused":0},"arming":2,\#
        "balls":67,"before":{"balls":67,"count":2,"distance":1234.56,"firstStep":0.625,\#
        "greatestSpeed":4.123,"live":1270.25,"meanSpeed":0.992},"distance":1234.6,"drill":"corners",\#
        "ending":{"code":"drillOver","reason":"the drill is over"},"event":"trainingSession",\#
        "firstStep":0.625,"firstSteps":61,"greatestSpeed":4.12,"heldBy":[{"code":"nearNet",\#
        "count":2,"reason":"the player is nearer to the net than 0.5 m","seconds":12}],\#
        "interval":3,"label":"Anna","level":"beginner","live":1270.25,"manualOutcomes":{\#
        "delivered":2,"notSent":0,"queued":0,"unknown":0},"meanSpeed":0.992,"mode":"REAL",\#
        "outOfCourt":1,"outcomes":{"delivered":66,"notSent":0,"queued":0,"unknown":1},\#
        "pauses":[{"code":"operator","count":1,"reason":"a user paused it","seconds":40}],\#
        "progress":{"ball":7,"ballsPerSet":12,"set":3,"sets":4},"rested":120,"seconds":1443,\#
        "seed":7,"seen":1244.8,"session":42,"stood":[{"seconds":12.5,"x":-0.5,"y":11.5}],\#
        "t":12.5,"targets":{"0-3":26,"3-0":40},"time":"2026-11-21T16:57:37.000Z"}
        """#
    )
  }

  @Test func aSessionForPeople() {
    let text = SessionReport(session: Self.session, before: [Self.session]).text
    // The second line on: the first has local time.
    #expect(
      text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        .joined(separator: "\n") == """
          Drill      corners (beginner), seed 7
          Player     Anna
          Came to    set 3 of 4, ball 7 of 12
          Length     24:03, balls could fly for 21:10
          Ended      the drill is over (drillOver)
          Balls      66 delivered, 1 unknown
                           .      .      .     26  net
                           .      .      .      .
                           .      .      .      .
                          40      .      .      .  baseline
                     out of court 1
          Machine    answers: completed 66, accepted 0, refused 0, none 1
          By hand    2 delivered
          Held       the player is nearer to the net than 0.5 m: 2 times, 0:12
          Paused     a user paused it: 1 time, 0:40
          Rested     2:00
          Seen       20:45, 98 % of the time in which balls could fly
          First step seen after 61 of 67 balls

                                this one   median of 1         least      greatest
          Balls                       67            67            67            67
          Live                     21:10         21:10         21:10         21:10
          Distance run            1235 m        1235 m        1235 m        1235 m
          Mean speed            0.99 m/s      0.99 m/s      0.99 m/s      0.99 m/s
          Greatest speed         4.1 m/s       4.1 m/s       4.1 m/s       4.1 m/s
          First step              0.63 s        0.63 s        0.63 s        0.63 s

          The last 1 like it (corners (beginner), Anna, REAL): 42.2.
          """
    )
  }

  /// At any length of its words and figures.
  @Test func itFitsEightyColumns() {
    var session = Self.session
    session.name = SessionName(run: 999_999, arming: 99_999)
    session.drill = Array(repeating: "three-of-four", count: 9).joined(separator: " ")
    session.label = Array(repeating: "Wolfeschlegelsteinhausen", count: 5).joined(separator: " ")
    (session.seconds, session.live) = (1e7, 1e7)
    session.balls = 9_999_999
    session.targets = Array(repeating: 999_999, count: 16)
    session.outcomes.delivered = 9_999_999
    session.outcomes.notSent = 9_999_999
    session.movement?.distance = 99_999_999
    session.ending.reason = Array(repeating: "because", count: 30).joined(separator: " ")
    session.holds[0].reason = session.ending.reason
    session.lacks = Set(Session.Lack.allCases)
    session.unread = 1_000_000
    let before = Array(repeating: session, count: 5)
    let text = SessionReport(session: session, before: before).text
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
  }

  @Test func aTableIsSafeInASpreadsheet() {
    var session = Self.session
    session.label = "=HYPERLINK(\"http://x\"), Anna\n"
    let row = SessionTable.row(session)
    #expect(row.contains(#","'=HYPERLINK(""http://x""), Anna?","#), "\(row)")
    session.label = "Jürgen"
    #expect(
      SessionTable.row(session).split(separator: ",", omittingEmptySubsequences: false).count
        == SessionTable.head.split(separator: ",").count
    )
  }
}
