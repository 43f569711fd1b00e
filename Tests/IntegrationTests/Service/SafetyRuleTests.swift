import Glibc
import Host
import TestSupport
import Testing

/// The rules of safety in Design.md that take processes of their own, each by its number. The
/// others are in the unit tests' suite of this name.
@Suite(.mockOnly("it has no need of a real machine"), .mustEnd)
struct SafetyRuleTests {
  /// A `serve` that is feeding, its first ball, and the machine.
  private func feeding(
    on setup: CommandLineSetup
  ) async throws -> (serve: ProgramEvents, ball: String, mock: MockMachines) {
    // Acknowledged writes alone, so that a stop command is one write.
    let mock = try await setup.mock("machine \(CommandLineSetup.machine) flags write")
    var serve = try setup.start(
      serving(setup) + ["--arm", "--countdown", "0", "--positions", "-"]
    )
    _ = try await serve.next("safety", state: "live")
    serve.program.write(#"{"x": 1, "y": 1}"# + "\n")
    let ball = try #require(try await serve.next("dispatch").command)
    return (serve, ball, mock)
  }

  private func serving(_ setup: CommandLineSetup) -> [String] {
    ["serve", "--json", "--bus", setup.address]
  }

  // MARK: 6

  /// Nobody writes beside a bridge: no second one, no command by hand, no safe-stop.
  @Test func rule6WhoeverComesSecondIsTurnedAwayAndToldByWhom() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      let others = [
        serving(setup), ["send", "--bus", setup.address, "--yes", "--zone", "1-1"],
        ["safe-stop", "--bus", setup.address],
      ]
      for other in others {
        let result = try await setup.run(other)
        // The first one says it to programs, too.
        let isRefused = result.output.split(separator: "\n").allSatisfy {
          $0.hasPrefix(#"{"code":"#) && $0.contains(#""event":"error","exitStatus":75"#)
        }
        #expect(result.code == 75 && isRefused, "\(other): \(result)")
        #expect(result.errors.contains("process \(serve.program.processID),"), "\(result.errors)")
      }
      #expect(try await serve.terminate().code == 0)
      let seen = try await mock.terminate()
      #expect(seen.writes().isEmpty && seen.named("connected").count == 1)
    }
  }

  /// The lock goes with its holder, whatever becomes of that.
  @Test func rule6AKilledBridgeLeavesNoLock() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      var killed = try setup.start(serving(setup))
      _ = try await killed.next("link", state: "ready")
      killed.program.send(signal: SIGKILL)
      #expect(await killed.ending().code == 128 + SIGKILL)
      var next = try setup.start(serving(setup))
      _ = try await next.next("link", state: "ready")
      #expect(try await next.terminate().code == 0)
    }
  }

  // MARK: 10

  @Test(arguments: [SIGTERM, SIGINT, SIGQUIT, SIGUSR1])
  func rule10TheWayOutIsAStopCommandAndAnEnd(_ signal: Int32) async throws {
    try await CommandLineSetup.with { setup in
      let (serve, ball, mock) = try await feeding(on: setup)
      serve.program.send(signal: signal)
      let end = try await serve.result()
      #expect(end.code == 0 && end.events.last?.stop?.outcome == "confirmed")
      #expect(try await mock.terminate().writes() == [ball, CourtFacts.stop])
    }
  }

  @Test func rule10AfterACrashTheHelperSendsExactlyOneStop() async throws {
    try await CommandLineSetup.with { setup in
      let (serve, ball, mock) = try await feeding(on: setup)
      serve.program.send(signal: SIGKILL)
      #expect(await serve.ending().code == 128 + SIGKILL)
      let helper = try await setup.run(
        ["safe-stop", "--bus", setup.address],
        script: #"SERVICE_RESULT=signal EXIT_CODE=killed EXIT_STATUS=KILL exec "$@""#
      )
      #expect(helper.code == 0, "\(helper)")
      #expect(try await mock.terminate().writes() == [ball, CourtFacts.stop])
    }
  }

  // MARK: 16

  /// It is fine enough to move, and hangs for 10 s.
  @Test func rule16ADetectorThatRepeatsItselfHoldsBallsBack() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      var serve = try setup.start(serving(setup) + ["--arm", "--countdown", "1"])
      _ = try await serve.next("safety", state: "live")
      let feeder = try SocketFeeder(setup.directory + "/positions.sock")
      feeder.writeNow(#"{"x": 4, "y": 9}"# + "\n")
      let line = Locked(#"{"x": 4.0004, "y": 9}"#)
      let ticker = Ticker { _ in feeder.writeNow(line.withLock(\.self) + "\n") }
      var hold: ProgramEvent.Hold?
      while hold?.code != "detectorRepeats" { hold = try await serve.next("safety").holds?.first }
      #expect(hold?.reason.hasPrefix("the detector repeats itself") == true)
      let status = try await setup.run(["status"]).output
      #expect(status.contains("held: the detector repeats itself"), "\(status)")
      #expect(status.contains("the same position for 1"), "\(status)")
      line.withLock { $0 = #"{"x": 4.0005, "y": 9}"# }
      _ = try await serve.next("safety", state: "countdown")
      _ = try await serve.next("safety", state: "live")
      ticker.cancel()
      #expect(try await serve.terminate().code == 0)
    }
  }

  /// A detector that counts from 0 to 1, and the line that makes it right.
  @Test func rule16PositionsThatCantBeMetresHoldBallsBack() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      let feeder = try SocketFeeder(setup.directory + "/positions.sock")
      let number = Locked(0)
      let fractions = Ticker(rate: 50) { _ in
        let step = number.withLock {
          $0 = ($0 + 1) % 20
          return $0
        }
        feeder.writeNow(#"{"x": \#(0.4 + Double(step) / 100), "y": 0.9}"# + "\n")
      }
      let hint = try await serve.next("feed", state: "hint")
      #expect(hint.reason?.contains(#"send {"scale": [8.23,11.885]} first"#) == true, "\(hint)")
      #expect(try await setup.run(["arm", "--countdown", "1"]).code == 0)
      let hold = try await serve.next("safety", state: "live").holds?.first
      #expect(hold?.code == "notMetres")
      #expect(hold?.reason.contains("all lie between 0 and 1") == true)
      #expect(
        try await setup.run(["status"]).output.contains("held: the positions can't be metres")
      )
      fractions.cancel()
      feeder.writeNow(#"{"scale": [8.23, 11.885]}"# + "\n")
      let metres = Ticker { _ in feeder.writeNow(#"{"x": 0.5, "y": 0.9}"# + "\n") }
      _ = try await serve.next("safety", state: "countdown")
      _ = try await serve.next("dispatch")
      metres.cancel()
      #expect(try await serve.terminate().code == 0)
      let balls = try await mock.terminate().writes().filter { $0 != CourtFacts.stop }
      #expect(Set(balls) == [CourtFacts.commands["3-2"]])
    }
  }
}
