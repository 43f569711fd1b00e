import Foundation
import Glibc
import TestSupport
import Testing

/// The examples that are installed, with a simulation.
@Suite(.mustEnd, .mockOnly("simulate brings its own mock")) struct ExampleTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../tools/examples").standardized.path

  /// Starts one of them.
  private func start(
    _ name: String,
    _ arguments: [String],
    on setup: CommandLineSetup
  ) throws -> RunningProgram {
    // The program's own path is the first argument.
    let script = "PATH=${1%/*}:$PATH; shift; exec \(Self.folder)/\(name) \"$@\""
    return try setup.start(arguments, script: script).program
  }

  /// Starts a simulation whose own player stands far from where the examples' players are.
  private func simulation(on setup: CommandLineSetup) async throws -> ProgramEvents {
    let track = try setup.write("0,1,5\n0.04,1,5\n", to: "track.csv")
    var simulation = try setup.start(["simulate", "--json", "--track", track])
    _ = try await simulation.next("dispatch")
    return simulation
  }

  @Test
  func theFeederFeedsAndTheDashboardShowsIt() async throws {
    try await CommandLineSetup.with { setup in
      let simulation = try await simulation(on: setup)
      let dashboard = try start(
        "dashboard.py",
        ["--socket", setup.simulation("control")],
        on: setup
      )
      let feeder = try start("feeder.py", ["--socket", setup.simulation("positions")], on: setup)
      let ball = /SIM +live +link ready +player \d\.\d (8|9|1\d)\.\d +ball \d+ delivered/
      var lines: [String] = []
      for await line in dashboard.lines {
        lines.append(line)
        if line.contains(ball) { break }
      }
      #expect(lines.last?.contains(ball) == true, "\(lines)")
      simulation.program.send(signal: SIGSTOP)
      for await line in dashboard.lines where line.hasPrefix("no answer for ") { break }
      simulation.program.send(signal: SIGCONT)
      for await line in dashboard.lines where line.hasPrefix("SIM ") { break }
      #expect(try await simulation.terminate().code == 0)
      for await line in dashboard.lines where line.hasPrefix("no bridge: ") { break }
      for example in [dashboard, feeder] {
        example.send(signal: SIGINT)
        let result = await example.result()
        #expect(result.code == 0 && !result.errors.contains("Traceback"), "\(result.errors)")
      }
    }
  }

  @Test(arguments: [
    (#"{"state": "countdown", "remaining": 9.6}"#, "countdown 10 s"),
    (#"{"state": "stopped", "stop": {"outcome": "confirmed"}}"#, "stopped"),
    (#"{"state": "stopped", "stop": {"outcome": "pending"}}"#, "stopping"),
    (#"{"state": "stopped", "stop": {"outcome": "unconfirmed"}}"#, "stop unconfirmed"),
    (#"{"state": "stopped", "stop": {"outcome": "notDelivered"}}"#, "stop NOT delivered"),
  ])
  func theDashboardHearsOfSafetyInEventsAndInAnswers(_ safety: String, words: String) async throws {
    let event = #"{"method": "event", "params": {"event": "safety", \#(safety.dropFirst())}"#
    for message in [event, #"{"id": 2, "result": {"safety": \#(safety)}}"#] {
      let script = """
        import json, sys; sys.path.insert(0, sys.argv[1]); from dashboard import Board
        board = Board(); board.hear(json.loads(sys.argv[2])); print(board)
        """
      let result = try await BuiltProgram.run(
        [script, Self.folder, message],
        script: #"python3 -B -c "${@:2}""#
      )
      #expect(result.output.contains("?     \(words)  "), "\(result)")
    }
  }

  @Test
  func theShellsFeederFeeds() async throws {
    try await CommandLineSetup.with { setup in
      var simulation = try await simulation(on: setup)
      let feeder = try start("feeder.sh", ["1", "1", setup.simulation("positions")], on: setup)
      while try await simulation.next("dispatch").zone != "0-0" {}
      // Its outputs close when all of its processes have ended: none goes on feeding.
      feeder.send(signal: SIGKILL)
      _ = await feeder.result()
      #expect(try await simulation.terminate().code == 0)
    }
  }

  @Test
  func theShellsDashboardRingsAtEachChange() async throws {
    try await CommandLineSetup.with { setup in
      let simulation = try await simulation(on: setup)
      let dashboard = try start("dashboard.sh", ["--simulate"], on: setup)
      var lines = dashboard.lines.makeAsyncIterator()
      #expect(await lines.next(isolation: #isolation) == "\u{7}live")
      #expect(try await setup.run(["pause", "--simulate"]).code == 0)
      #expect(await lines.next(isolation: #isolation) == "\u{7}paused: a user paused it")
      #expect(try await simulation.terminate().code == 0)
      _ = await dashboard.result()
    }
  }

  @Test func theConfigurationAndItsTableAreValid() async throws {
    try await CommandLineSetup.with { setup in
      let result = try await setup.run(["check-config", Self.folder + "/config.yaml"])
      #expect(result.code == 0, "\(result.errors)")
    }
  }
}

extension CommandLineSetup {
  /// The simulation's socket of this name.
  fileprivate func simulation(_ name: String) -> String {
    path("ballmachine-simulation/\(name).sock")
  }
}
