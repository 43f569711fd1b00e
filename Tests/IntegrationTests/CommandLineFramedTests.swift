import Foundation
import TestSupport
import Testing

/// A framed machine at the command line.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineFramedTests {
  private static let machine = CommandLineSetup.machine

  /// A configuration of a framed machine, and its table.
  private func configured(
    _ setup: CommandLineSetup,
    more: String = ""
  ) throws -> String {
    let zones = (0..<16).map { "\($0 / 4)-\($0 % 4),40,\(30 + $0),20,45,50" }
    _ = try setup.write(
      (["zone,upper,lower,pitch,yaw,feed"] + zones).joined(separator: "\n") + "\n",
      to: "table.csv"
    )
    return try setup.write(
      """
      machine: {bus: "\(setup.address)", address: "\(Self.machine)", encoding: framed}
      court: {table: table.csv, apron: 3}
      \(more)
      """,
      to: "config.yaml"
    )
  }

  private func framed(_ setup: CommandLineSetup) async throws -> MockMachines {
    try await setup.mock("machine \(Self.machine) encoding framed")
  }

  @Test func aCommandByHandIsSentAndAnswered() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await framed(setup)
      let config = try configured(setup)
      // The second one first sends the stop that the first one owes.
      for _ in 1...2 {
        let result = try await setup.run(
          ["send", "--config", config, "--yes", "--json", "40,38,20,45,50"]
        )
        #expect(result.code == 0 && result.errors == "", "\(result)")
        let event = try #require(try ProgramEvent.all(result.output).last)
        #expect(event.command == "40,38,20,45,50" && event.outcome == "delivered")
        #expect(event.answer == "completed")
      }
      let balls = try await mock.terminate().writes().filter { $0 != "0,0,0,0,0" }
      #expect(balls == ["40,38,20,45,50", "40,38,20,45,50"])
    }
  }

  @Test(arguments: [("refused", 69 as Int32), ("none", 75)])
  func whatTheMachineDoesNotDoIsNoSuccess(fault: String, code: Int32) async throws {
    try longOnRealStack()
    try await CommandLineSetup.with { setup in
      let mock = try await framed(setup)
      try await mock.perform("answers \(Self.machine) \(fault) always")
      let result = try await setup.run(
        ["send", "--config", try configured(setup), "--yes", "--json", "--zone", "1-1"]
      )
      #expect(result.code == code, "\(result)")
      let event = try #require(try ProgramEvent.all(result.output).first)
      #expect(event.outcome == "delivered" && event.answer == fault)
      #expect(try await mock.terminate().writes() == ["40,35,20,45,50"], "nothing is resent")
    }
  }

  /// The wrong encoding is refused before anything is connected.
  @Test(
    .mockOnly("it needs no machine"),
    arguments: [
      (["110001060014004500"], "with machine.encoding framed, write upper,lower,pitch,yaw,feed"),
      (["40,40,20,45"], "not 4 of them"),
      (["101,40,20,45,50"], "upper motor 101 is outside 0 to 100"),
      (
        ["--upper", "40", "--lower", "40", "--pitch", "91", "--yaw", "1", "--feed", "1"], "pitch 91"
      ),
    ]
  )
  func whatIsNoFramedCommandIsRefused(_ form: [String], _ text: String) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await framed(setup)
      let config = try configured(setup)
      let result = try await setup.run(["send", "--config", config, "--yes"] + form)
      #expect([64, 65].contains(result.code) && result.errors.contains(text), "\(result)")
      #expect(try await mock.terminate().writes() == [])
    }
  }

  @Test func aTableOfThisUsersOwnIsReadAsTheMachineTakesIt() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await framed(setup)
      let config = try configured(setup)
      var serve = try setup.start(["serve", "--config", config, "--json"])
      _ = try await serve.next("link", state: "ready")
      let result = try await setup.run(
        ["send", "--yes", "--json", "--table", setup.path("table.csv"), "--zone", "1-1"],
        script: "BALLMACHINE_CONFIG='\(config)' exec \"$@\""
      )
      #expect(result.code == 0, "\(result)")
      _ = try await serve.terminate()
      #expect(try await mock.terminate().writes().first == "40,35,20,45,50")
    }
  }

  @Test func aServiceDrivesIt() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await framed(setup)
      let config = try configured(
        setup,
        more: "safety: {least-interval: 1.95, countdown: 0}\nlogic: {interval: 2}"
      )
      var serve = try setup.start(["serve", "--config", config, "--json"])
      let source = try #require(try await serve.next("start").source)
      let player = try SocketFeeder(String(source.dropFirst("unix:".count)))
      let feeding = Ticker { _ in player.writeNow(#"{"x": 4, "y": 9}"# + "\n") }
      defer { feeding.cancel() }
      _ = try await serve.next("link", state: "ready")
      let arming = try await setup.run(["arm"])
      #expect(arming.code == 0 && arming.errors.contains("unverified: a framed machine"))
      var times: [Double] = []
      for number in 1...3 {
        let ball = try await serve.next("dispatch")
        #expect(ball.command == "40,43,20,45,50" && ball.number == number)
        times.append(try #require(ball.t))
        let answer = try await serve.next("answer")
        #expect(answer.answer == "completed" && answer.number == number)
      }
      for (former, later) in zip(times, times.dropFirst()) {
        #expect((1.95...2.2).contains(later - former))
      }
      // Without positions no fourth ball is on its way as the status is asked for.
      feeding.cancel()
      let status = try await setup.run(["status"])
      #expect(status.output.contains("delivered, completed"), "\(status.output)")
      let doctor = try await setup.run(["doctor", "--config", config])
      #expect(doctor.output.contains("the machine's answers come in"), "\(doctor.output)")
      let stop = try await setup.run(["stop"])
      #expect(stop.code == 0, "\(stop)")
      serve.program.send(signal: SIGTERM)
      _ = await serve.ending()
      let writes = try await mock.terminate().writes()
      #expect(writes.contains("0,0,0,0,0"))
      #expect(Set(writes) == ["40,43,20,45,50", "0,0,0,0,0"])
    }
  }

  @Test(.mockOnly("it has a bus of its own"))
  func aSimulationCompletesEachBall() async throws {
    try await CommandLineSetup.with { setup in
      _ = try configured(setup)
      let result = try await setup.run([
        "simulate", "--encoding", "framed", "--table", setup.path("table.csv"), "--duration", "15",
        "--speed", "5", "--json",
      ])
      #expect(result.code == 0, "\(result)")
      let events = try ProgramEvent.all(result.output)
      let balls = events.named("dispatch")
      #expect(!balls.isEmpty && balls.allSatisfy { $0.outcome == "delivered" })
      #expect(events.named("answer").map(\.number) == balls.map(\.number))
      // The run may end before the last one is through.
      #expect(events.named("answer").dropLast().allSatisfy { $0.answer == "completed" })
    }
  }
}
