import TestSupport
import Testing

/// The program at a terminal: a pseudo-terminal of 45 columns, by script(1).
@Suite(.mockOnly("simulate brings its own mock"), .mustEnd)
struct CommandLineTerminalTests {
  /// Runs the program at a terminal; what a test writes are the keys that a person presses.
  private static let atTerminal = """
    export TERM=xterm NO_COLOR=1
    exec script --quiet --return --command "stty cols 45 rows 24; exec $*" /dev/null
    """

  @Test(arguments: [" ", "s"])
  func aKeyStopsTheMachineAndAnotherOneLeaves(_ key: String) async throws {
    try await CommandLineSetup.with { setup in
      var simulation = try setup.start(["simulate", "--json", "--seed", "1"])
      _ = try await simulation.next("safety", state: "live")
      let watch = try setup.start(["watch", "--simulate"], script: Self.atTerminal)
      var lines = watch.program.lines.makeAsyncIterator()
      func until(_ text: String) async {
        while let line = await lines.next(isolation: #isolation), !line.contains(text) {}
      }
      await until("Arming    LIVE")
      watch.program.write(key)
      _ = try await simulation.next("safety", state: "stopped")
      await until("stop  the machine has acknowledged")
      watch.program.write("q")
      let end = await watch.ending()
      #expect(end.code == 0 && end.output.contains("net ═") || end.output.contains("net ="))
      #expect(end.output.contains(" STOP  space or s    q leaves"))
      #expect(end.output.hasSuffix("stop  the machine has acknowledged the stop command\r\n"))
      #expect(try await simulation.terminate().code == 0)
    }
  }

  @Test func ctrlCClearsAHalfTypedLineAndLeavesAnEmptyOne() async throws {
    try await CommandLineSetup.with { setup in
      var simulation = try setup.start(["simulate", "--json", "--seed", "1"])
      _ = try await simulation.next("safety", state: "live")
      let console = try setup.start(["console", "--simulate", "--yes"], script: Self.atTerminal)
      var lines = console.program.lines.makeAsyncIterator()
      func until(_ text: String) async {
        while let line = await lines.next(isolation: #isolation), !line.contains(text) {}
      }
      // What is typed before the prompt is there is lost.
      let typing = Ticker { [program = console.program] _ in program.write("status\n") }
      await until("Mode ")
      typing.cancel()
      // The list of completions shows that the line has been read.
      console.program.write("zone 1-\t\t")
      await until("1-3")
      console.program.write("\u{3}")
      try await Task.sleep(for: .seconds(1))
      console.program.write("pause\n")
      _ = try await simulation.next("safety", state: "paused")
      await until("paused")
      try await Task.sleep(for: .seconds(1))
      console.program.write("\u{3}")
      let end = await console.ending()
      #expect(end.code == 0 && !end.output.contains("there is no verb"), "\(end.output)")
      let (code, events, _) = try await simulation.terminate()
      #expect(code == 0 && events.named("manual").isEmpty)
    }
  }
}
