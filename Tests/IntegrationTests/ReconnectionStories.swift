import BlueZ
import Clocks
import CourtLogic
import DBus
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// Losing the machine, and connections that fail in all the ways that BlueZ knows.
  @Suite struct Reconnection {
    private static let name = LinkFixture.machine.string

    @Test(.core, arguments: [3, 10])
    func aMachineThatDropsManyTimesIsBackAsOften(count: Int) async throws {
      if count > 3 { try longOnRealStack() }
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        for number in 1...count {
          try await fixture.pass(.seconds(3))
          #expect(try await fixture.send(number) == .delivered)
          try await fixture.perform(.drop(machine: Self.name))
          try await fixture.reaches(.ready)
        }
        #expect(await fixture.received() == (1...count).map { LinkFixture.ball($0).text })
        try await fixture.checkConnectRate()
        // A known machine is connected to, never scanned for.
        #expect(await fixture.calls().count { $0 == "StartDiscovery" } == 1)
      }
    }

    /// On an emulated processor a second is no measure: there the machine's first link is one.
    @Test func aDropIsMendedWithinASecond() async throws {
      try await withLinkFixture { fixture in
        let start = fixture.now
        let ready = try await fixture.reaches(.ready).since
        let loss = fixture.now
        try await fixture.perform(.drop(machine: Self.name))
        let back = try await fixture.reaches(.ready).since
        let limit = Setups.isReal ? start.duration(to: ready) : .seconds(1)
        #expect(loss.duration(to: back) < limit)
      }
    }

    @Test(arguments: [10, 60, 300])
    func aMachineThatWasOffIsBackSoonAfterItIsOn(seconds: Int) async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.vanish(machine: Self.name))
        try await fixture.fails("the loss") { $0.isLinkLost }
        try await fixture.pass(.seconds(seconds))
        try await fixture.checkConnectRate()
        let appearance = fixture.now
        try await fixture.perform(.appear(machine: Self.name))
        let back = try await fixture.reaches(.ready).since
        // In a scan it is heard as well; stopping that and connecting take their time.
        #expect(appearance.duration(to: back) < .seconds(25))
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    /// BlueZ replaces the advertised name by the one that the machine tells when it is connected.
    @Test func aMachineThatChangesItsNameIsStillOurs() async throws {
      var machine = MockPeripheral(name: "Court 7", advertisedUUIDs: [])
      machine.gapName = "ESP32"
      try await withLinkFixture(
        MockModel(peripherals: [machine]),
        LinkConfiguration(name: "Court 7")
      ) { fixture in
        try await fixture.reaches(.ready)
        // BlueZ may read it after the services, and 5.87 shows the advertised one again with the next link.
        try await fixture.statuses.next("the machine's own name") { $0.machineName == "ESP32" }
        try await fixture.perform(.drop(machine: Self.name))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test func aNewAddressIsAcceptedByConfiguredName() async throws {
      let configuration = LinkConfiguration(name: "BallMachine")
      try await withLinkFixture(.oneMachine, configuration) { fixture in
        try await fixture.reaches(.ready)
        let new: MockAddress = "F0:F1:F2:F3:F4:99"
        try await fixture.perform(.newAddress(machine: Self.name, new))
        let status = try await fixture.reaches(.ready)
        #expect(status.machine == BluetoothAddress(new.string))
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.received(by: new) == [LinkFixture.ball(1).text])
      }
    }

    /// A starting bluetoothd tells its adapter, and after that what it knows from earlier.
    @Test func theOldAddressThatBlueZHasKeptIsNoSecondMachine() async throws {
      try await withLinkFixture(
        MockModel(peripherals: [MockPeripheral(isTrusted: true)]),
        LinkConfiguration(name: "BallMachine"),
        before: { setup in try await setup.perform(.down) }
      ) { fixture in
        let new: MockAddress = "F0:F1:F2:F3:F4:99"
        try await fixture.perform(.newAddress(machine: Self.name, new), .up)
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.received(by: new) == [LinkFixture.ball(1).text])
        #expect(await fixture.calls(on: LinkFixture.machine) == [])
      }
    }

    @Test(
      arguments: [
        LinkConfiguration(), LinkConfiguration(address: BluetoothAddress("F0:F1:F2:F3:F4:F5")),
      ]
    )
    func aNewAddressIsNotAcceptedWithoutAName(configuration: LinkConfiguration) async throws {
      try await withLinkFixture(.oneMachine, configuration) { fixture in
        try await fixture.reaches(.ready)
        // Only a good link is remembered.
        #expect(try await fixture.send(1) == .delivered)
        let new: MockAddress = "F0:F1:F2:F3:F4:99"
        try await fixture.perform(.newAddress(machine: Self.name, new))
        try await fixture.linger(.seconds(150))
        #expect(await fixture.calls(on: new) == [])
      }
    }

    // MARK: Connections that fail

    private static let abort = DBusError(
      name: "org.bluez.Error.Failed",
      message: "le-connection-abort-by-local"
    )

    @Test(.scriptedBlueZ, arguments: [1, 3, 5, 8, 12])
    func aMachineThatRefusesIsTriedAgainWithDelays(times: Int) async throws {
      let machine = MockPeripheral(isTrusted: true)
      let configuration = LinkConfiguration(address: BluetoothAddress(Self.name))
      try await withLinkFixture(
        MockModel(peripherals: [machine]),
        configuration,
        before: { setup in
          try await setup.perform(
            .fault(machine: Self.name, .refuseConnect(Self.abort, after: nil), .times(times))
          )
        }
      ) { fixture in
        let fault = try await fixture.fails("the refusal") {
          if case .connectFailed = $0 { true } else { false }
        }
        #expect(fault.reason.contains("le-connection-abort-by-local"))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        let calls = await fixture.calls()
        #expect(calls.count { $0 == "Connect" } == times + 1)
        // BlueZ is made to forget the device once, after many failures.
        #expect(calls.count { $0 == "RemoveDevice" } == (times >= 6 ? 1 : 0))
        try await fixture.checkConnectRate()
      }
    }

    @Test(.scriptedBlueZ) func aPairedMachineIsNeverForgotten() async throws {
      let machine = MockPeripheral(isPaired: true)
      try await withLinkFixture(
        MockModel(peripherals: [machine]),
        LinkConfiguration(address: BluetoothAddress(Self.name)),
        before: { setup in
          try await setup.perform(
            .fault(machine: Self.name, .refuseConnect(Self.abort, after: nil), .times(10))
          )
        }
      ) { fixture in
        try await fixture.reaches(.ready)
        #expect(await !fixture.calls().contains("RemoveDevice"))
      }
    }

    @Test(
      .scriptedBlueZ,
      arguments: [
        ("org.bluez.Error.Failed", "br-connection-canceled"),
        ("org.bluez.Error.Failed", "Operation already in progress"),
        ("org.bluez.Error.InProgress", "In Progress"),
        ("org.bluez.Error.Failed", "Input/output error"),
        ("org.bluez.Error.NotReady", "br-connection-adapter-not-powered"),
        ("org.bluez.Error.AlreadyConnected", "Already Connected"),
        ("org.freedesktop.DBus.Error.NoReply", "Message recipient disconnected from message bus"),
        ("org.freedesktop.DBus.Error.UnknownObject", "Method \"Connect\" doesn't exist\n"),
        ("org.example.Error.Unheard", "of"),
      ]
    )
    func whateverConnectFailsWithItIsTriedAgain(error: (String, String)) async throws {
      try await withLinkFixture(
        before: { setup in
          let error = DBusError(name: error.0, message: error.1)
          try await setup.perform(.failMethod("Connect", error, .times(2)))
        }
      ) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls().count { $0 == "Connect" } == 3)
      }
    }

    @Test(.scriptedBlueZ) func aConnectThatSucceedsWithoutALinkIsNotBelieved() async throws {
      try await withLinkFixture(
        before: { setup in
          try await setup.perform(.fault(machine: Self.name, .connectWithoutLink, .times(2)))
        }
      ) { fixture in
        try await fixture.fails("the lie") { $0 == .connectedWithoutLink }
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test(.scriptedBlueZ) func aConnectThatIsNeverAnsweredIsCancelledAndTriedAgain() async throws {
      try await withLinkFixture(
        before: { setup in
          try await setup.perform(.fault(machine: Self.name, .connectWithoutReply, .once))
        }
      ) { fixture in
        try await fixture.called("Connect")
        let start = fixture.now
        let fault = try await fixture.fails("the deadline") { $0 == .connectTimedOut }
        #expect(fault.remedy != nil)
        #expect(start.duration(to: fixture.now) >= .seconds(44))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(
          await fixture.calls(on: LinkFixture.machine) == [
            "Set Trusted", "Connect", "Disconnect", "Connect", "WriteValue",
          ]
        )
      }
    }

    @Test(.scriptedBlueZ) func aLinkWhoseSignalNeverComesIsSeenAllTheSame() async throws {
      try await withLinkFixture(
        before: { setup in
          try await setup.perform(.fault(machine: Self.name, .omitConnectedSignal, .once))
        }
      ) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls().count { $0 == "Connect" } == 1)
      }
    }

    @Test(.scriptedBlueZ) func aDropAndReturnInOneSignalEndsTheConnection() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.coalesceDrop(machine: Self.name))
        try await fixture.fails("the loss") { $0.isLinkLost }
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test(arguments: [MockDropMoment.connecting, .resolving])
    func aLinkThatFallsWhileItIsSetUpIsTriedAgain(moment: MockDropMoment) async throws {
      if moment == .connecting { try mockOnly("Linux 6.1 does not survive it") }
      try await withLinkFixture(
        before: { setup in
          try await setup.perform(.fault(machine: Self.name, .drop(moment), .times(3)))
        }
      ) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls().count { $0 == "Connect" } == 4)
        try await fixture.checkConnectRate()
      }
    }

    @Test(.scriptedBlueZ) func aFlappingLinkIsTriedAgain() async throws {
      try await withLinkFixture(
        before: { setup in
          try await setup.perform(.fault(machine: Self.name, .flap, .times(3)))
        }
      ) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls().count { $0 == "Connect" } == 4)
      }
    }

    @Test(.scriptedBlueZ) func servicesThatFailToResolveAreTriedAgain() async throws {
      try await withLinkFixture(
        before: { setup in
          try await setup.perform(.fault(machine: Self.name, .resolveFails, .times(2)))
        }
      ) { fixture in
        try await fixture.fails("no services") {
          if case .noUsableCharacteristic = $0 { true } else { false }
        }
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls().count { $0 == "RemoveDevice" } == 1)
      }
    }

    @Test func servicesThatNeverResolveAreGivenUpAfterTheirDeadline() async throws {
      try await withLinkFixture(
        before: { setup in
          try await setup.perform(.fault(machine: Self.name, .resolveHangs, .once))
        }
      ) { fixture in
        try await fixture.fails("the deadline") { $0 == .servicesNotResolved }
        try await fixture.called("Disconnect")
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    /// BlueZ keeps the objects of the machine's former firmware.
    @Test func aStaleGATTCacheIsForgotten() async throws {
      let configuration = LinkConfiguration(address: BluetoothAddress(Self.name))
      try await withLinkFixture(.oneMachine, configuration) { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(
          .changeTable(machine: Self.name, .empty, silently: false)
        )
        try await fixture.fails("nothing to write to") {
          if case .noUsableCharacteristic = $0 { true } else { false }
        }
        try await fixture.perform(
          .changeTable(machine: Self.name, .transparentUART, silently: true)
        )
        try await fixture.perform(.vanish(machine: Self.name), .appear(machine: Self.name))
        #expect(try await fixture.reaches(.ready).profile == "transparent-uart")
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    // MARK: Objects that vanish

    @Test func aDeviceObjectThatVanishesWhileReadyIsFoundAgain() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.removeObject(machine: Self.name))
        try await fixture.reaches(.discovering)
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test(.scriptedBlueZ) func aDeviceObjectThatVanishesDuringConnectIsFoundAgain() async throws {
      try await withLinkFixture(
        before: { setup in
          try await setup.perform(.fault(machine: Self.name, .connectWithoutReply, .once))
        }
      ) { fixture in
        try await fixture.called("Connect")
        try await fixture.perform(.removeObject(machine: Self.name))
        try await fixture.fails("the loss") { $0 == .machineGone }
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }
  }
}
