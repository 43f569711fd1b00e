import Foundation
import Host
import TestSupport
import Testing
import WebPage

/// What another program says of the sessions.
struct SessionReportsTests {
  @Test func itGetsWhatTheProgramPrints() async throws {
    let reports = SessionReports(program: "/bin/echo")
    #expect(try await reports.ask(["-n", "one"]) == Array("one".utf8))
  }

  @Test func theOptionsSayWhichSessions() async throws {
    let reports = SessionReports(program: "/bin/echo", options: ["--simulate"])
    #expect(try await reports.ask(["sessions"]) == Array("sessions --simulate\n".utf8))
  }

  @Test func onesThatFailSayWhy() async {
    let reports = SessionReports(program: "/bin/sh")
    await #expect(throws: SessionReports.Problem.refused("no such session")) {
      try await reports.ask(["-c", "echo much; echo 'no such session' >&2; exit 66"])
    }
    let missing = SessionReports(program: "/proc/none/ballmachine")
    await #expect(throws: SessionReports.Problem.self) { try await missing.ask([]) }
  }

  @Test func oneThatPrintsForEverIsKilled() async {
    let reports = SessionReports(program: "/bin/sh")
    await #expect(throws: SessionReports.Problem.self) {
      try await reports.ask(["-c", "while true; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done"])
    }
  }

  /// Each counts who else runs.
  @Test func theyRunOneAfterTheOther() async throws {
    let directory = try TemporaryDirectory()
    let path = directory("running")
    let reports = SessionReports(program: "/bin/sh")
    let script = "mkdir \(path) && sleep 0.05 && rmdir \(path) && echo -n alone"
    let answers = (0..<8).map { _ in Task { try await reports.ask(["-c", script]) } }
    for answer in answers { #expect(try await answer.value == Array("alone".utf8)) }
  }

  @Test func tooManyAreRefused() async throws {
    let reports = SessionReports(program: "/bin/sh")
    let tasks = (0..<30).map { _ in
      Task { () -> Bool in
        do { _ = try await reports.ask(["-c", "sleep 0.05"]) } catch { return false }
        return true
      }
    }
    var done = 0
    for task in tasks where await task.value { done += 1 }
    #expect(done == 8)
  }
}
