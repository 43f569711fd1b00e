import BlueZ
import CourtLogic
import DBus
import MachineLink
import MockMachine
import Testing

extension FaultStories {
  /// Connect fails in every way that BlueZ has, once and for ever.
  @Suite(.scriptedBlueZ) struct Refusals {
    private static let name = LinkFixture.machine.string
    private static let known = MockModel(peripherals: [MockPeripheral(isTrusted: true)])
    private static let byAddress = LinkConfiguration(address: BluetoothAddress(name))
    private static let abort = DBusError(
      name: "org.bluez.Error.Failed",
      message: "le-connection-abort-by-local"
    )

    enum Refusal: CaseIterable {
      case plain, withAFlap

      func verb(_ times: MockTimes) -> MockVerb {
        switch self {
        case .plain:
          .fault(machine: Refusals.name, .refuseConnect(Refusals.abort, after: nil), times)
        case .withAFlap: .fault(machine: Refusals.name, .flap, times)
        }
      }

      /// From the call to its failure, in seconds.
      var duration: Double { self == .plain ? 0.3 : 0.6 }
    }

    @Test(arguments: Refusal.allCases)
    func theNextTryComesAfterTheFirstDelay(refusal: Refusal) async throws {
      try await withLinkFixture(
        Self.known,
        Self.byAddress,
        before: { mock in try await mock.perform(refusal.verb(.once)) }
      ) { fixture in
        try await fixture.reaches(.ready)
        let times = await fixture.times(of: "Connect")
        try #require(times.count == 2)
        let delay = times[1] - times[0] - refusal.duration
        // 0.5 s and up to a fifth of jitter; the mock's times are rounded.
        #expect(delay > 0.499 && delay < 0.61)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test(arguments: Refusal.allCases)
    func aMachineThatAlwaysRefusesIsTriedForEverButNotOften(refusal: Refusal) async throws {
      try await withLinkFixture(
        Self.known,
        Self.byAddress,
        before: { mock in try await mock.perform(refusal.verb(.always)) }
      ) { fixture in
        try await fixture.reaches(.backingOff)
        for _ in 1...9 {
          try await fixture.pass(.seconds(100))
          let status = await fixture.link.status
          #expect(status.phase != .ready)
          #expect(status.fault?.reason.contains("le-connection-abort-by-local") == true)
          #expect(status.fault?.remedy != nil)
          #expect(status.failures > 0)
          #expect((status.nextAttempt != nil) == (status.phase == .backingOff))
        }
        try await fixture.checkConnectRate()
        let times = await fixture.times(of: "Connect")
        // Endless: one every 30 to 36 s, with a scan now and then.
        #expect(times.count >= 25 && times.count <= 40, "\(times.count) Connects in 15 minutes")
        #expect(await fixture.calls().count { $0 == "RemoveDevice" } == 1)
        try await fixture.perform(.clearFaults(machine: nil))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    // MARK: What each error calls for

    struct Reaction: Sendable, CustomTestStringConvertible {
      var error: (name: String, message: String)
      /// What the link calls on the machine from the failed Connect to the next one.
      var calls: [String]
      var testDescription: String { "\(error.name): \(error.message)" }
    }

    @Test(arguments: [
      // Somebody's Connect is pending: it is cancelled first.
      Reaction(
        error: ("org.bluez.Error.Failed", "Operation already in progress"),
        calls: ["Connect", "Disconnect", "Connect"]
      ),
      Reaction(
        error: ("org.bluez.Error.InProgress", "In Progress"),
        calls: ["Connect", "Disconnect", "Connect"]
      ),
      // It is over already: there is nothing to put in order.
      Reaction(
        error: ("org.bluez.Error.Failed", "br-connection-canceled"),
        calls: ["Connect", "Connect"]
      ),
      Reaction(
        error: ("org.bluez.Error.Failed", "le-connection-abort-by-local"),
        calls: ["Connect", "Connect"]
      ),
      Reaction(error: ("org.bluez.Error.Failed", "Not paired"), calls: ["Connect", "Connect"]),
    ])
    func everyErrorHasItsOwnReaction(reaction: Reaction) async throws {
      try await withLinkFixture(
        Self.known,
        Self.byAddress,
        before: { mock in
          let error = DBusError(name: reaction.error.name, message: reaction.error.message)
          try await mock.perform(.failMethod("Connect", error, .once))
        }
      ) { fixture in
        let fault = try await fixture.fails("the refusal") {
          if case .connectFailed = $0 { true } else { false }
        }
        #expect(fault.reason.contains(reaction.error.message))
        try await fixture.reaches(.ready)
        #expect(await fixture.calls(on: LinkFixture.machine) == reaction.calls)
      }
    }

    /// BlueZ has no socket for an adapter that is off: nothing to try until it is on.
    @Test(arguments: [
      ("org.bluez.Error.Failed", "Input/output error"),
      ("org.bluez.Error.NotReady", "br-connection-adapter-not-powered"),
    ])
    func anAdapterThatIsOffIsWaitedFor(error: (String, String)) async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        let failure = DBusError(name: error.0, message: error.1)
        try await fixture.perform(.failMethod("Connect", failure, .always))
        try await fixture.perform(.drop(machine: Self.name))
        try await fixture.fails("the refusal") {
          if case .connectFailed(let error) = $0 {
            error.name == failure.name && error.message == failure.message
          } else {
            false
          }
        }
        try await fixture.perform(.power(adapter: "hci0", .off))
        #expect(try await fixture.reaches(.waitingForAdapter).fault == .adapterOff)
        let calls = await fixture.calls().count
        try await fixture.pass(.seconds(100))
        #expect(await fixture.calls().count == calls)
        try await fixture.perform(.clearFaults(machine: nil), .power(adapter: "hci0", .on))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test(arguments: [
      ("org.bluez.Error.InProgress", "Operation already in progress"),
      ("org.bluez.Error.NotReady", "Resource Not Ready"),
      ("org.bluez.Error.Failed", "Failed"),
    ])
    func aScanThatIsRefusedIsTriedAgain(error: (String, String)) async throws {
      try await withLinkFixture(
        before: { mock in
          let error = DBusError(name: error.0, message: error.1)
          try await mock.perform(.failMethod("StartDiscovery", error, .times(2)))
        }
      ) { fixture in
        try await fixture.fails("the refusal") {
          if case .scanFailed = $0 { true } else { false }
        }
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        let scans = await fixture.calls().filter { $0.hasSuffix("Discovery") }
        let inProgress = error.0 == "org.bluez.Error.InProgress"
        // One that is in progress may be ours, from before: it is stopped first.
        let refused = inProgress ? ["StartDiscovery", "StopDiscovery"] : ["StartDiscovery"]
        #expect(scans == refused + refused + ["StartDiscovery", "StopDiscovery"])
      }
    }

    @Test func successWithoutALinkIsNeverReady() async throws {
      try await withLinkFixture(
        before: { mock in
          try await mock.perform(.fault(machine: Self.name, .connectWithoutLink, .times(5)))
        }
      ) { fixture in
        for _ in 1...5 { try await fixture.fails("the lie") { $0 == .connectedWithoutLink } }
        #expect(await !fixture.hasBeen(.ready))
        try await fixture.reaches(.ready)
        let calls = await fixture.calls(on: LinkFixture.machine).filter { $0 != "Set Trusted" }
        // What may become a link yet is closed before the next try.
        #expect(calls.prefix(4) == ["Connect", "Disconnect", "Connect", "Disconnect"])
        #expect(calls.count { $0 == "Connect" } == 6)
        #expect(try await fixture.send(1) == .delivered)
        try await fixture.checkConnectRate()
      }
    }

    // MARK: Connect that is not answered

    @Test func theAnswerOfDisconnectIsAwaitedBeforeTheNextTry() async throws {
      try await withLinkFixture(
        before: { mock in
          try await mock.perform(.fault(machine: Self.name, .connectWithoutReply, .once))
          try await mock.perform(.delayMethod("Disconnect", .seconds(3)))
        }
      ) { fixture in
        try await fixture.reaches(.ready)
        let connects = await fixture.times(of: "Connect")
        let disconnects = await fixture.times(of: "Disconnect")
        try #require(connects.count == 2 && disconnects.count == 1)
        #expect(disconnects[0] - connects[0] > 44.9 && disconnects[0] - connects[0] < 45.1)
        #expect(connects[1] - disconnects[0] > 3)
        try await fixture.perform(.delayMethod("Disconnect", .zero))
      }
    }

    @Test func aDisconnectThatIsNotAnsweredEitherIsGivenUp() async throws {
      try await withLinkFixture(
        Self.known,
        Self.byAddress,
        before: { mock in
          try await mock.perform(.fault(machine: Self.name, .connectWithoutReply, .once))
          try await mock.perform(.hangMethod("Disconnect", .once))
        }
      ) { fixture in
        try await fixture.reaches(.ready)
        let connects = await fixture.times(of: "Connect")
        let disconnects = await fixture.times(of: "Disconnect")
        // BlueZ goes on with the first one, and says so; then it is cancelled indeed.
        try #require(connects.count == 3 && disconnects.count == 2)
        #expect(abs(connects[1] - disconnects[0] - 5) < 0.1)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test func aDeviceThatAnotherProgramRemovesDuringConnectIsFoundAgain() async throws {
      try await withLinkFixture(
        before: { mock in
          try await mock.perform(.fault(machine: Self.name, .connectWithoutReply, .once))
        }
      ) { fixture in
        try await fixture.called("Connect")
        try await fixture.callAsAnotherProgram(
          "RemoveDevice",
          of: "org.bluez.Adapter1",
          on: "/org/bluez/hci0",
          [.objectPath(try ObjectPath("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"))]
        )
        try await fixture.fails("the loss") { [.machineGone, .machineDropped].contains($0) }
        try await fixture.reaches(.discovering)
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    /// BlueZ gives an absent machine 41.3 s; that is the best way to wait for it.
    @Test func aPendingConnectIsTheWaitForAnAbsentMachine() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.vanish(machine: Self.name))
        let first = await fixture.calls().count
        try await fixture.fails("the loss") { $0.isLinkLost }
        try await fixture.pass(.seconds(195))
        let calls = await fixture.calls().dropFirst(first)
        // Nothing is given up before its time, and a scan goes before every second try.
        #expect(
          calls == [
            "Connect", "Connect", "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery",
            "Connect", "Connect", "SetDiscoveryFilter", "StartDiscovery",
          ]
        )
        let connects = await fixture.times(of: "Connect").dropFirst()
        let scans = await fixture.times(of: "StartDiscovery").dropFirst()
        try #require(connects.count == 4 && scans.count == 2)
        #expect(abs(connects[2] - connects[1] - 41.3) < 0.05)
        #expect(abs(scans[1] - connects[2] - 41.3) < 0.05)
        #expect(connects[3] - scans[1] >= 20 && connects[3] - scans[1] < 20.2)
      }
    }

    // MARK: Objects that vanish before Connect

    @Test(arguments: ["StopDiscovery", "Set"])
    func aDeviceThatVanishesBetweenScanAndConnectIsFoundAgain(method: String) async throws {
      try await withLinkFixture(
        before: { mock in try await mock.perform(.delayMethod(method, .seconds(1))) }
      ) { fixture in
        try await fixture.called(method == "Set" ? "Set Trusted" : method)
        try await fixture.perform(
          .vanish(machine: Self.name),
          .removeObject(machine: Self.name)
        )
        try await fixture.fails("the loss") { [.machineGone, .machineDropped].contains($0) }
        try await fixture.perform(.delayMethod(method, .zero))
        try await fixture.reaches(.discovering)
        try await fixture.perform(.appear(machine: Self.name))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls().count { $0 == "Connect" } == 1)
      }
    }
  }
}
