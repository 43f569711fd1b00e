import Glibc
import TestSupport
import Testing

/// The program at a terminal.
@Suite(.mockOnly("simulate brings its own mock"), .mustEnd)
struct CommandLineTerminalTests {
  @Test(arguments: [" ", "s"])
  func aKeyStopsTheMachineAndAnotherOneLeaves(_ key: String) async throws {
    try await CommandLineSetup.with { setup in
      var simulation = try setup.start(["simulate", "--json", "--seed", "1"])
      _ = try await simulation.next("safety", state: "live")
      let phone = try Terminal(on: setup, columns: 45)
      try await phone.types("ballmachine watch --simulate")
      try await phone.sees("══ net ══", "Arming    LIVE", " STOP  space or s    q leaves")
      phone.presses(key)
      _ = try await simulation.next("safety", state: "stopped")
      try await phone.sees("stop  the machine has acknowledged")
      phone.presses("q")
      try await phone.sees("stop  the machine has acknowledged the stop command\n")
      try await phone.types("exit")
      #expect(try await simulation.terminate().code == 0)
    }
  }

  @Test func ctrlCClearsAHalfTypedLineAndLeavesAnEmptyOne() async throws {
    try await CommandLineSetup.with { setup in
      var simulation = try setup.start(["simulate", "--json", "--seed", "1"])
      _ = try await simulation.next("safety", state: "live")
      let desk = try Terminal(on: setup, columns: 45)
      try await desk.types("ballmachine console --simulate --yes")
      try await desk.sees("SIM> ")
      desk.presses("zone 1-\t\t")
      try await desk.sees("1-3", "SIM> zone 1-")
      desk.presses(Terminal.ctrlC)
      try await desk.sees(Terminal.erased)
      desk.presses("pause\n")
      _ = try await simulation.next("safety", state: "paused")
      try await desk.sees("paused", "SIM> ")
      desk.presses(Terminal.ctrlC)
      try await desk.types("exit")
      let (code, events, _) = try await simulation.terminate()
      #expect(code == 0 && events.named("manual").isEmpty)
    }
  }

  @Test func aStopIsShownAtOnceThoughTheServiceHangs() async throws {
    try await CommandLineSetup.with { setup in
      var simulation = try setup.start(["simulate", "--json", "--seed", "1"])
      _ = try await simulation.next("safety", state: "live")
      let phone = try Terminal(on: setup, columns: 45)
      try await phone.types("ballmachine watch --simulate")
      try await phone.sees("Arming    LIVE")
      simulation.program.send(signal: SIGSTOP)
      phone.presses(" ")
      try await phone.sees("stop: on its way")
      try await phone.sees(
        "Link      no answer for 2 s",
        "Arming    no answer for 2 s",
        "Next ball no answer for 2 s",
        "use the machine's switch"
      )
      simulation.program.send(signal: SIGCONT)
      _ = try await simulation.next("safety", state: "stopped")
      try await phone.sees("stop  the machine has acknowledged")
      phone.presses("q")
      try await phone.types("exit")
      #expect(try await simulation.terminate().code == 0)
    }
  }

  @Test func thePromptHasTheModeOfNow() async throws {
    try await CommandLineSetup.with { setup in
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "waitingForBlueZ")
      let desk = try Terminal(on: setup)
      try await desk.types("ballmachine console")
      try await desk.sees("?> ")
      let mock = try await setup.mock()
      _ = try await serve.next("link", state: "ready")
      desk.presses("\n")
      try await desk.sees("SIM> ")
      desk.presses(Terminal.ctrlC)
      try await desk.types("exit")
      #expect(try await serve.terminate().code == 0)
      _ = try await mock.terminate()
    }
  }

  /// What was not confirmed must not happen later.
  @Test func aServiceThatDidNotAnswerIsNotArmedWhenItGoesOn() async throws {
    try await CommandLineSetup.with { setup in
      let (mock, serve, desk) = try await openConsole(setup)
      serve.program.send(signal: SIGSTOP)
      desk.presses("arm\n")
      try await desk.sees("does not answer", "?> ")
      serve.program.send(signal: SIGCONT)
      desk.presses("status\n")
      try await desk.sees("Arming   disarmed", "SIM> ")
      desk.presses(Terminal.ctrlC)
      try await desk.types("exit")
      #expect(try await serve.terminate().events.named("safety").isEmpty)
      _ = try await mock.terminate()
    }
  }

  @Test func whatWasTypedBeforeTheQuestionIsNoAnswer() async throws {
    try await CommandLineSetup.with { setup in
      let (mock, serve, desk) = try await openConsole(setup)
      desk.presses("zone 1-1\nyes\n")
      try await desk.sees("machine  SIM  ", CommandLineSetup.machine, "Type yes to send it: ")
      desk.presses("\n")
      try await desk.sees("not sent: it was not confirmed with yes", "SIM> ")
      #expect(try await ballsAtTheEnd(mock, serve, desk).isEmpty)
    }
  }

  @Test func whatIsTypedEndsARepetitionAndAWait() async throws {
    try await CommandLineSetup.with { setup in
      var (mock, serve, desk) = try await openConsole(setup, "--yes")
      desk.presses("wait 3600\n")
      try await desk.sees("Enter or Ctrl-C ends it")
      // What ends something was typed for that.
      desk.presses("zone 0-0\n")
      try await desk.sees("`zone 0-0': not done: a line before it", "SIM> ")
      desk.presses("wait 3600\n")
      try await desk.sees("Enter or Ctrl-C ends it")
      desk.presses("\n")
      try await desk.sees("SIM> ")
      desk.presses("repeat 2 10 zone 1-1\n")
      _ = try await serve.next("manual")
      desk.presses("stop\n")
      _ = try await serve.next("safety", state: "stopped")
      try await desk.sees("stop  the machine has acknowledged", "SIM> ")
      #expect(try await ballsAtTheEnd(mock, serve, desk) == [CourtFacts.commands["1-1"]])
    }
  }

  @Test func pastedLinesAreAllDone() async throws {
    try await CommandLineSetup.with { setup in
      var (mock, serve, desk) = try await openConsole(setup, "--yes")
      desk.presses("wait 1\ntable\nhelp\n")
      try await desk.sees("1-1", "repeat COUNT", "SIM> ")
      desk.presses("wait 3600\nzone 0-0\nstop\nzone 0-")
      _ = try await serve.next("safety", state: "stopped")
      try await desk.sees("Enter or Ctrl-C ends it")
      let shown = try await desk.sees("SIM> ")
      #expect(shown.contains("stop  the machine has acknowledged"), "\(shown)")
      #expect(shown.contains("not done: `zone 0-' has no end; type it again"), "\(shown)")
      #expect(try await ballsAtTheEnd(mock, serve, desk) == [])
    }
  }

  private enum Deed: CaseIterable {
    case stop, disarm, ctrlC, typedDisarm
  }

  /// The ball that waits, and all behind it.
  @Test(arguments: Deed.allCases)
  private func pastedBallsDoNotOutliveWhatEndsOneOfThem(_ deed: Deed) async throws {
    try await CommandLineSetup.with { setup in
      let patience = try setup.write("safety:\n  least-interval: 60\n", to: "config.yaml")
      let (mock, serve, desk) = try await openConsole(setup, "--yes", "--config", patience)
      desk.presses("zone 1-1\nzone 1-2\nreset\narm 0\nzone 1-3\nstatus\n")
      try await desk.sees("this one waits")
      switch deed {
      case .stop: #expect(try await setup.run(["stop"]).code == 0)
      case .disarm: #expect(try await setup.run(["disarm"]).code == 0)
      case .ctrlC: desk.presses(Terminal.ctrlC)
      case .typedDisarm: desk.presses("disarm\n")
      }
      try await desk.sees("`reset': not ", "`arm 0': not ", "`zone 1-3': not ", "Arming", "SIM> ")
      desk.presses(Terminal.ctrlC)
      try await desk.types("exit")
      let (code, events, _) = try await serve.terminate()
      let states = events.named("safety").map(\.state)
      #expect(code == 0 && !states.contains("countdown") && !states.contains("live"), "\(states)")
      #expect(try await mock.terminate().ballWrites() == [CourtFacts.commands["1-1"]])
    }
  }

  @Test func aPastedBallDoesNotOutliveADisarmInTheWaitBefore() async throws {
    try await CommandLineSetup.with { setup in
      let (mock, serve, desk) = try await openConsole(setup, "--yes")
      desk.presses("zone 1-1\nwait 8\nzone 1-2\n")
      try await desk.sees("Enter or Ctrl-C ends it")
      #expect(try await setup.run(["disarm"]).code == 0)
      try await desk.sees("`zone 1-2': not sent: the session's state changed", "SIM> ")
      #expect(try await ballsAtTheEnd(mock, serve, desk) == [CourtFacts.commands["1-1"]])
    }
  }

  @Test func aPasteThrowsNoBallBehindItsFirstLineThatFails() async throws {
    try await CommandLineSetup.with { setup in
      let (mock, serve, desk) = try await openConsole(setup, "--yes")
      desk.presses("drill nonsense\narm 0\nzone 1-1\nhelp\n")
      try await desk.sees(
        "there is no drill nonsense",
        "`arm 0': not done",
        "`zone 1-1': not done",
        "repeat COUNT",
        "SIM> "
      )
      #expect(try await ballsAtTheEnd(mock, serve, desk) == [])
    }
  }

  @Test func aPastedCommentEndsNothing() async throws {
    try await CommandLineSetup.with { setup in
      var (mock, serve, desk) = try await openConsole(setup, "--yes")
      desk.presses("zone 1-1\n# the second\nzone 2-2\n")
      for _ in 1...2 { _ = try await serve.next("manual") }
      try await desk.sees("SIM> ")
      let balls = ["1-1", "2-2"].map { CourtFacts.commands[$0] }
      #expect(try await ballsAtTheEnd(mock, serve, desk) == balls)
    }
  }

  /// The pause that a ball by hand waits in is no person's.
  @Test func pastedBallsFlyWhileTheMachineIsFed() async throws {
    try await CommandLineSetup.with { setup in
      var (mock, serve, desk) = try await openConsole(
        setup,
        "--yes",
        "--positions",
        "-",
        "--arm",
        "--countdown",
        "0"
      )
      let player = Ticker { [program = serve.program] _ in
        program.write(#"{"x": 1, "y": 1}"# + "\n")
      }
      _ = try await serve.next("dispatch")
      desk.presses("zone 3-3\nzone 3-0\n")
      _ = try await serve.next("manual")
      _ = try await serve.next("manual")
      player.cancel()
      try await desk.sees("SIM> ")
      let balls = ["3-3", "3-0"].map { CourtFacts.commands[$0] }
      #expect(try await ballsAtTheEnd(mock, serve, desk).suffix(2) == balls)
    }
  }

  @Test func aStopThatWasPastedBeforeTheQuestionStops() async throws {
    try await CommandLineSetup.with { setup in
      var (mock, serve, desk) = try await openConsole(setup)
      desk.presses("zone 1-1\nhelp\nstop\n")
      _ = try await serve.next("safety", state: "stopped")
      let shown = try await desk.sees(
        "stop  the machine has acknowledged",
        "`help': not done",
        "not sent: it was stopped",
        "SIM> "
      )
      #expect(!shown.contains("Type yes"), "\(shown)")
      #expect(try await ballsAtTheEnd(mock, serve, desk) == [])
    }
  }

  @Test func aStopIsAnAnswerToTheQuestion() async throws {
    try await CommandLineSetup.with { setup in
      var (mock, serve, desk) = try await openConsole(setup)
      desk.presses("zone 1-1\n")
      try await desk.sees("Type yes to send it: ")
      desk.presses("stop\n")
      _ = try await serve.next("safety", state: "stopped")
      try await desk.sees("stop  the machine has acknowledged", "SIM> ")
      #expect(try await ballsAtTheEnd(mock, serve, desk) == [])
    }
  }

  /// Leaves the console, and ends the service and the machine.
  ///
  /// - Returns: the balls that the machine got.
  private func ballsAtTheEnd(
    _ mock: MockMachines,
    _ serve: ProgramEvents,
    _ desk: Terminal
  ) async throws -> [String] {
    desk.presses(Terminal.ctrlC)
    try await desk.types("exit")
    #expect(try await serve.terminate().code == 0)
    return try await mock.terminate().ballWrites()
  }

  /// A console at a terminal, on a service whose machine is ready.
  ///
  /// - Parameter serveOptions: the service's.
  private func openConsole(
    _ setup: CommandLineSetup,
    _ options: String = "",
    _ serveOptions: String...
  ) async throws -> (MockMachines, ProgramEvents, Terminal) {
    let mock = try await setup.mock()
    var serve = try setup.start(serving(setup) + serveOptions)
    _ = try await serve.next("link", state: "ready")
    let desk = try Terminal(on: setup)
    try await desk.types("ballmachine console \(options)")
    try await desk.sees("SIM> ")
    return (mock, serve, desk)
  }
}
