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

      // Two of three: then somebody stops the machine.
      var repeating = try setup.start(["console", "--yes", "--json"])
      repeating.program.write("repeat 3 3 zone 3-3\nzone 0\n")
      _ = try await repeating.next("sent")
      _ = try await repeating.next("sent")
      #expect(try await setup.run(["stop"]).code == 0)
      let end = try await repeating.result()
      #expect(end.code == 75 && end.events.map(\.event) == ["sent", "sent", "error"])
      #expect(end.errors.contains("line 1: stop is latched"), "\(end.errors)")
      #expect(try await serve.terminate().code == 0)
      let repeated = try #require(CourtFacts.commands["3-3"])
      #expect(try await mock.terminate().ballWrites() == [repeated, repeated])
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

  private func serving(_ setup: CommandLineSetup, _ options: String...) -> [String] {
    ["serve", "--json", "--bus", setup.address] + options
  }
}
