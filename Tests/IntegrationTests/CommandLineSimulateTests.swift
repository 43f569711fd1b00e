import Foundation
import TestSupport
import Testing

/// `simulate` and `replay --dry-run` as their users run them.
@Suite(.mockOnly("simulate brings its own mock"), .mustEnd)
struct CommandLineSimulateTests {
  /// A player who wanders over the whole court, 25 positions a second, 24 s long.
  private static let track: String = {
    let rows = (0..<600).map { index in
      let time = Double(index) / 25
      // A triangle wave each way, never near an edge of the court.
      func between(_ low: Double, _ high: Double, period: Double) -> Double {
        let phase = (time / period).truncatingRemainder(dividingBy: 1)
        return low + (high - low) * (phase < 0.5 ? 2 * phase : 2 - 2 * phase)
      }
      return "\(time),\(between(0.5, 7.7, period: 14)),\(between(0.5, 11.3, period: 22))"
    }
    return (["timestamp,x,y"] + rows).joined(separator: "\n") + "\n"
  }()

  @Test func everyDispatchIsDeliveredAndIsWhatTheMachineReceived() async throws {
    try await CommandLineSetup.with { setup in
      let track = try setup.write(Self.track, to: "track.csv")
      let result = try await setup.run(
        ["simulate", "--track", track, "--duration", "24", "--speed", "4", "--json"]
      )
      #expect(result.code == 0 && result.errors == "")
      let events = try ProgramEvent.all(result.output)
      let dispatches = events.named("dispatch")
      let summary = try #require(events.last)
      #expect(dispatches.count >= 4)
      #expect(dispatches.allSatisfy { $0.outcome == "delivered" })
      #expect(summary.event == "summary" && summary.dispatches == dispatches.count)
      #expect(summary.outcomes?["delivered"] == dispatches.count)
      #expect(summary.stop?.outcome == "confirmed")
      #expect(Set(dispatches.map(\.zone)).count >= 3)
      for dispatch in dispatches {
        let (x, y) = (try #require(dispatch.x), try #require(dispatch.y))
        #expect(dispatch.zone == CourtFacts.zone(x: x, y: y))
      }
      let received = try #require(summary.machineReceived)
      #expect(received.filter { $0 != CourtFacts.stop } == dispatches.map(\.command))
      #expect(received.last == CourtFacts.stop)
    }
  }

  @Test func theSummaryClaimsNoMoreThanTheMachineReceivedHoweverFastTimePasses() async throws {
    try await CommandLineSetup.with { setup in
      let track = try setup.write(Self.track, to: "track.csv")
      let result = try await setup.run(
        ["simulate", "--track", track, "--duration", "240", "--speed", "60", "--json"]
      )
      let events = try ProgramEvent.all(result.output)
      let dispatches = events.named("dispatch")
      let received = try #require(events.last?.machineReceived).filter { $0 != CourtFacts.stop }
      #expect(received.count >= dispatches.count { $0.outcome == "delivered" })
      #expect(received.count <= dispatches.count { $0.outcome != "notSent" })
      // They are told as their outcomes come. Late decisions skip whole periods, and none come early.
      let times = dispatches.compactMap(\.t).sorted()
      for (one, next) in zip(times, times.dropFirst()) {
        #expect(next - one > 2.85)
      }
    }
  }

  @Test func aRecordedTrackGivesTheSameDecisionsEveryTime() async throws {
    try await CommandLineSetup.with { setup in
      let track = try setup.write(Self.track, to: "track.csv")
      let arguments = ["replay", track, "--dry-run", "--json"]
      let once = try await setup.run(arguments)
      let again = try await setup.run(arguments + ["--speed", "100"])
      #expect(once.code == 0 && once.errors == "")
      #expect(once.output == again.output)
      let events = try ProgramEvent.all(once.output)
      let decisions = events.named("decision")
      #expect(decisions.map(\.t) == [0, 3, 6, 9, 12, 15, 18, 21])
      #expect(events.last?.event == "dryRun")
      #expect(events.last?.byZone?.values.reduce(0, +) == decisions.count)
      for decision in decisions {
        let (x, y) = (try #require(decision.x), try #require(decision.y))
        #expect(decision.zone == CourtFacts.zone(x: x, y: y))
      }
      // 1 s of 25 positions a second, both ends included.
      #expect(decisions.map(\.samples) == [1] + Array(repeating: 26, count: 7))
    }
  }

  @Test func anInterruptEndsItWithAStopCommandAndTheSummary() async throws {
    try await CommandLineSetup.with { setup in
      var simulation = try setup.start(["simulate", "--json", "--speed", "4", "--seed", "1"])
      _ = try await simulation.next("dispatch")
      let (code, events, errors) = try await simulation.terminate()
      #expect(code == 0 && errors == "")
      let summary = try #require(events.last)
      #expect(summary.event == "summary" && summary.machineReceived?.last == CourtFacts.stop)
    }
  }

  /// Its bus must end with it, too.
  @Test(arguments: ["TERM", "INT"])
  func aSignalWhileItsBusStartsEndsItInOrder(_ signal: String) async throws {
    try await CommandLineSetup.with { setup in
      try setup.makeFolder("temporary")
      // A daemon that is slower than a person.
      let daemon = try setup.write(
        """
        #!/bin/sh
        echo $$ > '\(setup.path("process"))'
        kill -\(signal) $PPID
        PATH=${PATH#*:}
        exec dbus-daemon "$@"
        """,
        to: "daemon"
      )
      // The shell makes it a program: a child of the tests may hold what they have written open.
      let simulation = try await setup.run(
        ["simulate", "--json"],
        script: #"""
          install -D '\#(daemon)' '\#(setup.path("programs/dbus-daemon"))'
          export PATH='\#(setup.path("programs"))':"$PATH" TMPDIR='\#(setup.path("temporary"))'
          exec "$@"
          """#
      )
      #expect(simulation.code == 0 && simulation.errors == "", "\(simulation)")
      #expect(try ProgramEvent.all(simulation.output).last?.event == "summary")
      #expect(try FileManager.default.contentsOfDirectory(atPath: setup.path("temporary")) == [])
      let written = try String(contentsOfFile: setup.path("process"), encoding: .utf8)
      let process = try #require(pid_t(written.dropLast()))
      // Kills it if it was left running.
      #expect(kill(process, SIGKILL) != 0 && errno == ESRCH)
    }
  }

  @Test func aDetectorFeedsTheMockThroughStandardInput() async throws {
    try await CommandLineSetup.with { setup in
      var simulation = try setup.start(["simulate", "--json", "--positions", "-"])
      let feeding = Task { [program = simulation.program] in
        while (try? await Task.sleep(for: .milliseconds(50))) != nil { program.write("1,2,0.5\n") }
      }
      let dispatch = try await simulation.next("dispatch")
      feeding.cancel()
      #expect(dispatch.zone == "0-0" && dispatch.x == 2 && dispatch.outcome == "delivered")
      simulation.program.endInput()
      let (code, events, errors) = try await simulation.result()
      #expect(code == 0 && errors == "")
      #expect(events.last?.machineReceived?.last == CourtFacts.stop)
      let both = try await setup.run(["simulate", "--positions", "-", "--track", "x"])
      #expect(both.code == 64 && both.errors.contains("either --track or --positions"))
    }
  }

  @Test func aPlayerBehindTheBaselineIsInAZone() async throws {
    try await CommandLineSetup.with { setup in
      let track = try setup.write("timestamp,x,y\n0,1,13\n0.04,1,13\n", to: "behind.csv")
      for (options, zone) in [([], "3-0"), (["--apron", "0"], nil)] as [([String], String?)] {
        var simulation = try setup.start(["simulate", "--json", "--track", track] + options)
        #expect(try await simulation.next("dispatch").zone == zone)
        let feeds = try await simulation.terminate().events.named("feed")
        #expect(feeds.count { $0.state == "behindBaseline" } == (zone == nil ? 1 : 0))
      }
    }
  }

  @Test func theBuiltInPlayerMakesWayForAFeeder() async throws {
    try await CommandLineSetup.with { setup in
      var simulation = try setup.start(["simulate", "--json", "--seed", "1"])
      #expect(try await simulation.next("dispatch").x != 2)
      let feeder = try Feeder(socket: setup.path("ballmachine-simulation/positions.sock"))
      let feeding = Task {
        while (try? await Task.sleep(for: .milliseconds(50))) != nil {
          await feeder.write("{\"x\": 2, \"y\": 9}\n")
        }
      }
      while try await simulation.next("dispatch").x != 2 {}
      feeding.cancel()
      let (code, events, errors) = try await simulation.terminate()
      #expect(code == 0 && errors == "")
      // Only the feeder's first position finds the player still there.
      #expect(events.last?.otherPositions ?? 100 < 30)
    }
  }

  @Test func aCameraFeedsPicturePointsAndItsCalibrationIsReadAgain() async throws {
    try await CommandLineSetup.with { setup in
      let court = try setup.write(SampleCalibration.file, to: "court.yaml")
      var simulation = try setup.start(["simulate", "--json", "--calibration", court])
      _ = try await simulation.next("dispatch")
      let feeder = try SocketFeeder(setup.path("ballmachine-simulation/positions.sock"))
      await feeder.write("{\"size\": [640, 360]}\n")
      // On the service line, at the left sideline.
      let feeding = Ticker { _ in feeder.writeNow("{\"u\": 190, \"v\": 183}\n") }
      while try await simulation.next("dispatch").zone != "2-0" {}
      let shifted = SampleCalibration.file.replacingOccurrences(of: "195.8", with: "195.9")
      _ = try setup.write(shifted, to: "court.yaml")
      #expect(try await setup.run(["reload", "--simulate"]).code == 75)
      #expect(try await setup.run(["disarm", "--simulate"]).code == 0)
      let taken = try await setup.run(["reload", "--simulate"])
      #expect(taken.output == "configuration read: now in force: court.calibration\n", "\(taken)")
      feeding.cancel()
      #expect(try await simulation.terminate().code == 0)
    }
  }

  @Test func onlyWhoAsksForASimulationReachesIt() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      _ = try await serve.next("link", state: "ready")
      let none = try await setup.run(["stop", "--simulate"])
      #expect(none.code == 69 && none.errors.contains("NOTHING was stopped: no simulation"))
      for subcommand in ["arm", "status", "watch", "metrics"] {
        let refused = try await setup.run([subcommand, "--simulate"])
        #expect(refused.code == 69 && refused.errors.contains("no simulation of this user runs"))
      }

      var simulation = try setup.start(["simulate", "--json", "--seed", "1"])
      _ = try await simulation.next("dispatch")
      #expect(try await setup.run(["stop"]).code == 0)
      _ = try await serve.next("safety", state: "stopped")
      _ = try await simulation.next("dispatch")
      #expect(try await setup.run(["reset"]).code == 0)
      let console = try setup.start(["console", "--simulate"])
      console.program.write("status\nstop\nquit\n")
      let said = await console.ending()
      #expect(said.code == 0 && said.output.contains("stop  the machine has acknowledged"))
      _ = try await simulation.next("safety", state: "stopped")
      #expect(try await setup.run(["disarm"]).output.contains("disarmed"))
      let status = try await setup.run(["status", "--simulate"])
      #expect(status.output.contains("stopped") && status.output.contains("SIM"))

      // The first has the sockets; the second one says so.
      let second = try await setup.run(["simulate", "--duration", "1"])
      #expect(second.code == 0)
      #expect(second.errors.contains("another one, process \(simulation.program.processID)"))

      // With a simulation alone, nothing is stopped, and the message says why.
      #expect(try await serve.terminate().code == 0)
      for arguments in [["stop"], ["status"]] {
        let lost = try await setup.run(arguments)
        #expect(lost.code == 69 && lost.errors.contains("a simulation runs: --simulate reaches it"))
      }
      #expect(try await simulation.terminate().code == 0)
      _ = try await mock.terminate()
    }
  }

  @Test func itsSessionsAreLookedBackAtLikeTheServices() async throws {
    try await CommandLineSetup.with { setup in
      let none = try await setup.run(["sessions", "--simulate"])
      #expect(none.code == 0 && none.errors.contains("no training sessions in "))
      var thrown: [Int] = []
      for seconds in ["40", "30"] {
        let run = try await setup.run(
          ["simulate", "--duration", seconds, "--speed", "10", "--seed", "1", "--json"]
        )
        #expect(run.code == 0 && run.errors == "")
        thrown.append(try #require(ProgramEvent.all(run.output).last?.dispatches))
      }
      let sessions = try await setup.run(["sessions", "--simulate"])
      #expect(sessions.lines.count == 2 && sessions.errors == "", "\(sessions)")
      for (line, (number, balls)) in zip(sessions.lines, [("1", thrown[0]), ("2", thrown[1])]) {
        #expect(
          line.hasPrefix("\(number)  ") && line.contains("  SIM ")
            && line.contains(" \(balls) ball")
        )
      }
      let last = try await setup.run(["session", "last", "--simulate"])
      #expect(last.lines.first?.hasPrefix("Session 2  ") == true, "\(last)")
      #expect(last.output.contains("Seen"))
      // A box's own are others, and simulated time is whole in the log.
      #expect(try await setup.run(["sessions"]).lines.isEmpty)
      let folder = setup.path("ballmachine-simulation/sessions")
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let log = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        #expect(!log.contains(#""event":"clock""#) && log.contains(#""event":"position""#))
      }
    }
  }

  @Test func withoutADaemonItSaysWhatToInstall() async throws {
    let result = try await BuiltProgram.run(["simulate"], environment: ["PATH": "/proc/none"])
    #expect(result.code == 69 && result.output == "")
    #expect(result.errors.contains("apt-get install dbus-daemon"))
  }

  @Test func badLinesOfATrackAreNamedAndTheRestCounts() async throws {
    try await CommandLineSetup.with { setup in
      let track = try setup.write(
        "\u{FEFF}timestamp,x,y\r\n0,1,1\r\n0.04,nan,1\r\nnonsense\r\n0.08,1,10000\r\n0.12,1,1",
        to: "track.csv"
      )
      let result = try await setup.run(["replay", track, "--dry-run", "--json"])
      #expect(result.code == 0)
      for line in 3...5 { #expect(result.errors.contains("\(track):\(line):1: ")) }
      let summary = try #require(try ProgramEvent.all(result.output).last)
      #expect(summary.badLines == 3 && summary.positions == 2)
    }
  }
}
