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
      try await desk.sees("> ")
      desk.presses("zone 1-\t\t")
      try await desk.sees("1-3", "> zone 1-")
      desk.presses(Terminal.ctrlC)
      try await desk.sees(Terminal.erased)
      desk.presses("pause\n")
      _ = try await simulation.next("safety", state: "paused")
      try await desk.sees("paused", "> ")
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

  private static let pasted = "lines at once: nothing but a stop among them is carried out"

  /// What would throw a ball, or let balls fly, and what throws none.
  @Test(arguments: ["zone 1-1\nyes\n", "arm 0\nzone 1-1\nstatus\n", "help\r\nzone 1-1\r\n"])
  func aPasteDoesNothing(_ paste: String) async throws {
    try await CommandLineSetup.with { setup in
      let (mock, serve, desk) = try await openConsole(setup, "--yes")
      desk.presses(paste)
      let shown = try await desk.sees(Self.pasted, "> ")
      #expect(!shown.contains("Arming") && !shown.contains("quit  "), "\(shown)")
      desk.presses("status\n")
      try await desk.sees("Arming   disarmed", "> ")
      #expect(try await ballsAtTheEnd(mock, serve, desk) == [])
    }
  }

  @Test(arguments: ["zone 1-1\nhelp\nSTOP!\n", "stop\nreset\narm 0\nzone 1-1\n"])
  func aStopInAPasteStops(_ paste: String) async throws {
    try await CommandLineSetup.with { setup in
      var (mock, serve, desk) = try await openConsole(setup, "--yes")
      desk.presses(paste)
      _ = try await serve.next("safety", state: "stopped")
      try await desk.sees("stop  the machine has acknowledged", Self.pasted, "> ")
      desk.presses("status\n")
      try await desk.sees("Arming   stopped", "> ")
      #expect(try await ballsAtTheEnd(mock, serve, desk) == [])
    }
  }

  @Test func aLineThatIsPastedAloneIsDone() async throws {
    try await CommandLineSetup.with { setup in
      let (mock, serve, desk) = try await openConsole(setup, "--yes")
      desk.presses("\r\nzone 1-1\r\n\r\n")
      try await desk.sees("110001060014004500  delivered", "> ")
      #expect(try await ballsAtTheEnd(mock, serve, desk) == [CourtFacts.commands["1-1"]])
    }
  }

  /// Only a stop is carried out of what is typed while a ball waits.
  @Test(arguments: ["stop\n", "disarm\n", "zone 1-3\nstop\n", "\n", Terminal.ctrlC])
  func whatIsTypedEndsTheBallThatWaits(_ keys: String) async throws {
    try await CommandLineSetup.with { setup in
      let patience = try setup.write("safety:\n  least-interval: 60\n", to: "config.yaml")
      var (mock, serve, desk) = try await openConsole(setup, "--yes", "--config", patience)
      desk.presses("zone 1-1\n")
      try await desk.sees("delivered", "> ")
      desk.presses("zone 1-2\n")
      try await desk.sees("this one waits")
      desk.presses(keys)
      if keys.contains("stop") {
        _ = try await serve.next("safety", state: "stopped")
        try await desk.sees("stop  the machine has acknowledged")
      }
      for line in ["disarm", "zone 1-3"] where keys.contains(line) {
        try await desk.sees("`\(line)': not done; type it again if you mean it")
      }
      try await desk.sees("> ")
      #expect(try await ballsAtTheEnd(mock, serve, desk) == [CourtFacts.commands["1-1"]])
    }
  }

  @Test func whatWasTypedBeforeTheQuestionIsNoAnswer() async throws {
    try await CommandLineSetup.with { setup in
      let (mock, serve, desk) = try await openConsole(setup)
      serve.program.send(signal: SIGSTOP)
      desk.presses("zone 1-1\n")
      try await desk.sees("zone 1-1")
      // Much longer than between two lines of a paste.
      try await Task.sleep(for: .seconds(1))
      desk.presses("yes\n")
      try await desk.sees("yes")
      serve.program.send(signal: SIGCONT)
      try await desk.sees("machine  SIM  ", "`yes': not done", "Type yes to send it: ")
      desk.presses("\n")
      try await desk.sees("not sent: it was not confirmed with yes", "> ")
      #expect(try await ballsAtTheEnd(mock, serve, desk).isEmpty)
    }
  }

  @Test func whatIsPastedAtTheQuestionIsNoAnswer() async throws {
    try await CommandLineSetup.with { setup in
      let (mock, serve, desk) = try await openConsole(setup)
      desk.presses("zone 1-1\n")
      try await desk.sees("machine  SIM  ", CommandLineSetup.machine, "Type yes to send it: ")
      desk.presses("yes\nyes\n")
      try await desk.sees("not sent: it was not confirmed with yes", "> ")
      #expect(try await ballsAtTheEnd(mock, serve, desk).isEmpty)
    }
  }

  @Test func aStopIsAnAnswerToTheQuestion() async throws {
    try await CommandLineSetup.with { setup in
      var (mock, serve, desk) = try await openConsole(setup)
      desk.presses("zone 1-1\n")
      try await desk.sees("Type yes to send it: ")
      desk.presses("stop\n")
      _ = try await serve.next("safety", state: "stopped")
      try await desk.sees("stop  the machine has acknowledged", "> ")
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
    try await desk.sees("> ")
    return (mock, serve, desk)
  }
}
