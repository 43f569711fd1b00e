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
    private static let name = LinkFixture.machine.string

    /// Ends the link and checks the laws of that. What is left behind every fixture checks by itself.
    private func end(_ fixture: LinkFixture) async throws {
      let start = fixture.now
      try await fixture.end()
      #expect(start.duration(to: fixture.now) <= .seconds(6))
      #expect(await fixture.link.status.phase == .ended)
      #expect(try await fixture.send(900) == .notSent(.ended))
      #expect(try await fixture.sendStop() == .notSent(.ended))
      // Again, at once.
      try await fixture.end()
      // The last events travel for a moment.
      try await fixture.pass(.seconds(1))
      let calls = await fixture.calls().count
      try await fixture.linger(.seconds(30))
      #expect(await fixture.calls().count == calls, "calls after the end")
    }

    @Test func beforeAnything() async throws {
      try await withLinkFixture { fixture in try await end(fixture) }
    }

    @Test func whileWaitingForBlueZ() async throws {
      try await withLinkFixture(
        before: { setup in try await setup.perform(.down) }
      ) { fixture in
        try await fixture.fails("its absence") { $0 == .serviceAbsent }
        try await end(fixture)
      }
    }

    @Test func whileWaitingForAnAdapter() async throws {
      try await withLinkFixture(MockModel(adapters: [])) { fixture in
        try await fixture.reaches(.waitingForAdapter)
        try await end(fixture)
      }
    }

    /// At every instant of a scan: starting, scanning, settling, stopping.
    @Test(arguments: stride(from: 0, through: 2500, by: 10).filter { $0 < 60 || $0 % 500 < 20 })
    func whileDiscovering(milliseconds: Int) async throws {
      if milliseconds % 1000 > 0 { try longOnRealStack() }
      try await withLinkFixture { fixture in
        try await fixture.called("StartDiscovery")
        try await fixture.pass(.milliseconds(milliseconds))
        try await end(fixture)
      }
    }

    @Test func aScanIsStoppedByItsOwner() async throws {
      let model = MockModel(peripherals: [MockPeripheral(isAdvertising: false)])
      try await withLinkFixture(model) { fixture in
        try await fixture.happens("the scan") {
          if case .discoveryStarted = $0 { true } else { false }
        }
        try await fixture.pass(.seconds(5))
        try await end(fixture)
        #expect(await fixture.calls().last == "StopDiscovery")
      }
    }

    @Test func whileConnecting() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.vanish(machine: Self.name))
        try await fixture.reaches(.connecting)
        try await fixture.pass(.seconds(10))
        try await end(fixture)
        #expect(await fixture.calls().last == "Disconnect")
        // Nobody connects to it when it is back.
        try await fixture.perform(.appear(machine: Self.name))
        try await fixture.linger(.seconds(60))
        #expect(await fixture.events.entries.count { $0.kind.isConnection } == 1)
      }
    }

    @Test func whileResolving() async throws {
      try await withLinkFixture(
        before: { setup in
          try await setup.perform(.fault(machine: Self.name, .resolveHangs, .always))
        }
      ) { fixture in
        try await fixture.reaches(.resolving)
        try await end(fixture)
        #expect(await fixture.calls().last == "Disconnect")
      }
    }

    @Test func whileReady() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        try await end(fixture)
        #expect(await fixture.calls().last == "Disconnect")
      }
    }

    @Test func whileAWriteIsUnderWay() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        async let ball = fixture.send(1)
        try await fixture.called("WriteValue")
        try await end(fixture)
        #expect(try await ball == .delivered)
      }
    }

    @Test func whileAWriteHangs() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: false), .once))
        async let ball = fixture.send(1)
        try await fixture.called("WriteValue")
        try await end(fixture)
        #expect(try await ball == .unknown(.ended))
        #expect(await fixture.received() == [LinkFixture.ball(1).text])
      }
    }

    @Test func whileACommandWaits() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        let outcome = try await fixture.sendTwo { try await end(fixture) }
        #expect(outcome == .notSent(.ended))
      }
    }

    @Test(.scriptedBlueZ) func whileBackingOff() async throws {
      let refusal = DBusError(
        name: "org.bluez.Error.Failed",
        message: "le-connection-abort-by-local"
      )
      try await withLinkFixture(
        before: { setup in try await setup.perform(.failMethod("Connect", refusal, .always)) }
      ) { fixture in
        for _ in 1...5 { try await fixture.reaches(.backingOff) }
        try await end(fixture)
      }
    }

    @Test(
      .scriptedBlueZ,
      arguments: ["Connect", "Disconnect", "StopDiscovery", "StartDiscovery", "Set"]
    )
    func thoughBlueZDoesNotAnswer(method: String) async throws {
      try await withLinkFixture(
        leavesTraces: true,
        before: { setup in try await setup.perform(.hangMethod(method, .always)) }
      ) { fixture in
        if method == "Disconnect" {
          try await fixture.reaches(.ready)
        } else {
          try await fixture.happens(method) {
            $0.isCall(of: method == "Set" ? "Set Trusted" : method)
          }
        }
        try await end(fixture)
      }
    }

    @Test func whenTheTaskIsCancelled() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        // A machine has one writer.
        try await fixture.end()
        let other = BallMachineLink(
          configuration: LinkConfiguration(address: BluetoothAddress(LinkFixture.machine.string)),
          central: BlueZCentral(bus: fixture.setup.bus),
          clock: fixture.setup.clock
        )
        let run = Task { await other.run() }
        let ready = Task { try await limited("the second link") { await other.waitUntilReady() } }
        try await fixture.pass(.seconds(5))
        #expect(try await ready.value)
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
