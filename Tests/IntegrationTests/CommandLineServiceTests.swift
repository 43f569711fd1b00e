import Foundation
import Glibc
import TestSupport
import Testing

/// The subcommands that talk to a `serve` that runs, and what they do when none does.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineServiceTests {
  @Test func statusTellsLinkAndArming() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      let text = try await setup.run(["status"])
      #expect(text.code == 0 && text.errors == "")
      #expect(text.output.contains("Arming   disarmed: every start is disarmed\n"))
      #expect(text.output.contains("Link     ready  "))
      #expect(text.output.hasPrefix(Setups.isReal ? "Mode     REAL" : "Mode     SIM"))
      let json = try await setup.run(["status", "--json"])
      #expect(json.code == 0 && json.errors == "")
      let status = try #require(try ProgramEvent.all(json.output).first)
      #expect(status.event == "status" && json.lines.count == 1)
      #expect(try await serve.terminate().code == 0)
      _ = try await mock.terminate()
    }
  }

  @Test func aPersonArmsPausesResumesAndDisarms() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup, "--positions", "-"))
      _ = try await serve.next("link", state: "ready")
      #expect(try await setup.safety("arm", "--countdown", "0.2").state == "countdown")
      _ = try await serve.next("safety", state: "live")
      // A single position could be lost: on a busy box the bridge may stand still just then.
      let player = Ticker { [program = serve.program] _ in
        program.write(#"{"x": 1, "y": 1}"# + "\n")
      }
      let ball = try await serve.next("dispatch")
      player.cancel()
      #expect(ball.outcome == "delivered")
      #expect(try await setup.safety("pause").state == "paused")
      #expect(try await setup.safety("resume").state == "countdown")
      #expect(try await setup.safety("disarm").state == "disarmed")
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites() == [try #require(ball.command)])
    }
  }

  @Test func aStopLatchesUntilItIsReset() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup, "--arm", "--countdown", "0"))
      _ = try await serve.next("safety", state: "live")
      let stop = try await setup.run(["stop", "--json"])
      #expect(stop.code == 0, "\(stop.errors)")
      #expect(try ProgramEvent.all(stop.output).map(\.outcome) == ["confirmed"])
      let again = try await setup.run(["stop"])
      #expect(again.code == 0 && again.output == "stop  it was stopped already\n")

      for refused in [["arm"], ["resume"], ["send", "--yes", "--zone", "1"]] {
        let result = try await setup.run(refused)
        #expect(result.code == 75 && result.output == "")
        #expect(result.errors.contains("stop is latched: reset first"), "\(result.errors)")
      }
      let refused = try await setup.run(["arm", "--json"])
      #expect(refused.code == 75)
      #expect(refused.output.hasPrefix(#"{"code":"stopLatched","event":"error","exitStatus":75,"#))
      #expect(try await setup.safety("reset").state == "disarmed")
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites().isEmpty)
    }
  }

  @Test func aStopThatDoesNotReachTheMachineSaysSo() async throws {
    try await CommandLineSetup.with { setup in
      try await setup.withoutMachines()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("start")
      let stop = try await setup.run(["stop", "--json"])
      #expect(stop.code == 69)
      let events = try ProgramEvent.all(stop.output)
      #expect(events.map(\.event) == ["stop", "error"] && events.first?.outcome == "notDelivered")
      #expect(stop.errors.contains("did NOT reach the machine"))
      #expect(stop.errors.contains("use its switch"))
      #expect(try await serve.terminate().code == 0)
    }
  }

  @Test func withoutAServiceEachSaysSo() async throws {
    try await CommandLineSetup.with { setup in
      for name in ["status", "watch", "arm", "disarm", "pause", "resume", "reset", "metrics"] {
        let result = try await setup.run([name])
        #expect(result.code == 69 && result.output == "")
        #expect(result.errors.contains("no service runs"), "\(result.errors)")
      }
      let console = try await setup.run(["console"])
      #expect(console.code == 69)
      let stop = try await setup.run(["stop"])
      #expect(stop.code == 69)
      #expect(stop.errors.contains("NOTHING was stopped: use the machine's switch"))
      #expect(stop.errors.contains("safe-stop"))
    }
  }

  @Test func aCommandByHandGoesThroughTheServiceAndNobodyElse() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      #expect(try await setup.run(["send", "--zone", "2-2"]).code == 64)
      let sent = try await setup.run(["send", "--yes", "--json", "--zone", "2-2"])
      #expect(sent.code == 0 && sent.errors == "")
      let event = try #require(try ProgramEvent.all(sent.output).first)
      #expect(event.event == "manual" && event.outcome == "delivered")
      #expect(event.command == CourtFacts.commands["2-2"])
      #expect(try await serve.next("manual").command == event.command)
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites() == [try #require(event.command)])
    }
  }

  @Test func aReplayHasNoSocketAndIsStoppedAtItsClaim() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      // A replay controls the machine and has no control socket.
      let track = try setup.write("0,1,1\n60,1,1\n", to: "track.csv")
      var replay = try setup.start(["replay", track, "--json", "--bus", setup.address])
      _ = try await replay.next("link", state: "ready")
      let sent = try await setup.run(["send", "--yes", "--zone", "0"])
      #expect(sent.code == 75)
      #expect(sent.errors.contains("process \(replay.program.processID),"), "\(sent.errors)")
      let stop = try await setup.run(["stop"])
      #expect(stop.code == 0, "\(stop)")
      _ = try await replay.next("safety", state: "stopped")
      _ = try await replay.terminate()
      let digits = CourtFacts.commands["0-0"]
      #expect(try await mock.terminate().ballWrites().filter { $0 != digits }.isEmpty)
    }
  }

  /// The track begins when the countdown is over.
  @Test func aReplayIsNotDisarmedInItsOwnCountdown() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let track = try setup.write("0,8,11\n0.1,8,11\n", to: "track.csv")
      let config = try setup.write(
        "safety:\n  silence-before-countdown: 1\n  silence-before-disarming: 1\n",
        to: "bridge.yaml"
      )
      let replay = try await setup.run([
        "replay", track, "--countdown", "2", "--config", config, "--bus", setup.address,
      ])
      #expect(replay.code == 0, "\(replay)")
      #expect(try await mock.terminate().ballWrites().count == 1)
    }
  }

  /// It may stand elsewhere, and nobody has looked at its court.
  @Test(.mockOnly("machines come and go")) func anotherMachineEndsTheSession() async throws {
    try await CommandLineSetup.with { setup in
      let (ours, other) = (CommandLineSetup.machine, "F0:F1:F2:00:00:02")
      let mock = try await setup.mock("machine \(ours) name Court")
      let config = try setup.write(
        "machine:\n  name: Court\nsafety:\n  silence-before-countdown: 60\n",
        to: "bridge.yaml"
      )
      var serve = try setup.start([
        "serve", "--json", "--config", config, "--bus", setup.address,
      ])
      _ = try await serve.next("link", state: "ready")
      #expect(try await setup.run(["arm", "--countdown", "60"]).code == 0)
      _ = try await serve.next("safety", state: "countdown")
      for verb in ["vanish \(ours)", "remove-object \(ours)", "machine \(other) name Court"] {
        try await mock.perform(verb)
      }
      #expect(try await serve.next("safety", state: "paused").code == "linkLoss")
      let end = try await serve.next("safety")
      #expect(end.state == "disarmed" && end.code == "otherMachine", "\(end)")
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites() == [])
    }
  }

  /// Who armed has seen the other mode.
  @Test(.mockOnly("only the mock has a mark"), arguments: [true, false])
  func aChangeBetweenSimAndRealEndsTheSession(isReady: Bool) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      #expect(try await setup.run(["arm", "--countdown", "60"]).code == 0)
      _ = try await serve.next("safety", state: "countdown")
      if !isReady {
        try await mock.perform("vanish \(CommandLineSetup.machine)")
        _ = try await serve.next("safety", state: "paused")
      }
      try await mock.perform("mark off")
      let end = try await serve.next("safety", state: "disarmed")
      #expect(end.code == "otherMachine", "\(end)")
      if !isReady { try await mock.perform("appear \(CommandLineSetup.machine)") }
      #expect(try await serve.next("link", state: "ready").mode == "REAL")
      let status = try await setup.run(["status", "--json"])
      #expect(status.output.contains(#""state":"disarmed""#), "\(status)")
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites() == [])
    }
  }

  @Test(.mockOnly("machines come and go"))
  func aStopIsNotConfirmedByAnotherMachine() async throws {
    try await CommandLineSetup.with { setup in
      let (ours, other) = (CommandLineSetup.machine, "F0:F1:F2:00:00:02")
      let mock = try await setup.mock("machine \(ours) name Court")
      let config = try setup.write("machine:\n  name: Court\n", to: "bridge.yaml")
      var serve = try setup.start([
        "serve", "--json", "--config", config, "--bus", setup.address,
      ])
      _ = try await serve.next("link", state: "ready")
      #expect(try await setup.run(["send", "--yes", "--zone", "1-1"]).code == 0)
      for verb in ["vanish \(ours)", "remove-object \(ours)"] { try await mock.perform(verb) }
      _ = try await serve.next("link", state: "discovering")
      #expect(try await setup.run(["stop"]).code == 69)
      try await mock.perform("machine \(other) name Court")
      let stop = try await serve.next("stop")
      #expect(stop.outcome == "notDelivered", "\(stop)")
      let again = try await setup.run(["stop"])
      #expect(
        again.code == 69 && again.errors.contains("another machine is linked now"),
        "\(again)"
      )
      #expect(try await serve.terminate().code == 69)
      #expect(try await mock.terminate().ballWrites() == [CourtFacts.commands["1-1"]])
    }
  }

  @Test func watchTellsEachChange() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      var watch = try setup.start(["watch", "--json"])
      #expect(try await watch.next("link").state == "ready")
      #expect(try await watch.next("safety").state == "disarmed")
      let stop = try await setup.run(["stop"])
      #expect(stop.code == 0, "\(stop.errors)")
      _ = try await watch.next("safety", state: "stopped")
      #expect(try await watch.next("stop").outcome == "confirmed")
      #expect(try await serve.terminate().code == 0)
      // The service has gone, and that is no reason to be content.
      #expect(await watch.ending().code == 75)
      _ = try await mock.terminate()
    }
  }

  /// As at the console.
  @Test func theShellReloadsAndShowsTheTable() async throws {
    try await CommandLineSetup.with { setup in
      let config = try setup.write("court: {apron: 1}\n", to: "config.yaml")
      var serve = try setup.start(serving(setup, "--config", config))
      _ = try await serve.next("start")
      _ = try setup.write("court: {apron: 2}\n", to: "config.yaml")
      let reload = try await setup.run(["reload"])
      #expect(reload.code == 0, "\(reload)")
      #expect(reload.output == "configuration read: now in force: court.apron\n")
      _ = try setup.write("\n", to: "config.yaml")
      let emptied = try await setup.run(["reload"])
      #expect(emptied.code == 75 && emptied.errors.contains("has nothing but blanks"), "\(emptied)")
      serve.program.send(signal: SIGHUP)
      // One for each: of the request, and of the signal.
      for _ in 1...2 { _ = try await serve.next("reloadRefused") }
      #expect(try await setup.run(["table"]).lines.contains("2-2           115001070017007000"))
      let insisted = try await setup.run(["reload", "--empty"])
      #expect(insisted.output == "configuration read: now in force: court.apron\n", "\(insisted)")
      _ = try setup.write("court: {apron: x}\n", to: "config.yaml")
      let refused = try await setup.run(["reload", "--json"])
      #expect(refused.code == 75 && refused.errors.contains("stays as it was"), "\(refused)")
      #expect(try ProgramEvent.all(refused.output).map(\.event) == ["error"])
      let table = try await setup.run(["table"])
      #expect(table.code == 0 && table.lines.count == 18, "\(table)")
      #expect(table.lines.contains("2-2           115001070017007000"))
      #expect(try await serve.terminate().code == 0)
    }
  }

  @Test func figuresAreWrittenForACollector() async throws {
    try await CommandLineSetup.with { setup in
      let path = setup.path("ballmachine.prom")
      #expect(try await setup.run(["metrics", "--write", path]).code == 69)
      let down = try String(contentsOfFile: path, encoding: .utf8)
      #expect(down.hasSuffix("\nballmachine_up 0\n"))
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("start")
      let written = try await setup.run(["metrics", "--write", path])
      #expect(written.code == 0 && written.output == "")
      let printed = try await setup.run(["metrics", "--write", "-"])
      #expect(printed.code == 0 && printed.output.contains("\nballmachine_up 1\n"))
      let up = try String(contentsOfFile: path, encoding: .utf8)
      #expect(up.contains("\nballmachine_up 1\n"))
      #expect(up.contains("\nballmachine_safety_state{state=\"disarmed\"} 1\n"))
      #expect(try await serve.terminate().code == 0)
    }
  }

  /// Whether it runs is not known to a user whom it refuses.
  @Test(.mockOnly("it needs no machine"), .enabled(if: geteuid() == 0, "it becomes another user"))
  func figuresThatAreRefusedSayNothing() async throws {
    try await CommandLineSetup.with { setup in
      try #require(chmod(setup.directory, 0o755) == 0)
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("start")
      try setup.makeFolder("collector")
      try #require(chown(setup.path("collector"), 65534, 65534) == 0)
      let path = setup.path("collector/ballmachine.prom")
      _ = try setup.write("ballmachine_up 1\n", to: "collector/ballmachine.prom")
      let refused = try await setup.run(
        ["metrics", "--write", path],
        script: #"exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@""#
      )
      #expect(refused.code == 77 && refused.errors.contains("the group ballmachine"), "\(refused)")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "")
      #expect(try await serve.terminate().code == 0)
    }
  }
}

extension CommandLineSetup {
  /// Asks the service for something, and reads the state of safety that it answers.
  func safety(_ arguments: String...) async throws -> ProgramEvent {
    let result = try await run(arguments + ["--json"])
    try #require(result.code == 0, "\(result.errors)")
    return try #require(try ProgramEvent.all(result.output).first)
  }
}
