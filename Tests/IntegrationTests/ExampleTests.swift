import Foundation
import TestSupport
import Testing

/// The examples that are installed, with a bridge and a mock machine.
@Suite(.mustEnd, .mockOnly("nothing in the examples depends on the stack")) struct ExampleTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../tools/examples").standardized.path

  /// Starts one of them.
  private func start(
    _ name: String,
    _ arguments: [String],
    on setup: CommandLineSetup
  ) throws -> RunningProgram {
    // The program's own path is the first argument.
    try setup.start(arguments, script: "shift; exec \(Self.folder)/\(name) \"$@\"").program
  }

  @Test
  func theFeederFeedsAndTheDashboardShowsIt() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      var serve = try setup.start(
        ["serve", "--json", "--bus", setup.address, "--arm", "--countdown", "0"]
      )
      _ = try await serve.next("link", state: "ready")
      let dashboard = try start(
        "dashboard.py",
        ["--socket", setup.path("control.sock")],
        on: setup
      )
      let feeder = try start("feeder.py", ["--socket", setup.path("positions.sock")], on: setup)
      let ball = /SIM +live +link ready +player \d\.\d \d+\.\d +ball \d+ delivered/
      var lines: [String] = []
      for await line in dashboard.lines {
        lines.append(line)
        if line.contains(ball) { break }
      }
      #expect(lines.last?.contains(ball) == true, "\(lines)")
      _ = try await serve.terminate()
      for await line in dashboard.lines where line.hasPrefix("no bridge: ") { break }
      for example in [dashboard, feeder] {
        example.send(signal: SIGINT)
        let result = await example.result()
        #expect(result.code == 0 && !result.errors.contains("Traceback"), "\(result.errors)")
      }
    }
  }

  @Test
  func theShellsFeederFeeds() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      var serve = try setup.start(["serve", "--json", "--bus", setup.address, "--arm"])
      _ = try await serve.next("link", state: "ready")
      let feeder = try start("feeder.sh", ["1", "1", setup.path("positions.sock")], on: setup)
      #expect(try await serve.next("dispatch").zone == "0-0")
      feeder.send(signal: SIGTERM)
      _ = try await serve.terminate()
    }
  }

  @Test func theConfigurationAndItsTableAreValid() async throws {
    try await CommandLineSetup.with { setup in
      let result = try await setup.run(["check-config", Self.folder + "/config.yaml"])
      #expect(result.code == 0, "\(result.errors)")
    }
  }
}
