import Foundation
import Glibc
import TestSupport
import Testing

/// `serve` as a service: its configuration and its log.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineDaemonTests {
  @Test func theConfigurationIsReadAgainWithoutLosingTheLink() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let file = try setup.write("court:\n  apron: 0\n", to: "config.yaml")
      var serve = try setup.start(serving(setup, "--config", file))
      _ = try await serve.next("link", state: "ready")
      _ = try setup.write("court:\n  apron: 3\n", to: "config.yaml")
      serve.program.send(signal: SIGHUP)
      #expect(try await serve.next("reload").applied == ["court.apron"])

      // A wrong one changes nothing, and says where it is wrong.
      _ = try setup.write("court:\n  apron: far\n", to: "config.yaml")
      serve.program.send(signal: SIGHUP)
      let refused = try await serve.next("reloadRefused")
      #expect(refused.reason?.contains("\(file):2:10: ") == true, "\(refused)")
      let status = try await setup.run(["status"])
      #expect(status.output.contains("Config   a newer one is wrong"), "\(status)")
      // One that is right ends that.
      _ = try setup.write("court:\n  apron: 3\n", to: "config.yaml")
      serve.program.send(signal: SIGHUP)
      #expect(try await serve.next("reload").applied == [])
      #expect(try await !setup.run(["status"]).output.contains("Config "))

      let (code, events, errors) = try await serve.terminate()
      #expect(code == 0 && errors.contains("the configuration stays as it was"))
      #expect(events.named("reload").count == 2 && events.named("reloadRefused").count == 1)
      #expect(try await mock.terminate().named("connected").count == 1)
    }
  }

  @Test func aRunIsLoggedAndCanBeReplayed() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(
        serving(setup, "--arm", "--countdown", "0", "--positions", "-")
      )
      _ = try await serve.next("safety", state: "live")
      // More than one: a position that waits while the box stands still is not used.
      let feeding = Ticker { [program = serve.program] _ in
        program.write(#"{"x": 1, "y": 1}"# + "\n")
      }
      _ = try await serve.next("dispatch")
      feeding.cancel()
      let (code, events, _) = try await serve.terminate()
      #expect(code == 0)
      _ = try await mock.terminate()
      let folder = setup.path("state/sessions")
      let logs = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(logs.count == 1)
      let log = "\(folder)/\(try #require(logs.first))"
      let replay = try await setup.run(["replay", "--dry-run", "--json", log])
      #expect(replay.code == 0, "\(replay.errors)")
      let decisions = try ProgramEvent.all(replay.output).named("decision")
      #expect(decisions.map(\.command) == events.named("dispatch").map(\.command))
    }
  }

  /// As on a terminal that somebody has stopped with Ctrl-S.
  @Test func aReaderWhoTakesNothingHoldsNothingUp() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let pipe = setup.path("out")
      let serve = try setup.start(
        serving(setup, "--arm", "--countdown", "0", "--positions", "-"),
        script: "mkfifo '\(pipe)' && exec \"$@\" 1<> '\(pipe)'"
      )
      try await mock.next("connected")
      // From now on whatever it says gets stuck.
      _ = try await setup.run([], script: "dd if=/dev/zero of='\(pipe)' oflag=nonblock")
      let feeding = Task {
        while !Task.isCancelled {
          serve.program.write(#"{"x": 1, "y": 1}"# + "\n")
          try await Task.sleep(for: .milliseconds(100))
        }
      }
      defer { feeding.cancel() }
      for _ in 1...2 { try await mock.next("write") }
      let stop = try await setup.run(["stop"])
      #expect(stop.code == 0, "\(stop)")
    }
  }

}
