import Glibc
import TestSupport
import Testing

/// What the author of a detector sees of its feed while a `serve` runs.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineFeedTests {
  /// A tracker that sees the player, whose lines have the wall clock's time, and a coach behind.
  private func tracker(_ feeder: SocketFeeder) -> Ticker {
    Ticker { _ in
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      let seconds = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
      feeder.writeNow(
        """
        {"x": 4.1, "y": 9.8, "id": "7", "t": \(seconds)}
        {"x": 4.1, "y": 15.5, "id": "coach", "t": 12.5}

        """
      )
    }
  }

  @Test func eachSourceIsToldAndWhatHoldsBallsBack() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      var watch = try setup.start(["watch", "--feed", "--json"])
      #expect(try await watch.next("feeders").feeders?.isEmpty == true)

      let feeder = try SocketFeeder(setup.path("positions.sock"))
      feeder.writeNow(#"{"y": 3}"# + "\n")
      let ticker = tracker(feeder)
      #expect(try await setup.safety("arm", "--countdown", "0.2").state == "countdown")
      var record = try await watch.next("feeders")
      while record.feeders?.first?.sources.first?.perSecond == nil || record.safety?.state != "live"
      {
        record = try await watch.next("feeders")
      }
      let told = try #require(record.feeders?.first)
      #expect(record.feeders?.count == 1 && told.connection == "client 1" && told.badLines == 1)
      #expect(told.sources.map(\.id) == ["7", "coach"])
      #expect(told.sources.map(\.followed) == [true, false])
      #expect(told.sources.map(\.zone) == ["3-1", nil])
      #expect(told.sources.map(\.stamp) == ["wallClock", "other"])
      #expect(told.sources.allSatisfy { $0.perSecond ?? 0 > 0 })
      #expect(told.sources[0].delay ?? -1 >= 0 && told.sources[1].delay == nil)

      let plain = try setup.start(["watch", "--feed"])
      var lines = plain.program.lines.makeAsyncIterator()
      let line = try #require(await lines.next(isolation: #isolation))
      #expect(line.contains("client 1, id 7  x 4.10 y 9.80  zone 3-1  "), "\(line)")
      #expect(line.contains("1 other, not followed  refused: 1 line, the last "), "\(line)")
      #expect(line.hasSuffix(#"client 1, line 1 “{"y": 3}”: “x” is missing"#), "\(line)")

      ticker.cancel()
      while record.safety?.holds?.contains(where: { $0.code == "notSeen" }) != true
        || record.feeders?.first?.sources.contains(where: \.followed) == true
      {
        record = try await watch.next("feeders")
      }
      feeder.close()
      while record.feeders?.isEmpty != true { record = try await watch.next("feeders") }
      #expect(try await setup.safety("disarm").state == "disarmed")
      #expect(try await serve.terminate().code == 0)
      #expect(await watch.ending().code == 75)
      _ = try await mock.terminate()
    }
  }

  @Test func onATerminalItIsATableWithTheStopKey() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      let desk = try Terminal(on: setup)
      try await desk.types("ballmachine watch --feed")
      try await desk.sees(
        "Position feed",
        "no feeder is connected",
        " STOP  space or s    q leaves"
      )
      let feeder = try SocketFeeder(setup.path("positions.sock"))
      let ticker = tracker(feeder)
      try await desk.sees(
        "● client 1, id 7",
        "4.10   9.80  3-1  ",
        "  client 1, id coach",
        "out of court"
      )
      try await desk.sees(
        "Latency",
        " ms, at most ",
        "Others    1 other, not followed",
        "Arming    disarmed"
      )
      desk.presses("s")
      _ = try await serve.next("safety", state: "stopped")
      try await desk.sees("stop  the machine has acknowledged", "Arming    stopped")
      desk.presses("q")
      try await desk.types("exit")
      ticker.cancel()
      #expect(try await serve.terminate().code == 0)
      _ = try await mock.terminate()
    }
  }
}
