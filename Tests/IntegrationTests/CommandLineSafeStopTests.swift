import Glibc
import TestSupport
import Testing

/// `safe-stop` behind a `serve` that has ended in one way or another.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineSafeStopTests {
  private static let afterAKill = "SERVICE_RESULT=signal EXIT_CODE=killed EXIT_STATUS=KILL"

  @Test func aMachineWhoseServiceWasKilledIsStoppedOnce() async throws {
    try await CommandLineSetup.with { setup in
      // Acknowledged writes alone, so that a stop command is one write.
      let mock = try await setup.mock("machine \(CommandLineSetup.machine) flags write")
      var serve = try setup.start(
        [
          "serve", "--json", "--bus", setup.address, "--arm", "--countdown", "0", "--positions",
          "-",
        ]
      )
      _ = try await serve.next("link", state: "ready")
      serve.program.write(#"{"x": 1, "y": 1}"# + "\n")
      let ball = try #require(try await serve.next("dispatch").command)
      serve.program.send(signal: SIGKILL)
      #expect(await serve.ending().code == 128 + SIGKILL)

      let result = try await setup.run(
        ["safe-stop", "--json", "--bus", setup.address],
        after: Self.afterAKill
      )
      #expect(result.code == 0 && result.errors == "")
      let sent = try ProgramEvent.all(result.output)
      #expect(sent.map(\.event) == ["manual"] && sent.first?.outcome == "delivered")
      #expect(sent.first?.command == CourtFacts.stop)
      let seen = try await mock.terminate()
      #expect(seen.writes() == [ball, CourtFacts.stop])
      // The link that the killed one left is used, and given up.
      #expect(seen.named("connected").count == 1 && seen.named("disconnected").count == 1)
    }
  }

  @Test(arguments: [
    "SERVICE_RESULT=success EXIT_CODE=exited EXIT_STATUS=0",
    "SERVICE_RESULT=exit-code EXIT_CODE=exited EXIT_STATUS=78",
  ])
  func afterAnEndInOrderNothingIsDone(_ end: String) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let result = try await setup.run(["safe-stop", "--bus", setup.address], after: end)
      #expect(result.code == 0 && result.output == "" && result.errors == "")
      let seen = try await mock.terminate()
      #expect(seen.named("discoveryStarted").isEmpty && seen.named("connected").isEmpty)
    }
  }

  // MARK: A stop that is owed

  /// A bridge that has sent a ball, and can't get its stop command through.
  private func leaveAStopOwed(
    _ trouble: String,
    codes: Set<Int32>,
    on setup: CommandLineSetup,
    _ mock: MockMachines
  ) async throws {
    var serve = try setup.start(
      ["serve", "--json", "--bus", setup.address, "--arm", "--countdown", "0", "--positions", "-"]
    )
    _ = try await serve.next("link", state: "ready")
    serve.program.write(#"{"x": 1, "y": 1}"# + "\n")
    _ = try await serve.next("dispatch")
    try await mock.perform(trouble)
    if trouble.hasPrefix("vanish") { _ = try await serve.next("safety", state: "paused") }
    let (status, _, errors) = try await serve.terminate()
    #expect(codes.contains(status), "\(errors)")
    #expect(errors.contains("use its switch"), "\(errors)")
  }

  /// Runs `body` with a machine that is back and is owed a stop.
  private func withStopOwed(
    _ body: (CommandLineSetup, MockMachines) async throws -> Void
  ) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("machine \(CommandLineSetup.machine) flags write")
      let (verb, codes) = Self.troubles[0]
      try await leaveAStopOwed(verb, codes: codes, on: setup, mock)
      try await mock.perform("appear \(CommandLineSetup.machine)")
      try await body(setup, mock)
    }
  }

  /// With the exit codes. The end may cut off an attempt that would have failed: its outcome isn't known.
  private static let troubles: [(verb: String, codes: Set<Int32>)] = [
    ("vanish \(CommandLineSetup.machine)", [69]),
    (
      "fail-writes \(CommandLineSetup.machine) org.bluez.Error.Failed"
        + " \"Operation failed with ATT error: 0x80\" always", [69, 75]
    ),
    ("hang-writes \(CommandLineSetup.machine) lost always", [75]),
  ]

  @Test(.mockOnly("it is about what is kept, not about the radio"), arguments: troubles)
  func aStopThatAnEndCouldNotGetThroughIsTheNextStartsFirstWrite(
    trouble: String,
    codes: Set<Int32>
  ) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("machine \(CommandLineSetup.machine) flags write")
      try await leaveAStopOwed(trouble, codes: codes, on: setup, mock)
      // What is owed counts, whatever systemd says of the end.
      let safeStop = try await setup.run(
        ["safe-stop", "--wait", "7", "--bus", setup.address],
        after: "SERVICE_RESULT=success EXIT_CODE=exited EXIT_STATUS=0"
      )
      #expect(codes.contains(safeStop.code), "\(safeStop)")

      try await mock.perform("clear-faults")
      try await mock.perform("appear \(CommandLineSetup.machine)")
      var next = try setup.start(["serve", "--json", "--bus", setup.address])
      #expect(try await next.next("stop").outcome == "confirmed")
      let (status, _, errors) = try await next.terminate()
      #expect(status == 0 && errors.contains("a stop command is owed to"), "\(errors)")
      let writes = try await mock.terminate().writes()
      #expect(writes.last == CourtFacts.stop)
      #expect(writes.count { $0 != CourtFacts.stop } == 1)
      let third = try await setup.run(["safe-stop"], after: Self.afterAnEndInOrder)
      #expect(third.code == 0 && third.output == "" && third.errors == "")
    }
  }

  private static let afterAnEndInOrder = "SERVICE_RESULT=success EXIT_CODE=exited EXIT_STATUS=0"

  /// Behind a power failure there is no safe-stop.
  @Test func aStopThatAKillLeftOwedIsTheNextStartsFirstWrite() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("machine \(CommandLineSetup.machine) flags write")
      let arguments = ["serve", "--json", "--bus", setup.address, "--countdown", "0"]
      var serve = try setup.start(arguments + ["--arm", "--positions", "-"])
      _ = try await serve.next("link", state: "ready")
      serve.program.write(#"{"x": 1, "y": 1}"# + "\n")
      let ball = try #require(try await serve.next("dispatch").command)
      try await setup.appears("state/stop-owed.json")
      serve.program.send(signal: SIGKILL)
      _ = await serve.ending()
      // Armed or not: the stop goes first.
      var next = try setup.start(arguments + ["--arm"])
      #expect(try await next.next("stop").outcome == "confirmed")
      #expect(try await next.terminate().code == 0)
      let writes = try await mock.terminate().writes()
      #expect(writes.prefix(2) == [ball, CourtFacts.stop])
    }
  }

  @Test(.mockOnly("it is about what is kept, not about the radio"))
  func aBallByHandGoesBehindTheStopThatIsOwed() async throws {
    try await withStopOwed { setup, mock in
      let ball = try #require(CourtFacts.commands["3-3"])
      let send = try await setup.run(["send", ball, "--yes", "--bus", setup.address])
      #expect(send.code == 0, "\(send)")
      #expect(try await mock.terminate().writes().suffix(2) == [CourtFacts.stop, ball])
    }
  }

  @Test(.mockOnly("it is about what is kept, not about the radio"))
  func anInterruptBehindTheStopThatIsOwedSendsNoBall() async throws {
    try await withStopOwed { setup, mock in
      let send = try setup.start(["send", "--zone", "3-3", "--yes", "--bus", setup.address])
      try await setup.vanishes("state/stop-owed.json")
      let (code, _, errors) = try await send.terminate()
      #expect(code == 75 && errors.contains("not sent: interrupted"), "\(code): \(errors)")
      #expect(try await mock.terminate().writes().last == CourtFacts.stop)
      #expect(access(setup.path("state/stop-owed.json"), F_OK) != 0)
    }
  }

  @Test(.mockOnly("it is about what is kept, not about the radio"))
  func aBallByHandLeavesAStopOwedAndTheNextOneItsDistance() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("machine \(CommandLineSetup.machine) flags write")
      let ball = try #require(CourtFacts.commands["3-3"])
      let arguments = ["send", ball, "--yes", "--json", "--bus", setup.address]
      var times: [Double] = []
      for _ in 0..<2 {
        let send = try await setup.run(arguments)
        #expect(send.code == 0, "\(send)")
        times.append(try #require(try ProgramEvent.all(send.output).last?.t))
        try await setup.appears("state/stop-owed.json")
      }
      #expect(times[1] - times[0] >= 2.95)
      let stop = CourtFacts.stop
      #expect(try await mock.terminate().writes() == [ball, stop, ball])
    }
  }

  @Test(.mockOnly("it is about what is kept, not about the radio"))
  func aReplayBeginsWithTheStopThatIsOwed() async throws {
    try await withStopOwed { setup, mock in
      let track = try setup.write("0,8,11\n0.1,8,11\n", to: "track.csv")
      let replay = try await setup.run(["replay", "--bus", setup.address, track])
      #expect(replay.code == 0 && replay.errors.contains("a stop command is owed to"), "\(replay)")
      let writes = try await mock.terminate().writes()
      #expect(writes.dropFirst().first == CourtFacts.stop, "\(writes)")
      #expect(access(setup.path("state/stop-owed.json"), F_OK) != 0)
    }
  }

  /// What another bridge's file of the same directory says is owed, that bridge pays itself.
  @Test func whatABridgeOfTheSameStateDirectoryOwesIsItsOwn() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup, "--arm", "--countdown", "0", "--positions", "-"))
      _ = try await serve.next("link", state: "ready")
      // Until the end: a silence pauses, and then nothing is owed.
      let player = Ticker { [program = serve.program] _ in
        program.write(#"{"x": 1, "y": 1}"# + "\n")
      }
      _ = try await serve.next("dispatch")
      try await setup.appears("state/stop-owed.json")
      try setup.makeFolder("second")
      let second = "BALLMACHINE_RUNTIME_DIR='\(setup.path("second"))'"
      let refused = try await setup.run(
        ["serve", "--bus", setup.address],
        script: second + #" exec "$@""#
      )
      #expect(refused.code == 73, "\(refused)")
      let result = try await setup.run(
        ["safe-stop", "--bus", setup.address],
        after: second + " SERVICE_RESULT=exit-code EXIT_CODE=exited EXIT_STATUS=73"
      )
      #expect(result.code == 0 && result.output == "" && result.errors == "", "\(result)")
      #expect(access(setup.path("state/stop-owed.json"), F_OK) == 0)
      player.cancel()
      let (code, events, _) = try await serve.terminate()
      #expect(code == 0 && !events.named("safety").contains { $0.state == "paused" })
      #expect(try await mock.terminate().named("connected").count == 1)
    }
  }

  @Test func byHandItAlwaysStops() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let result = try await setup.run(["safe-stop", "--bus", setup.address])
      #expect(result.code == 0 && result.errors == "")
      #expect(result.output.contains("\(CourtFacts.stop)  delivered"))
      let writes = try await mock.terminate().writes()
      #expect(!writes.isEmpty && writes.allSatisfy { $0 == CourtFacts.stop })
    }
  }

  @Test func anotherMachineIsStoppedByOtherDigits() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let digits = "999990000000000001"
      // What else is wrong does not count: the machine is stopped.
      let file = try setup.write(
        "machine: {stop-command: \"\(digits)\"}\nlimits: {yaw: []}\n",
        to: "config.yaml"
      )
      let options = ["--bus", setup.address, "--config", file]
      let result = try await setup.run(["safe-stop"] + options)
      #expect(result.code == 0 && result.output.contains("\(digits)  delivered"), "\(result)")
      // Zeros by hand are a stop as well, in either form.
      let fields = ["--upper", "0", "--lower", "0", "--pitch", "0", "--yaw", "0"]
      for form in [[CourtFacts.stop], fields, fields + ["--yes"], fields + ["--feed", "0"]] {
        let zeros = try await setup.run(["send"] + form + options)
        #expect(zeros.code == 0 && zeros.output.contains("\(digits)  delivered"), "\(zeros)")
      }
      // A zone's, too; for that the configuration must be right.
      let valid = try setup.write("machine: {stop-command: \"\(digits)\"}\n", to: "valid.yaml")
      let rows = (0..<16).map {
        "\($0 / 4)-\($0 % 4),\($0 == 0 ? CourtFacts.stop : "105001050012002000")"
      }
      let table = try setup.write(
        (["zone,command"] + rows).joined(separator: "\n") + "\n",
        to: "table.csv"
      )
      let zone = try await setup.run(
        ["send", "--zone", "0", "--table", table, "--bus", setup.address, "--config", valid]
      )
      #expect(zone.code == 0 && zone.output.contains("\(digits)  delivered"), "\(zone)")
      #expect(access(setup.path("state/stop-owed.json"), F_OK) != 0)
      let writes = try await mock.terminate().writes()
      #expect(!writes.isEmpty && writes.allSatisfy { $0 == digits }, "\(writes)")
    }
  }

  @Test func aBridgeThatControlsTheMachineKeepsIt() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      _ = try await serve.next("link", state: "ready")
      let result = try await setup.run(
        ["safe-stop", "--bus", setup.address],
        after: Self.afterAKill
      )
      #expect(result.code == 75 && result.output == "")
      #expect(result.errors.contains("process \(serve.program.processID),"), "\(result.errors)")
      #expect(result.errors.contains("use `ballmachine stop'"), "\(result.errors)")
      serve.program.send(signal: SIGSTOP)
      let hung = try await setup.run(["safe-stop", "--bus", setup.address])
      let remedy = "does not answer: kill it with `systemctl kill -s KILL ballmachine`"
      #expect(hung.code == 75 && hung.errors.contains(remedy), "\(hung.errors)")
      serve.program.send(signal: SIGCONT)
      #expect(try await serve.terminate().code == 0)
      // The hung one could not keep the stop from being written.
      let writes = try await mock.terminate().writes()
      #expect(!writes.isEmpty && writes.allSatisfy { $0 == CourtFacts.stop })
    }
  }

  /// Whatever folders two bridges have.
  @Test(.mockOnly("it is about processes, not about the radio"))
  func aMachineHasOneWriterAndASafeStopBesideItStopsBoth() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("machine \(CommandLineSetup.machine) flags write")
      var serve = try setup.start(serving(setup, "--arm", "--countdown", "0", "--positions", "-"))
      _ = try await serve.next("link", state: "ready")
      let player = Ticker { [program = serve.program] _ in
        program.write(#"{"x": 1, "y": 1}"# + "\n")
      }
      defer { player.cancel() }
      _ = try await serve.next("dispatch")
      for name in ["second", "second-state"] { try setup.makeFolder(name) }
      let elsewhere =
        "BALLMACHINE_RUNTIME_DIR='\(setup.path("second"))'"
        + " BALLMACHINE_STATE_DIRECTORY='\(setup.path("second-state"))'"
      let holder = "process \(serve.program.processID) of the user "
      let send = try await setup.run(
        ["send", "--zone", "0", "--yes", "--bus", setup.address],
        script: elsewhere + #" exec "$@""#
      )
      #expect(send.code == 75 && send.errors.contains(holder), "\(send)")
      var second = try setup.start(
        serving(setup, "--arm", "--countdown", "0", "--positions", "-"),
        script: elsewhere + #" exec "$@""#
      )
      _ = try await second.next("link", state: "backingOff")
      let stop = try await setup.run(["stop"], script: elsewhere + #" exec "$@""#)
      #expect(stop.code == 75 && stop.errors.contains(holder), "\(stop)")
      _ = try await second.terminate()

      let safeStop = try await setup.run(
        ["safe-stop", "--bus", setup.address],
        script: elsewhere + #" exec "$@""#
      )
      #expect(safeStop.code == 0 && safeStop.errors.contains("it was stopped, too"), "\(safeStop)")
      _ = try await serve.next("safety", state: "stopped")
      #expect(try await serve.terminate().code == 0)
      // Nobody took its link away.
      #expect(try await mock.terminate().named("connected").count == 1)
    }
  }

  @Test(.mockOnly("it is about processes, not about the radio"))
  func aBridgeWhoseFolderIsRemovedIsStopped() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("machine \(CommandLineSetup.machine) flags write")
      for name in ["outer", "outer/live"] { try setup.makeFolder(name) }
      let folder = setup.path("outer/live")
      let there = "BALLMACHINE_RUNTIME_DIR='\(folder)' exec \"$@\""
      var serve = try setup.start(
        serving(setup, "--arm", "--countdown", "0", "--positions", "-"),
        script: there
      )
      _ = try await serve.next("link", state: "ready")
      try #require(rename(folder, setup.path("outer/elsewhere")) == 0)
      try await setup.appears("outer/live/control.sock")
      #expect(try await setup.run(["status"], script: there).code == 0)
      // Its parent is not the bridge's to make.
      try #require(rename(setup.path("outer"), setup.path("gone")) == 0)
      var paused = try await serve.next("safety", state: "paused")
      // No player is seen.
      if paused.code == "silence" { paused = try await serve.next("safety", state: "paused") }
      #expect(paused.code == "socketsGone")
      let stop = try await setup.run(["stop"], script: there)
      #expect(stop.code == 0, "\(stop)")
      _ = try await serve.next("safety", state: "stopped")
      let (code, _, errors) = try await serve.terminate()
      #expect(code == 0 && errors.contains("can't be made again"), "\(errors)")
      _ = try await mock.terminate()
    }
  }

  @Test(.mockOnly("BlueZ ends a link after two seconds: as long as it waits"))
  func itWaitsForABridgeThatIsOnItsWayOut() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      _ = try await serve.next("link", state: "ready")
      let pid = serve.program.processID
      let result = try await setup.run(
        ["safe-stop", "--bus", setup.address],
        script: #"kill -TERM \#(pid); exec "$@""#
      )
      #expect(result.code == 0, "\(result.errors)")
      #expect(try await serve.result().code == 0)
      #expect(try await mock.terminate().writes().contains(CourtFacts.stop))
    }
  }

  @Test func aMachineThatIsGoneEndsItInTime() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("vanish \(CommandLineSetup.machine)")
      let result = try await setup.run(
        ["safe-stop", "--wait", "8", "--bus", setup.address],
        after: Self.afterAKill
      )
      #expect(result.code == 69)
      #expect(result.errors.contains("switch it off by hand"), "\(result.errors)")
      let seen = try await mock.terminate()
      #expect(seen.writes().isEmpty)
      #expect(seen.named("discoveryStarted").count == seen.named("discoveryStopped").count)
    }
  }

  /// Nothing is known against the machine, but it may go on.
  @Test(.mockOnly("no machine is in range"))
  func anInterruptWhileItConnectsIsNamedAndTheMachineToBeSwitchedOff() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("vanish \(CommandLineSetup.machine)")
      let safeStop = try setup.start(["safe-stop", "--json", "--bus", setup.address])
      _ = try await mock.next("discoveryStarted")
      let (code, _, errors) = try await safeStop.terminate()
      let said = "the machine was not stopped: switch it off by hand; interrupted"
      #expect(code == 75 && errors.contains(said), "\(code): \(errors)")
      #expect(!errors.contains("check that it is on"), "\(errors)")
    }
  }

  @Test func whatNobodyAcknowledgesIsUnknown() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock(
        "machine \(CommandLineSetup.machine) flags write",
        "hang-writes \(CommandLineSetup.machine) always"
      )
      let result = try await setup.run(["safe-stop", "--wait", "20", "--bus", setup.address])
      #expect(result.code == 75)
      #expect(result.errors.contains("switch the machine off by hand"), "\(result.errors)")
      #expect(try await mock.terminate().writes().allSatisfy { $0 == CourtFacts.stop })
    }
  }
}

extension CommandLineSetup {
  /// Runs the program to its end with these variables, as systemd sets them behind a service.
  func run(_ arguments: [String], after end: String) async throws -> BuiltProgram.Result {
    try await run(arguments, script: end + #" exec "$@""#)
  }
}
