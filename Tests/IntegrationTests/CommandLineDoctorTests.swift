import Foundation
import Glibc
import TestSupport
import Testing

/// `doctor` as a technician runs it, against a mock machine in another process.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineDoctorTests {
  /// What the doctor said of a subject, verdict first.
  private func verdicts(_ output: String) throws -> [String] {
    try Findings(output).lines.map { "\($0.verdict) \($0.check)" }
  }

  @Test func aHealthyWayIsToldLineByLine() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let result = try await setup.run(["doctor", "--json", "--bus", setup.address])
      #expect(result.code == 0 && result.errors == "")
      let findings = try Findings(result.output)
      #expect(findings.summary.canLink && findings.summary.problems == 0)
      #expect(findings.summary.mode == (Setups.isReal ? "REAL" : "SIM"))
      if Setups.isReal {
        #expect(
          try verdicts(result.output).filter { $0.hasPrefix("ok") && !isTheBoxsAffair($0) } == [
            "ok config", "ok table", "ok bus", "ok bluetoothd", "ok permission", "ok kernel",
            "ok rfkill", "ok adapter", "ok lock",
          ]
        )
      } else {
        #expect(
          try verdicts(result.output).filter { !isTheBoxsAffair($0) } == [
            "ok config", "ok table", "ok bus", "note bluetoothd", "ok permission", "ok adapter",
            "note machine", "ok lock", "note service",
          ]
        )
      }
    }
  }

  /// How much room there is, and whether its supply and its clock are right.
  private func isTheBoxsAffair(_ line: String) -> Bool {
    ["disk", "power", "clock"].contains { line.hasSuffix($0) }
  }

  @Test func itFitsATerminalAndEndsWithItsJudgement() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let result = try await setup.run([
        "doctor", "--bus", setup.address, "--adapter", "AA:BB:CC:DD:EE:99", "--name",
        String(repeating: "machine ", count: 20),
      ])
      #expect(result.code == 69)
      #expect(result.errors.hasPrefix("ballmachine doctor: no link can be made; 1 problem, "))
      #expect(result.output.contains("AA:BB:CC:DD:EE:99 is missing"))
      #expect(result.output.contains("\n                     → plug it in again"))
      #expect(result.lines.allSatisfy { $0.count < 80 }, "\(result.output)")
    }
  }

  @Test(.mockOnly("the box's bluetoothd is needed by other tests"))
  func withoutBluetoothdNoLinkCanBeMade() async throws {
    try await CommandLineSetup.with { setup in
      let result = try await setup.run(["doctor", "--json", "--bus", setup.address])
      #expect(result.code == 69)
      #expect(result.errors.contains("no link can be made"))
      #expect(
        try verdicts(result.output).prefix(4)
          == ["ok config", "ok table", "ok bus", "problem bluetoothd"]
      )
      #expect(try !Findings(result.output).summary.canLink)
    }
  }

  @Test func aBusThatIsNotThereIsOneProblem() async throws {
    try await CommandLineSetup.with { setup in
      let result = try await setup.run(["doctor", "--json", "--bus", "unix:path=/proc/none"])
      #expect(result.code == 69)
      let bus = try #require(try Findings(result.output).lines.first { $0.check == "bus" })
      #expect(bus.verdict == "problem")
      #expect(bus.text.contains("/proc/none") && bus.remedy?.contains("--bus") == true)
      #expect(try !verdicts(result.output).contains { $0.hasSuffix("bluetoothd") })
    }
  }

  @Test func aBridgeThatServesIsNamed() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      while try await serve.next("link").state != "ready" {}
      let result = try await setup.run(["doctor", "--json", "--bus", setup.address])
      #expect(result.code == 0)
      let findings = try Findings(result.output)
      let lock = try #require(findings.lines.first { $0.check == "lock" })
      #expect(lock.verdict == "ok" && lock.remedy == nil)
      #expect(lock.text.hasPrefix("process \(serve.program.processID), the service, "))
      let machine = try #require(findings.lines.first { $0.check == "machine" })
      #expect(machine.verdict == "ok" && machine.text.contains(CommandLineSetup.machine))
      #expect(machine.text.hasSuffix("is connected"))
      let service = try #require(findings.lines.first { $0.check == "service" })
      #expect(service.verdict == "ok" && service.text.contains("disarmed, link ready"))
      let sockets = try #require(findings.lines.first { $0.check == "sockets" })
      #expect(sockets.verdict == "ok" && sockets.text.contains("control.sock, stop.sock"))
      serve.program.send(signal: SIGTERM)
      #expect(try await serve.result().code == 0)
    }
  }

  /// In no state of a session that goes well is there anything to do.
  @Test func aHealthySessionGetsNoAdvice() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      try #require(mkdir(setup.path("feed"), 0o700) == 0)
      // Positions come from elsewhere.
      let positions = "unix:\(setup.path("feed/positions.sock"))"
      var serve = try setup.start([
        "serve", "--json", "--bus", setup.address, "--positions", positions,
      ])
      _ = try await serve.next("link", state: "ready")

      func check(_ state: String) async throws {
        let result = try await setup.run(["doctor", "--json", "--bus", setup.address])
        let findings = try Findings(result.output)
        // What the box's systemd does is its own affair, too.
        let lines = findings.lines.filter {
          !isTheBoxsAffair($0.check) && $0.check != "bluetoothd"
        }
        #expect(result.code == 0 && lines.allSatisfy { $0.remedy == nil }, "\(state): \(result)")
        let service = try #require(lines.first { $0.check == "service" })
        #expect(service.text.contains(state), "\(service.text)")
      }

      try await check("disarmed")
      let player = StandingPlayer(in: setup.path("feed"))
      player.stand(in: "1-2")
      #expect(try await setup.run(["arm", "0"]).code == 0)
      _ = try await serve.next("dispatch")
      try await check("live")
      #expect(try await setup.run(["pause"]).code == 0)
      try await check("paused")
      #expect(try await setup.run(["stop"]).code == 0)
      try await check("stopped")
      player.leave()
      #expect(try await serve.terminate().code == 0)
    }
  }

  @Test(.scriptedBlueZ) func aServiceThatHasNoLinkIsAProblemWithItsRemedy() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock(
        "refuse-connect \(CommandLineSetup.machine) org.bluez.Error.Failed"
          + " le-connection-abort-by-local always"
      )
      var serve = try setup.start([
        "serve", "--json", "--bus", setup.address, "--address", CommandLineSetup.machine,
      ])
      let failed = try await serve.next("link", state: "backingOff")
      let result = try await setup.run(["doctor", "--connect", "--json", "--bus", setup.address])
      #expect(result.code == 69)
      let findings = try Findings(result.output)
      let connection = findings.lines.filter { $0.check == "connection" }
      #expect(connection.map(\.verdict) == ["problem"])
      #expect(connection.first?.text == "the service has no link: \(failed.reason ?? "")")
      #expect(!findings.summary.canLink && findings.summary.problems == 1)
      let (code, events, _) = try await serve.terminate()
      #expect(code == 0)
      // After several equal failures the service advises something else.
      let remedies = [failed.remedy] + events.named("link").map(\.remedy)
      let remedy = try #require(connection.first?.remedy)
      #expect(remedies.contains(remedy))
    }
  }

  /// It neither scans nor switches nor connects, and leaves no file.
  @Test func itOnlyLooks() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("power hci0 off")
      let result = try await setup.run(["doctor", "--bus", setup.address])
      #expect(result.code == 0 && result.output.contains("is off"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: setup.directory) == [])
      try await mock.perform("power hci0 on")
      #expect(try await mock.terminate().named("call").isEmpty)
    }
  }

  @Test func theRememberedMachineIsNamed() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let send = ["send", "--yes", "--zone", "1", "--bus", setup.address]
      #expect(try await setup.run(send).code == 0)
      // The ball owes the machine a stop.
      let doctor = ["doctor", "--bus", setup.address]
      #expect(try await setup.run(doctor).output.contains("a stop command is owed"))
      #expect(try await setup.run(["safe-stop", "--bus", setup.address]).code == 0)
      let result = try await setup.run(doctor)
      #expect(result.code == 0)
      #expect(result.output.contains("\(CommandLineSetup.machine) (remembered) is known"))
    }
  }

  @Test func aMachineIsNotConfusedByItsName() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock("machine \(CommandLineSetup.machine) name \"Ball\u{1b}[2J\"")
      #expect(try await setup.run(["scan", "--bus", setup.address, "--duration", "3"]).code == 0)
      let result = try await setup.run(["doctor", "--bus", setup.address])
      #expect(!result.output.contains("\u{1b}"))
    }
  }
}

/// The doctor's JSON lines.
private struct Findings {
  struct Line: Decodable {
    var check: String
    var verdict: String
    var text: String
    var remedy: String?
  }

  struct Summary: Decodable {
    var mode: String?
    var ok: Int
    var notes: Int
    var problems: Int
    var canLink: Bool
  }

  var lines: [Line]
  var summary: Summary

  init(_ output: String) throws {
    // An error object may follow.
    let objects = output.split(separator: "\n").filter { !$0.contains(#""event":"error""#) }
      .map { Data($0.utf8) }
    lines = try objects.dropLast().map { try JSONDecoder().decode(Line.self, from: $0) }
    summary = try JSONDecoder().decode(Summary.self, from: objects.last ?? Data())
  }
}
