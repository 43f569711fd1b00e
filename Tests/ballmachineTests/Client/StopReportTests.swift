import ControlProtocol
import Glibc
import Host
import JSON
import Programs
import TestSupport
import Testing

@testable import Reports
@testable import ballmachine

/// The four answers of a stop, and the absence of one.
struct StopReportTests {
  @Test(arguments: [
    ("confirmed", ExitCode.ok), ("alreadyStopped", .ok), ("unconfirmed", .temporary),
    ("notDelivered", .unavailable), ("somethingNew", .temporary),
  ])
  func onlyAMachineThatHasTheStopCommandIsASuccess(_ outcome: String, _ code: ExitCode) {
    let report = StopReport(stop: StopRecord(outcome: outcome, reason: "words"))
    #expect((report.failure?.code ?? .ok) == code)
    #expect(report.failure.map { $0.description == "words" } ?? true)
  }

  /// After an update, the old service may still run.
  @Test(arguments: [
    (
      #"{"outcome":"confirmed","reason":"it has it"}"#,
      #"{"event":"stop","outcome":"confirmed","reason":"it has it"}"#
    ),
    (
      #"{"event":"stop","mode":"SIM","outcome":"confirmed","reason":"it has it","t":9.5,"#
        + #""time":"2026-11-21T14:00:00.000Z"}"#,
      #"{"event":"stop","mode":"SIM","outcome":"confirmed","reason":"it has it","t":9.5,"#
        + #""time":"2026-11-21T14:00:00.000Z"}"#
    ),
  ])
  func theStopOfAServiceOfAnyVersionIsUnderstood(answer: String, line: String) throws {
    let report = try StopReport(answer: JSONValue(text: Array(answer.utf8)))
    #expect(report.failure == nil)
    #expect(try Output.json(report) == line)
    PrintedRecords.add(line)
  }

  /// Any user can take a lock that all users share, and answer at a place of their own.
  @Test(arguments: ["confirmed", "alreadyStopped", "unconfirmed", "notDelivered"])
  func theWordOfALocksHolderIsNoSuccess(_ outcome: String) throws {
    let report = StopReport(
      stop: StopRecord(outcome: outcome, reason: "trust\nme"),
      claimant: 65_534
    )
    let failure = try #require(report.failure)
    #expect(failure.code == .temporary && report.stop.outcome == "unconfirmed")
    #expect(failure.description.hasPrefix("it is NOT KNOWN whether the machine was stopped: use"))
    #expect(failure.description.contains("of the user \(UserName(65_534)) "))
    #expect(report.text.contains("“trust?me”"))
  }

  @Test(arguments: [
    (nil, "safe-stop"), (MachineHolder(name: nil, process: 812, user: geteuid()), "`kill 812`"),
  ])
  func withoutAServiceItSaysWhatElseStopsTheMachine(_ holder: MachineHolder?, _ remedy: String) {
    let failure = StopReport.failed(ControlClientError.noService("/run/x"), holder: holder)
    #expect(failure.code == .unavailable)
    #expect(failure.description.hasPrefix("NOTHING was stopped: use the machine's switch"))
    #expect(failure.description.contains(remedy))
  }

  @Test(arguments: [ControlClientError.silent("/run/x"), .lost])
  func aServiceThatDoesNotAnswerLeavesItInDoubt(_ error: ControlClientError) {
    let failure = StopReport.failed(
      error,
      holder: MachineHolder(name: nil, process: 812, user: nil)
    )
    #expect(failure.code == .temporary)
    #expect(failure.description.hasPrefix("it is NOT KNOWN whether the machine was stopped: use"))
    #expect(failure.description.contains("\(error); process 812 controls the machine: "))
  }

  @Test(arguments: [
    (ControlClientError.noService("p"), ExitCode.unavailable), (.noPermission("p"), .noPermission),
    (.silent("p"), .temporary), (.lost, .temporary), (.strange("p"), .unavailable),
    (.failed(code: 1, message: "", data: nil), .noPermission),
    (.failed(code: 2, message: "", data: nil), .temporary),
    (.failed(code: 3, message: "", data: nil), .unavailable),
    (.failed(code: 4, message: "", data: nil), .temporary),
    (.failed(code: -32602, message: "", data: nil), .usage),
    (.failed(code: -32601, message: "", data: nil), .internalError),
    (.failed(code: 99, message: "", data: nil), .internalError),
  ])
  func whatTheServiceSaysBecomesAnExitCode(_ error: ControlClientError, _ code: ExitCode) {
    #expect(ExitCode(for: error) == code)
  }
}
