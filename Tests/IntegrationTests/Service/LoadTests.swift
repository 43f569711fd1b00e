import Clocks
import Glibc
import Host
import MockMachine
import TestSupport
import Testing

extension ServiceTests {
  /// The bridge among more clients than it will ever have, and worse ones.
  @Suite(.mockOnly("the box's processor is emulated"))
  struct LoadTests {
    @Test(
      .onRequest(ServiceTests.decisions > 0),
      .timeLimit(.minutes(3 + ServiceTests.decisions / 10))
    )
    func theCadenceHoldsInACrowd() async throws {
      try await CommandLineSetup.with { setup in
        let mock = try await setup.mock("machine \(CommandLineSetup.machine) flags write")
        // The first who sees somebody is the one who counts.
        let player = StandingPlayer(in: setup.directory)
        player.stand(in: "2-2")
        var serve = try setup.start([
          "serve", "--json", "--bus", setup.address, "--arm", "--countdown", "0",
        ])
        // It begins the grid.
        var decisions = [try await serve.next("dispatch")]
        let crowd = try PositionCrowd(50, rate: 120, in: setup.directory)
        let control = setup.directory + "/control.sock"
        let subscribers = try (1...40).map { _ in try ControlSubscriber(of: control) }
        let deaf = (1...10).map { _ in ControlSubscriber.deaf(of: control) }
        let hostile = [
          HostileClients(of: setup.directory + "/positions.sock"), HostileClients(of: control),
        ]
        let timer = try setup.start(
          ["3", "20"],
          script: #"exec "${1%/*}/BareTimer" "${@:2}""#
        )
        let memory = ProcessMemory(of: serve.program.processID)
        let start = SystemClock().now.seconds

        while decisions.count <= ServiceTests.decisions {
          decisions.append(try await serve.next("dispatch"))
        }
        let duration = SystemClock().now.seconds - start
        let peaks = memory.peaks(in: 3)
        timer.program.send(signal: SIGTERM)
        let told = crowd.count
        crowd.leave()
        for clients in hostile { clients.leave() }
        for client in deaf { client.cancel() }
        let (code, events, errors) = try await serve.terminate()
        player.leave()
        for subscriber in subscribers { await subscriber.isLeftAlone() }

        let bridge = Lateness(ofDecisionsAt: decisions.compactMap(\.t))
        let timers = Lateness.ofTimers(told: await timer.ending().lines)
          .sorted { $0.percentile(99) ?? 0 < $1.percentile(99) ?? 0 }
        // Each was due as often as the bridge: the box is as hard on one of them as on that.
        let bare = try #require(timers.last)
        let rate = Double(told) / duration
        print("load: \(Int(rate)) positions a second, \(hostile.map(\.count)) hostile deeds")
        print("  decisions: \(bridge)")
        print("  the median of \(timers.count) bare timers: \(timers[timers.count / 2])")
        print("  the latest of them: \(bare)")
        print("  memory: at most \(peaks.map { $0 >> 10 }) KiB in each third of the time")

        #expect(code == 0, "\(errors)")
        // It was a load, and it was taken. An unoptimised bridge is busy with less than it is offered:
        // the rest waits in the feeders' sockets.
        #expect(rate > 50 * 120 / 10)
        #expect(events.last?.otherPositions ?? 0 > told / 2)
        #expect(hostile.allSatisfy { $0.count > ServiceTests.decisions })
        #expect(try #require(bridge.percentile(99)) <= 3 * #require(bare.percentile(99)))
        #expect(Double(peaks[2]) <= 1.25 * Double(max(peaks[0], peaks[1])))
        let dispatches = events.named("dispatch")
        // Whoever listened has heard of every decision that was waited for.
        for subscriber in subscribers {
          #expect(subscriber.decisions >= ServiceTests.decisions)
        }
        #expect(dispatches.allSatisfy { $0.outcome == "delivered" && $0.zone == "2-2" })
        let seen = try await mock.terminate()
        #expect(seen.ballWrites() == dispatches.map(\.command))
        #expect(seen.writes().last == CourtFacts.stop)
      }
    }
  }
}
