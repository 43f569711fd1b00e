import Foundation
import Glibc
import TestSupport
import Testing

/// `serve` in one process, a mock machine in another, and feeders of every kind.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineServeTests {
  /// On the real stack, if there is time for it, for two minutes.
  @Test(.core, arguments: Setups.isReal && Setups.isFull ? [4, 41] : [4])
  func positionsFromAPipeReachTheMachineOnTheGrid(_ count: Int) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup, "--arm", "--positions", "-"))
      let pipe = serve.program
      _ = try await serve.next("link", state: "ready")
      // The first position is answered although it is alone.
      pipe.write(#"{"x": 0.3, "y": 1.5}"# + "\n")
      let first = try await serve.next("dispatch")
      #expect(first.samples == 1 && first.zone == "0-0")
      // From left to right along the first row and beyond at 1.2 m/s, and back again.
      let walk = Ticker { elapsed in
        let x = 0.3 + 12 - abs(12 - (elapsed * 1.2).truncatingRemainder(dividingBy: 24))
        pipe.write("{\"x\": \(x), \"y\": 1.5}\n")
      }
      var dispatches = [first]
      while dispatches.count < count { dispatches.append(try await serve.next("dispatch")) }
      walk.cancel()
      pipe.endInput()

      let (code, events, errors) = try await serve.result()
      #expect(code == 0 && errors == "")
      #expect(events.named("feed").last?.state == "ended")
      try expectGrid(dispatches)
      for dispatch in dispatches {
        let (x, y) = (try #require(dispatch.x), try #require(dispatch.y))
        let zone = try #require(CourtFacts.zone(x: min(x, 8.23), y: y))
        if x <= 8.23 { #expect(dispatch.zone == zone) }
        if let command = CourtFacts.commands[dispatch.zone ?? "1-1"] {
          #expect(dispatch.command == command)
        }
        #expect(dispatch.outcome == "delivered")
      }
      #expect(Set(dispatches.map(\.zone)).count > 1)
      let writes = try await mock.terminate()
      #expect(writes.ballWrites() == events.named("dispatch").map(\.command))
      #expect(writes.writes().last == CourtFacts.stop)
    }
  }

  /// A Raspberry Pi's clock begins in the past, and a time server sets it while the service runs.
  @Test(
    .mockOnly("its clock is the box's"),
    .withoutSanitizer("libfaketime keeps such a program from beginning"),
    arguments: [("1970-01-02", "2026-11-28"), ("2026-11-28", "2024-02-29")]
  )
  func aClockThatJumpsByYearsMovesNoBall(from one: String, to other: String) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      // In one step: the library ends a program that finds half a time.
      func set(_ day: String) throws {
        let next = try setup.write("@\(day) 12:00:00\n", to: "clock.next")
        try #require(rename(next, setup.path("clock")) == 0)
      }
      try set(one)
      var serve = try setup.start(
        serving(setup, "--arm", "--positions", "-"),
        script: #"""
          export FAKETIME_TIMESTAMP_FILE=$BALLMACHINE_RUNTIME_DIR/clock
          export FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1
          # The library adds to the environment when it comes first, and Swift then finds no arguments.
          LD_PRELOAD='/usr/$LIB/faketime/libfaketimeMT.so.1' exec env "$@"
          """#
      )
      let pipe = serve.program
      _ = try await serve.next("link", state: "ready")
      let player = Ticker { _ in pipe.write(#"{"x": 0.3, "y": 1.5}"# + "\n") }
      _ = try await serve.next("dispatch")
      try set(other)
      // On a busy machine a ball may be too late, and comes again.
      var dispatches: [ProgramEvent] = []
      while dispatches.count < 3 {
        let dispatch = try await serve.next("dispatch")
        if dispatch.outcome == "delivered" { dispatches.append(dispatch) }
      }
      player.cancel()
      pipe.endInput()
      let (code, events, errors) = try await serve.result()
      #expect(code == 0 && errors == "")
      let times = events.compactMap(\.time)
      #expect(times.first?.hasPrefix(one) == true && times.last?.hasPrefix(other) == true)
      #expect(events.named("safety").allSatisfy { $0.state != "paused" })
      let balls = dispatches.compactMap(\.t)
      let gaps = zip(balls.dropFirst(), balls).map(-)
      #expect(gaps.allSatisfy { $0 > 2.4 && $0 < 10 }, "\(gaps)")
      #expect(try await mock.terminate().writes().last == CourtFacts.stop)
      let names = try FileManager.default.contentsOfDirectory(atPath: setup.path("state/sessions"))
      #expect(names.contains { $0.hasPrefix("000001-\(one.filter { $0 != "-" })T") }, "\(names)")
    }
  }

  @Test func aRecordedTrackThatEndsTooSoonIsNotTheMachinesFault() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let track = try setup.write("timestamp,x,y\n0,1,1\n", to: "track.csv")
      let result = try await setup.run(serving(setup, "--arm", "--positions", track))
      #expect(result.code == 65, "\(result)")
      #expect(result.errors.contains("the positions ended before the machine was ready"))
      #expect(result.errors.contains("`ballmachine replay'"), "\(result.errors)")
      #expect(try await mock.terminate().writes().isEmpty)
    }
  }

  /// Its restart may find a detector that sends again.
  @Test func liveOnesThatEndTooSoonAreNoBadData() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let result = try await setup.run(serving(setup, "--positions", "-"))
      #expect(result.code == 69, "\(result)")
      #expect(result.errors.contains("the positions ended before the machine was ready"))
      #expect(try await mock.terminate().writes().isEmpty)
    }
  }

  /// What waited while it was frozen is no fresh position.
  @Test(.mockOnly("the freeze must end before the next ball is due"))
  func noBallLeavesOnAPositionFromBeforeAFreeze() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(
        serving(setup, "--arm", "--countdown", "0", "--positions", "-")
      )
      let program = serve.program
      _ = try await serve.next("link", state: "ready")
      program.write(#"{"x": 1, "y": 1}"# + "\n")
      #expect(try await serve.next("dispatch").zone == "0-0")
      program.send(signal: SIGSTOP)
      program.write(#"{"x": 1, "y": 4}"# + "\n")
      try await Task.sleep(for: .milliseconds(2_500))
      program.send(signal: SIGCONT)
      let standstill = try await serve.next("feed", state: "stoodStill")
      #expect(standstill.seconds ?? 0 >= 2)
      // Only what comes now counts.
      let feeding = Ticker { _ in program.write(#"{"x": 8, "y": 11}"# + "\n") }
      let next = try await serve.next("dispatch")
      feeding.cancel()
      #expect(next.zone == "3-3" && next.x == 8 && next.y == 11)
      #expect(try await serve.terminate().code == 0)
      // More than one for what comes now, if this test was slow to end it.
      let balls = try await mock.terminate().ballWrites()
      #expect(balls.first == CourtFacts.commands["0-0"] && balls.count > 1, "\(balls)")
      #expect(balls.dropFirst().allSatisfy { $0 == CourtFacts.commands["3-3"] }, "\(balls)")
    }
  }

  @Test func hostileFeedersDoNotDisturbTheCadence() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup, "--arm"))
      guard let address = try await serve.next("start").source else {
        Issue.record("serve doesn't say where it listens")
        return
      }
      let socket = String(address.dropFirst("unix:".count))
      let player = try SocketFeeder(socket)
      let feeding = Ticker { _ in player.writeNow(#"{"x": 1, "y": 1}"# + "\n") }
      _ = try await serve.next("dispatch")

      let cut = try SocketFeeder(socket)
      await cut.write("{\"x\": 7, \"y\": 11}\n{\"x\": 7, \"y\"")
      cut.close()
      #expect(try await serve.next("feed", state: "badLine").reason?.contains("ended in") == true)
      let flooding = Task {
        let flood = try SocketFeeder(socket)
        let lines = String(repeating: "{\"x\": 7, \"y\": 11}\n", count: 1000)
        while !Task.isCancelled {
          await flood.write(lines)
          try await Task.sleep(for: .milliseconds(5))
        }
      }
      let long = try SocketFeeder(socket)
      let longLine = Task {
        await long.write(String(repeating: "1", count: 10_000_000) + "\r\n")
        await long.write(
          "{\"x\": 1e9, \"y\": 1}\r\n{\"x\": NaN, \"y\": 1}\n\u{1}\n{\"x\": \"1\", \"y\": 1}\n"
        )
        long.close()
      }

      var refused = 0
      while refused < 5 { refused += try await serve.next("feed", state: "badLine").count ?? 1 }
      while try await serve.next("dispatch").number ?? 0 < 3 {}
      await longLine.value
      flooding.cancel()
      feeding.cancel()
      _ = await flooding.result
      let (code, events, errors) = try await serve.terminate()
      #expect(code == 0)
      // So much is more than the run log takes, which says so.
      let complaints = errors.split(separator: "\n")
      #expect(complaints.allSatisfy { $0.contains("the session log lacks") }, "\(errors)")
      let dispatches = events.named("dispatch")
      try expectGrid(dispatches)
      #expect(dispatches.allSatisfy { $0.zone == "0-0" && $0.outcome == "delivered" })
      let summary = try #require(events.last)
      #expect(summary.event == "summary" && summary.otherPositions ?? 0 > 1000)
      let writes = try await mock.terminate()
      #expect(writes.ballWrites() == events.named("dispatch").map(\.command))
    }
  }

  @Test func badLinesAreQuotedThenCountedAndTheGoodOnesCount() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      var serve = try setup.start(serving(setup, "--arm", "--positions", "-"))
      _ = try await serve.next("link", state: "ready")
      let bad = [
        "hello", "{", #"{"x": 1}"#, #"{"x": "1", "y": 1}"#, #"{"x": NaN, "y": 1}"#,
        #"{"x": Infinity, "y": 1}"#, "0,nan,1", "0,inf,1", "0,1", #"{"x": 10000, "y": 1}"#,
        #"{"x": 1, "y": -51}"#, #"{"x": 1, "y": 1, "confidence": 0.2}"#,
      ]
      let good = [
        #"{"x": 7, "y": 11}"# + "\r", #"{"x": 7, "y": 11, "new": [1]}"#, "2026-01-02 03:04:05,7,11",
        "0.5, 7, 11",
      ]
      let lines = ["\u{FEFF}" + #"{"x": 7, "y": 11}"#] + bad + [""] + good
      serve.program.write(lines.joined(separator: "\n") + "\n" + #"{"x": 7"#)
      serve.program.endInput()
      let (code, events, _) = try await serve.result()
      #expect(code == 0)
      let reports = events.named("feed").filter { $0.state == "badLine" }
      #expect(reports.first?.line == 2 && reports.first?.text == "hello")
      #expect(reports.last?.line == lines.count + 1 && reports.last?.text == #"{"x": 7"#)
      #expect(reports.reduce(0) { $0 + ($1.count ?? 1) } == bad.count + 1)
      #expect(events.last?.positions == 1 + good.count)
      #expect(events.named("dispatch").map(\.command) == [CourtFacts.commands["3-3"]])
    }
  }

  /// Each would erase what the other one owes.
  @Test func aBridgeWithItsOwnLockNeedsItsOwnStateDirectory() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      var serve = try setup.start(serving(setup, "--positions", "-"))
      _ = try await serve.next("link", state: "ready")
      try setup.makeFolder("second")
      let second = "BALLMACHINE_RUNTIME_DIR='\(setup.path("second"))' exec \"$@\""
      let ball = try #require(CourtFacts.commands["1-1"])
      for refused in [
        serving(setup, "--positions", "-"), ["send", ball, "--yes", "--bus", setup.address],
      ] {
        let result = try await setup.run(refused, script: second)
        #expect(result.code == 73, "\(result)")
        #expect(result.errors.contains("set BALLMACHINE_STATE_DIRECTORY"), "\(result)")
      }
      // What stops asks nothing.
      let stop = try await setup.run(["safe-stop", "--bus", setup.address], script: second)
      #expect(stop.code == 0 && stop.errors.contains("is not kept"), "\(stop)")
      #expect(try await serve.terminate().code == 0)
    }
  }

  @Test func aHairOutsideIsOutOfCourt() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup, "--arm", "--positions", "-"))
      _ = try await serve.next("link", state: "ready")
      serve.program.write("{\"x\": -1e-9, \"y\": 1}\n")
      let dispatch = try await serve.next("dispatch")
      #expect(dispatch.zone == nil && dispatch.command == CourtFacts.commands["1-1"])
      #expect(try await serve.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites() == [CourtFacts.commands["1-1"]])
    }
  }

  @Test func strangersAreNeverWrittenTo() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock(
        "vanish \(CommandLineSetup.machine)",
        "machine AA:AA:AA:AA:AA:01 profile 6",
        "machine AA:AA:AA:AA:AA:02 profile 5",
        "machine AA:AA:AA:AA:AA:03 profile 4",
        "machine AA:AA:AA:AA:AA:04 profile 7"
      )
      let serve = try setup.start(
        serving(setup, "--arm", "--positions", "-", "--duration", "6")
      )
      let pipe = serve.program
      let feeding = Task {
        while !Task.isCancelled {
          pipe.write(#"{"x": 1, "y": 1}"# + "\n")
          try await Task.sleep(for: .milliseconds(100))
        }
      }
      // Somebody else's scan tells BlueZ of all of them.
      let scan = try await setup.run(
        ["scan", "--all", "--json", "--bus", setup.address, "--duration", "3"]
      )
      #expect(Set(try ProgramEvent.all(scan.output).compactMap(\.address)).count == 4)
      let (code, events, errors) = try await serve.result()
      feeding.cancel()
      #expect(code == 69 && !errors.isEmpty)
      #expect(events.named("dispatch").isEmpty)
      #expect(events.last?.positions != 0)
      let seen = try await mock.terminate()
      #expect(seen.named("connected").isEmpty && seen.writes().isEmpty)
    }
  }

  @Test func disarmedItLinksAndWritesNothing() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup, "--positions", "-"))
      _ = try await serve.next("link", state: "ready")
      serve.program.write(#"{"x": 1, "y": 1}"# + "\n")
      serve.program.endInput()
      let (code, events, _) = try await serve.result()
      #expect(code == 0 && events.last?.positions == 1)
      #expect(events.named("dispatch").isEmpty)
      #expect(try await mock.terminate().writes().isEmpty)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalStopsTheMachineAndTheScan(_ signal: Int32) async throws {
    try await CommandLineSetup.with { setup in
      var mock = try await setup.mock()
      var serve = try setup.start(serving(setup, "--arm"))
      _ = try await serve.next("link", state: "ready")
      serve.program.send(signal: signal)
      let (code, events, errors) = try await serve.result()
      #expect(code == 0 && errors == "")
      #expect(events.last?.stop?.outcome == "confirmed")
      _ = try await mock.next("disconnected")
      #expect(try await mock.terminate().writes().allSatisfy { $0 == CourtFacts.stop })

      // While it scans for a machine that isn't there, nothing is wrong with ending it either.
      mock = try await setup.mock("vanish \(CommandLineSetup.machine)")
      serve = try setup.start(serving(setup, "--arm"))
      _ = try await mock.next("discoveryStarted")
      serve.program.send(signal: signal)
      #expect(try await serve.result().code == 0)
      _ = try await mock.next("discoveryStopped")
    }
  }

  @Test func aReaderThatLeavesEndsItWithAStopCommand() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(
        serving(setup, "--arm", "--positions", "-"),
        // Nobody reads on once the link is ready.
        script: #"{ "$@"; echo $? >&2; } | grep -m1 '"state":"ready"'"#
      )
      _ = try await serve.next("link", state: "ready")
      let pipe = serve.program
      let talking = Task {
        while !Task.isCancelled {
          pipe.write("nonsense\n")
          try await Task.sleep(for: .milliseconds(50))
        }
      }
      let errors = try await serve.result().errors
      talking.cancel()
      _ = await talking.result
      #expect(errors == "0\n")
      #expect(try await mock.terminate().writes().contains(CourtFacts.stop))
    }
  }

  @Test func aFIFOThatIsRemovedIsAnError() async throws {
    try await CommandLineSetup.with { setup in
      let fifo = setup.path("positions")
      #expect(mkfifo(fifo, 0o600) == 0)
      _ = try await setup.mock()
      var serve = try setup.start(serving(setup, "--positions", fifo))
      _ = try await serve.next("start")
      let writer = open(fifo, O_WRONLY)
      #expect(write(writer, "nonsense\n", 9) == 9)
      _ = try await serve.next("feed", state: "badLine")
      #expect(unlink(fifo) == 0)
      close(writer)
      let (code, events, errors) = try await serve.result()
      #expect(code == 74 && errors.contains("can't open \(fifo)"))
      #expect(events.suffix(2).map(\.event) == ["summary", "error"])
    }
  }

  private func serving(_ setup: CommandLineSetup, _ options: String...) -> [String] {
    ["serve", "--json", "--bus", setup.address, "--countdown", "0"] + options
  }

  /// A box may start the bridge before its bus.
  @Test(.mockOnly("the box needs its bus")) func theSystemBusMayComeLater() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      var serve = try setup.start(
        ["serve", "--json"],
        script: #"DBUS_SYSTEM_BUS_ADDRESS=unix:path=$BALLMACHINE_RUNTIME_DIR/late exec "$@""#
      )
      var status = try await serve.next("link")
      while status.reason == nil { status = try await serve.next("link") }
      #expect(status.reason?.contains("can't be reached") == true)
      let socket = try #require(setup.address.split(separator: "=").dropFirst().first)
      let path = socket.prefix { $0 != "," }
      try #require(symlink(String(path), setup.path("late")) == 0)
      _ = try await serve.next("link", state: "ready")
      #expect(try await serve.terminate().code == 0)
    }
  }

  /// The decisions lie on a grid of 3 s; one that came too late may be left out.
  private func expectGrid(_ dispatches: [ProgramEvent]) throws {
    for (one, next) in zip(dispatches, dispatches.dropFirst()) {
      let gap = try #require(next.t) - #require(one.t)
      let periods = (gap / 3).rounded()
      #expect(periods >= 1 && abs(gap - periods * 3) <= 0.1, "\(gap)")
    }
  }
}
