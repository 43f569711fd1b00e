import BlueZ
import Clocks
import CourtLogic
import DBus
import Host
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// The link can be ended at any time: within 6 s, with everything put in order.
  @Suite struct Ends {
    private static let name = LinkBench.machine.string

    /// Ends the link and checks the laws of that. What is left behind every bench checks itself.
    private func end(_ bench: LinkBench) async throws {
      let start = bench.now
      try await bench.end()
      #expect(start.duration(to: bench.now) <= .seconds(6))
      #expect(await bench.link.status.phase == .ended)
      #expect(try await bench.send(900) == .notSent(.ended))
      #expect(try await bench.sendStop() == .notSent(.ended))
      // Again, at once.
      try await bench.end()
      // The last events travel for a moment.
      try await bench.pass(.seconds(1))
      let calls = await bench.calls().count
      try await bench.linger(.seconds(30))
      #expect(await bench.calls().count == calls, "calls after the end")
    }

    @Test func beforeAnything() async throws {
      try await withLinkBench { bench in try await end(bench) }
    }

    @Test func whileWaitingForBlueZ() async throws {
      try await withLinkBench(
        before: { stage in try await stage.perform(.down) }
      ) { bench in
        try await bench.fails("its absence") { $0 == .serviceAbsent }
        try await end(bench)
      }
    }

    @Test func whileWaitingForAnAdapter() async throws {
      try await withLinkBench(MockWorld(adapters: [])) { bench in
        try await bench.reaches(.waitingForAdapter)
        try await end(bench)
      }
    }

    /// At every instant of the scan's life: starting, scanning, settling, stopping.
    @Test(arguments: stride(from: 0, through: 2500, by: 10).filter { $0 < 60 || $0 % 500 < 20 })
    func whileDiscovering(milliseconds: Int) async throws {
      if milliseconds % 1000 > 0 { try longOnRealStack() }
      try await withLinkBench { bench in
        try await bench.called("StartDiscovery")
        try await bench.pass(.milliseconds(milliseconds))
        try await end(bench)
      }
    }

    @Test func aScanIsStoppedByItsOwner() async throws {
      let world = MockWorld(peripherals: [MockPeripheral(isAdvertising: false)])
      try await withLinkBench(world) { bench in
        try await bench.happens("the scan") {
          if case .discoveryStarted = $0 { true } else { false }
        }
        try await bench.pass(.seconds(5))
        try await end(bench)
        #expect(await bench.calls().last == "StopDiscovery")
      }
    }

    @Test func whileConnecting() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.vanish(machine: Self.name))
        try await bench.reaches(.connecting)
        try await bench.pass(.seconds(10))
        try await end(bench)
        #expect(await bench.calls().last == "Disconnect")
        // Nobody connects to it when it is back.
        try await bench.perform(.appear(machine: Self.name))
        try await bench.linger(.seconds(60))
        #expect(await bench.events.entries.count { $0.kind.isConnection } == 1)
      }
    }

    @Test func whileResolving() async throws {
      try await withLinkBench(
        before: { stage in
          try await stage.perform(.resolveHangs(machine: Self.name, .always))
        }
      ) { bench in
        try await bench.reaches(.resolving)
        try await end(bench)
        #expect(await bench.calls().last == "Disconnect")
      }
    }

    @Test func whileReady() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        try await end(bench)
        #expect(await bench.calls().last == "Disconnect")
      }
    }

    @Test func whileAWriteIsUnderWay() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        async let ball = bench.send(1)
        try await bench.called("WriteValue")
        try await end(bench)
        #expect(try await ball == .delivered)
      }
    }

    @Test func whileAWriteHangs() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.hangWrites(machine: Self.name, lost: false, .once))
        async let ball = bench.send(1)
        try await bench.called("WriteValue")
        try await end(bench)
        #expect(try await ball == .unknown(.ended))
        #expect(await bench.received() == [LinkBench.ball(1).digits])
      }
    }

    @Test func whileACommandWaits() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        try await bench.pass(.milliseconds(2600))
        async let waiting = bench.send(2)
        try await bench.pass(.milliseconds(50))
        try await end(bench)
        #expect(try await waiting == .notSent(.ended))
      }
    }

    @Test(.scriptedBlueZ) func whileBackingOff() async throws {
      let refusal = DBusError(
        name: "org.bluez.Error.Failed",
        message: "le-connection-abort-by-local"
      )
      try await withLinkBench(
        before: { stage in try await stage.perform(.failMethod("Connect", refusal, .always)) }
      ) { bench in
        for _ in 1...5 { try await bench.reaches(.backingOff) }
        try await end(bench)
      }
    }

    @Test(
      .scriptedBlueZ,
      arguments: ["Connect", "Disconnect", "StopDiscovery", "StartDiscovery", "Set"]
    )
    func thoughBlueZDoesNotAnswer(method: String) async throws {
      try await withLinkBench(
        leavesTraces: true,
        before: { stage in try await stage.perform(.hangMethod(method, .always)) }
      ) { bench in
        if method == "Disconnect" {
          try await bench.reaches(.ready)
        } else {
          try await bench.happens(method) {
            $0.isCall(of: method == "Set" ? "Set Trusted" : method)
          }
        }
        try await end(bench)
      }
    }

    @Test func whenTheTaskIsCancelled() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        let other = BallMachineLink(
          configuration: LinkConfiguration(),
          central: BlueZCentral(bus: bench.stage.bus),
          clock: bench.stage.clock
        )
        let run = Task { await other.run() }
        #expect(try await limited("the second link") { await other.waitUntilReady() })
        run.cancel()
        try await limited("its end") { await run.value }
        #expect(await other.status.phase == .ended)
      }
    }
  }
}

extension MockEvent.Kind {
  var isConnection: Bool { if case .connected = self { true } else { false } }
}
