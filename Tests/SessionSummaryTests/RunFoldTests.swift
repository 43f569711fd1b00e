import ControlProtocol
import CourtLogic
import Testing

@testable import Host
@testable import SessionSummary

/// What is counted of a run's lines.
struct RunFoldTests {
  @Test func aSessionLastsFromArmingToDisarming() throws {
    var log = LogText()
    log.mode("REAL")
    log.safety("disarmed", "atStart", at: 1)
    log.session(from: 10, live: 30)
    log.safety("countdown", "arming", at: 100)
    log.safety("live", at: 103)
    log.safety("paused", "operator", at: 110)
    log.safety("countdown", "resuming", at: 120)
    log.safety("live", at: 123)
    log.safety("stopped", at: 130)
    let sessions = log.sessions
    #expect(sessions.map(\.name.description) == ["42", "42.2"])
    #expect(sessions.map(\.seconds) == [33, 30])
    #expect(sessions.map(\.live) == [30, 14])
    #expect(sessions.map(\.mode) == ["REAL", "REAL"])
    #expect(sessions.map(\.begin.iso8601) == ["2026-11-21T16:57:47Z", "2026-11-21T16:59:17Z"])
    #expect(sessions.map(\.ending.code) == ["operator", "stopped"])
    #expect(sessions[1].pauses.map(\.code) == ["operator"])
    #expect(sessions[1].pauses.map(\.count) == [1] && sessions[1].pauses.map(\.seconds) == [10])
    #expect(sessions[0].balls == 10 && sessions[1].balls == 0)
    // Nothing was seen in the second one.
    #expect(sessions[0].movement != nil && sessions[1].movement == nil)
  }

  @Test func anEmptyLogAndOneWithoutArmingHaveNone() {
    #expect(LogText().sessions == [])
    var log = LogText()
    log.safety("disarmed", "atStart", at: 1)
    log.position(4, 11, at: 2)
    log.safety("stopped", at: 3)
    #expect(log.sessions == [])
  }

  @Test func ballsCountForTheirTargetElseForThePlayersZone() throws {
    var log = LogText()
    log.safety("live", at: 0)
    log.ball(zone: "3-1", target: "0-0", at: 1)
    log.ball(zone: "3-1", at: 4)
    log.ball(zone: nil, at: 7)
    log.ball(zone: "2-2", "notSent", at: 10)
    log.ball(zone: "2-2", "unknown", at: 13)
    let session = try #require(log.sessions.first)
    #expect(session.balls == 4 && session.outOfCourt == 1)
    #expect(session.targets.enumerated().filter { $0.1 > 0 }.map(\.offset) == [0, 10, 13])
    #expect(session.outcomes.delivered == 3 && session.outcomes.notSent == 1)
    #expect(session.outcomes.unknown == 1)
  }

  @Test func aBallWhoseOutcomeComesAfterTheEndIsItsSessions() throws {
    var log = LogText()
    log.safety("countdown", "arming", at: 0)
    log.safety("live", at: 3)
    log.safety("disarmed", "operator", at: 10)
    log.ball(zone: "3-1", at: 9.9)
    log.add(
      .answer(AnswerRecord(number: 1, to: "dispatch", answer: "completed", latency: 1)),
      at: 10
    )
    log.safety("countdown", "arming", at: 11)
    log.ball(zone: "3-1", "unknown", at: 9.95)
    log.safety("disarmed", "operator", at: 12)
    // Of no session.
    log.ball(zone: "3-1", at: 12.5)
    let sessions = log.sessions
    #expect(sessions.map(\.balls) == [2, 0])
    #expect(sessions.map { $0.answers?.completed } == [1, nil])
  }

  @Test func holdsCountOnlyWhileLive() throws {
    var log = LogText()
    log.safety("countdown", "arming", holds: ["notSeen"], at: 0)
    log.safety("live", holds: ["notSeen"], at: 3)
    log.safety("live", at: 5)
    log.safety("live", holds: ["nearNet", "notSeen"], at: 6)
    log.safety("live", holds: ["nearNet"], at: 7)
    log.safety("paused", "silence", holds: ["nearNet"], at: 9)
    log.safety("disarmed", "silence", at: 20)
    let session = try #require(log.sessions.first)
    #expect(session.holds.map(\.code) == ["notSeen", "nearNet"])
    #expect(session.holds.map(\.count) == [2, 1])
    #expect(session.holds.map(\.seconds) == [3, 3])
    #expect(session.holds.map(\.reason) == ["held by notSeen", "held by nearNet"])
    #expect(session.pauses.map(\.seconds) == [11])
  }

  @Test func aDrillsProgressIsTheFarthest() throws {
    var log = LogText()
    log.training(level: "advanced", label: "Anna", set: 1, ball: 0, at: 0)
    log.safety("countdown", "arming", at: 0.1)
    log.safety("live", at: 3)
    log.training(level: "advanced", label: "Anna", set: 1, ball: 12, at: 40)
    log.safety("resting", at: 41)
    log.safety("live", at: 61)
    log.training(level: "advanced", label: "Anna", set: 2, ball: 3, at: 70)
    log.training(level: "advanced", label: "Anna", set: 1, ball: 0, at: 71)
    log.safety("disarmed", "drillOver", at: 71)
    log.training(drill: nil, level: nil, at: 72)
    log.safety("countdown", "arming", at: 80)
    let sessions = log.sessions
    let session = try #require(sessions.first)
    #expect(session.drill == "corners" && session.level == "advanced" && session.label == "Anna")
    #expect(session.seed == 7 && session.aim == "plan" && session.interval == 3)
    #expect(session.progress == Session.Progress(set: 2, sets: 4, ball: 3, ballsPerSet: 12))
    #expect(session.rested == 20 && session.live == 48)
    #expect(session.ending.code == "drillOver")
    #expect(sessions.count == 2 && sessions[1].drill == nil && sessions[1].progress == nil)
  }

  @Test func theLogOfAKilledServiceEndsItsSession() throws {
    var log = LogText()
    log.training(at: 0)
    log.safety("countdown", "arming", at: 0)
    log.safety("live", at: 3)
    log.training(set: 1, ball: 5, at: 9)
    log.position(4, 11, at: 12)
    let cut = log.bytes + Array(#"{"connection":"client 1","event":"posi"#.utf8)
    let session = try #require(LogText.sessions(of: [cut]).first)
    #expect(session.ending == .ofLog)
    #expect(session.seconds == 12 && session.live == 9 && session.unread == 1)
    #expect(session.progress?.ball == 5)
    // Positions need not be read for that.
    let quick = try #require(LogText.sessions(of: [cut], .balls).first)
    #expect(quick.seconds == 12 && quick.live == 9 && quick.movement == nil)
  }

  @Test func aSetClockMovesTheBeginning() throws {
    var log = LogText()
    log.safety("live", at: 5)
    log.add(
      text:
        #"{"event":"clock","t":6,"time":"2026-11-21T18:00:00.500Z","was":"2026-11-21T17:00:00.000Z"}"#
    )
    #expect(log.sessions.first?.begin.preciseISO8601 == "2026-11-21T17:57:42.500Z")
  }

  @Test func aClockThatIsSetLaterMovesAllSessionsBeforeIt() throws {
    var log = LogText()
    log.session(from: 10, live: 3)
    log.session(from: 20, live: 3)
    log.add(
      text:
        #"{"event":"clock","t":40,"time":"2026-11-21T18:00:00.500Z","was":"2026-11-21T17:00:00.000Z"}"#
    )
    log.session(from: 50, live: 3)
    #expect(
      log.sessions.map(\.begin.iso8601) == [
        "2026-11-21T17:57:47Z", "2026-11-21T17:57:57Z", "2026-11-21T16:58:27Z",
      ]
    )
  }

  @Test func commandsByHandAreApart() throws {
    var log = LogText()
    log.safety("live", at: 0)
    let outcome = OutcomeRecord(outcome: "delivered", reason: nil)
    log.add(
      .manual(ManualRecord(number: 3, command: "1", outcome: outcome, latency: 0.1)),
      at: 1
    )
    log.add(.answer(AnswerRecord(number: 3, to: "manual", answer: "refused", latency: 1)), at: 2)
    log.add(.answer(AnswerRecord(number: 3, to: "dispatch", answer: "refused", latency: 1)), at: 2)
    let session = try #require(log.sessions.first)
    #expect(session.balls == 0 && session.manualCommands == 1 && session.answers?.refused == 1)
  }

  @Test func whatALogLacksIsSaid() throws {
    var log = LogText()
    log.safety("live", at: 5)
    log.safety("disarmed", "operator", at: 9)
    func lacks(_ sessions: [Session]) -> Set<Session.Lack>? {
      sessions.first?.lacks
    }
    #expect(lacks(log.sessions) == [])
    #expect(lacks(LogText.sessions(of: [log.bytes], firstPart: 2)) == [.beginning])
    #expect(lacks(LogText.sessions(of: [log.bytes], areThinned: true)) == [.positions])
    log = LogText()
    log.safety("live", at: 5)
    log.add(text: #"{"code":"disk","event":"lost","positions":3,"records":0,"t":6,"time":""}"#)
    log.add(text: #"{"code":"tooMany","event":"lost","positions":3,"records":1,"t":6,"time":""}"#)
    #expect(lacks(log.sessions) == [.positions, .lines])
  }

  /// The first part of a run is gone.
  @Test func aSessionKeepsItsNumberWhenThePartsBeforeGo() throws {
    var log = LogText()
    log.add(text: #"{"armings":3,"event":"session","part":2,"protocol":2,"session":42,"t":0}"#)
    var over = log
    log.safety("live", at: 5)
    log.safety("disarmed", "operator", at: 9)
    log.safety("countdown", "arming", at: 10)
    over.safety("disarmed", "operator", at: 9)
    over.safety("countdown", "arming", at: 10)
    func names(_ log: LogText) -> [String] {
      LogText.sessions(of: [log.bytes], firstPart: 2).map(\.name.description)
    }
    #expect(names(log) == ["42.3", "42.4"])
    #expect(names(over) == ["42.4"])
    #expect(log.sessions.map(\.name.description) == ["42", "42.2"])
  }

  @Test func thePlayerCountsOnlyWhileBallsCanFly() throws {
    var log = LogText()
    for (begin, state) in [(0.0, "countdown"), (3, "live"), (9, "paused"), (15, "live")] {
      log.safety(state, at: begin)
      for step in 0..<30 {
        let x = state == "live" ? 2 : 2 + Double(step) / 6
        log.position(x, 11, at: begin + Double(step) / 10)
      }
    }
    log.safety("disarmed", "operator", at: 20)
    let movement = try #require(log.sessions.first?.movement)
    #expect(movement.distance == 0 && abs(movement.seen - 5.8) < 0.001)
    #expect(movement.stood.map { [$0.x, $0.y] } == [[2, 11]])
  }

  @Test func onlyTheOneSourceIsThePlayer() throws {
    var log = LogText()
    log.safety("live", at: 0)
    for step in 0..<100 {
      let t = Double(step) / 10
      log.position(4.4, 11, at: t)
      log.position(5, 11, at: t + 0.05, from: SourceID(connection: "b", id: "q\""))
    }
    let movement = try #require(log.sessions.first?.movement)
    #expect(movement.distance == 0)
    #expect(movement.stood.map { [$0.x, $0.y] } == [[4, 11]])
    #expect(movement.greatestSpeed == 0 && movement.firstSteps == nil)
    #expect(abs(movement.seen - 9.9) < 0.001)
  }
}
