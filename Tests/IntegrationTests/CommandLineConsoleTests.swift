import Glibc
import TestSupport
import Testing

/// `console` without a terminal: a script's lines.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineConsoleTests {
  @Test func theConsoleTakesAScript() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      let console = try setup.start(["console", "--yes"])
      console.program.write("# a test\n\ntable show\nquit\nzone 0\n")
      let result = await console.ending()
      #expect(result.code == 0 && result.errors == "")
      #expect(result.lines.count == 18)
      #expect(result.lines.contains("2-2           115001070017007000"))
      #expect(
        result.lines.suffix(2) == [
          "out of court  110001060014004500", "stop          000000000000000000",
        ]
      )

      // Two of three: then somebody stops the machine. Without a prompt, all lines may come at once.
      var throwing = try setup.start(["console", "--yes", "--json"])
      throwing.program.write("help\nzone 3-3\nzone 3-0\nzone 0\n")
      #expect(try await throwing.next("help").text?.contains("zone ZONE") == true)
      _ = try await throwing.next("manual")
      _ = try await throwing.next("manual")
      #expect(try await setup.run(["stop"]).code == 0)
      let end = try await throwing.result()
      #expect(end.code == 75 && end.events.map(\.event) == ["help", "manual", "manual", "error"])
      // The console hears of the stop on two connections, in any order.
      let reasons = ["not sent: the session's state", "stop is latched"]
      #expect(reasons.contains { end.errors.contains("line 4: \($0)") }, "\(end.errors)")
      #expect(try await serve.terminate().code == 0)
      let thrown = try ["3-3", "3-0"].map { try #require(CourtFacts.commands[$0]) }
      #expect(try await mock.terminate().ballWrites() == thrown)
    }
  }

  @Test func aScriptThatNobodyConfirmedSendsNothing() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      let console = try setup.start(["console"])
      console.program.write("zone 2-2\nstatus\n")
      let result = await console.ending()
      #expect(result.code == 64 && result.output == "")
      #expect(result.errors.contains("line 1: standard input is not a terminal"))
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites().isEmpty)
    }
  }

  @Test func aBallThatComesTooSoonWaitsForItsTime() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      let console = try setup.start(["console", "--yes"])
      console.program.write("zone 3-0\nzone 0-0\nquit\n")
      let result = await console.ending()
      #expect(result.code == 0 && result.lines.count == 2, "\(result.errors)")
      #expect(
        result.errors == "the last ball has only just left: this one waits (Ctrl-C cancels it)\n"
      )
      let times = [
        try #require(try await serve.next("manual").t),
        try #require(try await serve.next("manual").t),
      ]
      #expect(times[1] - times[0] > 2.9)
      #expect(try await serve.terminate().code == 0)
      let balls = try ["3-0", "0-0"].map { try #require(CourtFacts.commands[$0]) }
      #expect(try await mock.terminate().ballWrites() == balls)
    }
  }

  /// The automatic balls leave as often as they may: a ball by hand would never be first.
  @Test func aBallByHandGetsItsTurnWhileTheMachineIsFed() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(
        serving(setup, "--positions", "-", "--arm", "--countdown", "0")
      )
      let player = Ticker { [program = serve.program] _ in
        program.write(#"{"x": 1, "y": 1}"# + "\n")
      }
      _ = try await serve.next("dispatch")
      let console = try setup.start(["console", "--yes"])
      console.program.write("zone 3-3\nquit\n")
      let result = await console.ending()
      player.cancel()
      #expect(result.code == 0 && result.errors.contains("feeding is paused"), "\(result.errors)")
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites().last == CourtFacts.commands["3-3"])
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func anInterruptedScriptEndsAndSendsNothingMore(by signal: Int32) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(patient(setup))
      _ = try await serve.next("link", state: "ready")
      var console = try setup.start(["console", "--yes", "--json"])
      console.program.write("zone 3-3\nzone 0-0\nzone 3-0\n")
      _ = try await console.next("manual")
      try await Task.sleep(for: .milliseconds(500))
      console.program.send(signal: signal)
      let end = try await console.result()
      #expect(end.code == 75 && end.errors.contains("line 2: it was interrupted"), "\(end.errors)")
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites() == [CourtFacts.commands["3-3"]])
    }
  }

  @Test func aScriptThatIsInterruptedBetweenTwoLinesSaysSo() async throws {
    try await CommandLineSetup.with { setup in
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("start")
      let console = try await openConsole(setup, "--json")
      console.program.send(signal: SIGTERM)
      let end = try await console.result()
      #expect(end.code == 75 && end.errors.contains("line 2: it was interrupted"), "\(end.errors)")
      #expect(try await serve.terminate().code == 0)
    }
  }

  /// The person's signal must not hide that the machine may go on.
  @Test func anInterruptedScriptWhoseStopIsNotConfirmedSaysSo() async throws {
    try await CommandLineSetup.with { setup in
      try await setup.withoutMachines()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("start")
      let console = try await openConsole(setup, "--json")
      serve.program.send(signal: SIGSTOP)
      console.program.write("stop\n")
      try await Task.sleep(for: .milliseconds(500))
      console.program.send(signal: SIGINT)
      let end = try await console.result()
      #expect(end.code == 75 && end.errors.contains("line 2: it is NOT KNOWN"), "\(end.errors)")
      #expect(end.errors.contains("no answer yet: use the machine's switch"), "\(end.errors)")
      serve.program.send(signal: SIGCONT)
      #expect(try await serve.terminate().code == 0)
    }
  }

  /// The service outlives an exchange of a mock and bluetoothd, and the console does, too.
  @Test(.mockOnly("the box's bluetoothd is always there"))
  func aConsoleThatWasOpenBeforeBlueZAnsweredSaysTheMode() async throws {
    try await CommandLineSetup.with { setup in
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "waitingForBlueZ")
      var console = try await openConsole(setup, "--yes", "--json")
      let mock = try await setup.mock()
      _ = try await serve.next("link", state: "ready")
      console.program.write("disarm\nzone 3-3\nquit\n")
      #expect(try await console.next("safety").mode == "SIM")
      #expect(try await console.next("manual").mode == "SIM")
      #expect(try await console.result().code == 0)
      #expect(try await serve.terminate().code == 0)
      _ = try await mock.terminate()
    }
  }

  @Test func whatAServiceThatDoesNotAnswerMayStillDoIsSaid() async throws {
    try await CommandLineSetup.with { setup in
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("start")
      let console = try await openConsole(setup, "--json")
      serve.program.send(signal: SIGSTOP)
      console.program.write("resume\n")
      let end = try await console.result()
      #expect(end.code == 75 && end.errors.contains("line 2: NOT KNOWN whether"), "\(end.errors)")
      serve.program.send(signal: SIGCONT)
      #expect(try await serve.terminate().code == 0)
    }
  }

  /// The ball that waits asks the service again and again: Ctrl-C may come while it has no answer.
  @Test func anInterruptedScriptSaysSoThoughTheServiceHangs() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(patient(setup))
      _ = try await serve.next("link", state: "ready")
      var console = try setup.start(["console", "--yes", "--json"])
      console.program.write("zone 3-3\nzone 0-0\n")
      _ = try await console.next("manual")
      try await Task.sleep(for: .milliseconds(500))
      serve.program.send(signal: SIGSTOP)
      try await Task.sleep(for: .milliseconds(300))
      console.program.send(signal: SIGINT)
      async let ending = console.result()
      // A ball's request that was on its way keeps its outcome, and so waits for this.
      try await Task.sleep(for: .seconds(1))
      serve.program.send(signal: SIGCONT)
      let end = try await ending
      #expect(end.code == 75, "\(end.errors)")
      #expect(end.errors.contains("line 2: it was interrupted"), "\(end.errors)")
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites() == [CourtFacts.commands["3-3"]])
    }
  }

  /// Who stops it, and releases the stop, walks to the machine. Nor is a ball sent after a `disarm`.
  @Test(arguments: ["stop\nreset\nquit\n", "disarm\nquit\n"])
  func aBallThatWaitsDoesNotOutliveWhatAPersonDoes(_ lines: String) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(patient(setup))
      _ = try await serve.next("link", state: "ready")
      let other = try await openConsole(setup, "--json")
      var console = try setup.start(["console", "--yes", "--json"])
      console.program.write("zone 3-3\nzone 3-0\n")
      console.program.endInput()
      _ = try await console.next("manual")
      try await Task.sleep(for: .milliseconds(500))
      other.program.write(lines)
      #expect(await other.ending().code == 0)
      let end = try await console.result()
      // The console sees the change, or the service refuses the ball, whichever comes first.
      #expect(end.code == 75 && end.errors.contains("line 2: "), "\(end.errors)")
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites() == [CourtFacts.commands["3-3"]])
    }
  }

  /// Ctrl-Z, and `fg` much later: the court may be another one.
  @Test func aBallThatWaitsDoesNotOutliveAStandstillOfTheConsole() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(patient(setup))
      _ = try await serve.next("link", state: "ready")
      var console = try setup.start(["console", "--yes", "--json"])
      console.program.write("zone 3-3\nzone 3-0\n")
      console.program.endInput()
      _ = try await console.next("manual")
      try await Task.sleep(for: .milliseconds(500))
      console.program.send(signal: SIGSTOP)
      try await Task.sleep(for: .seconds(2))
      console.program.send(signal: SIGCONT)
      let end = try await console.result()
      #expect(end.code == 75 && end.errors.contains("not sent: this console"), "\(end.errors)")
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites() == [CourtFacts.commands["3-3"]])
    }
  }

  /// A console whose first line is done.
  private func openConsole(
    _ setup: CommandLineSetup,
    _ options: String...
  ) async throws -> ProgramEvents {
    var console = try setup.start(["console"] + options)
    console.program.write("help\n")
    _ = try await console.next("help")
    return console
  }

  /// A service whose next ball waits for a minute, so that a test may be slow.
  private func patient(_ setup: CommandLineSetup) throws -> [String] {
    serving(
      setup,
      "--config",
      try setup.write("safety:\n  least-interval: 60\n", to: "config.yaml")
    )
  }
}
