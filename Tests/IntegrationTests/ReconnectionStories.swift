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
    private static let name = LinkBench.machine.string

    @Test(.core, arguments: [3, 10])
    func aMachineThatDropsManyTimesIsBackAsOften(count: Int) async throws {
      if count > 3 { try longOnRealStack() }
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        for number in 1...count {
          try await bench.pass(.seconds(3))
          #expect(try await bench.send(number) == .delivered)
          try await bench.perform(.drop(machine: Self.name))
          try await bench.reaches(.ready)
        }
        #expect(await bench.received() == (1...count).map { LinkBench.ball($0).digits })
        try await bench.checkConnectRate()
        // A known machine is connected to, never scanned for.
        #expect(await bench.calls().count { $0 == "StartDiscovery" } == 1)
      }
    }

    /// On an emulated processor a second is no measure: there the machine's first link is one.
    @Test func aDropIsMendedWithinASecond() async throws {
      try await withLinkBench { bench in
        let start = bench.now
        let ready = try await bench.reaches(.ready).since
        let loss = bench.now
        try await bench.perform(.drop(machine: Self.name))
        let back = try await bench.reaches(.ready).since
        let limit = Stages.isReal ? start.duration(to: ready) : .seconds(1)
        #expect(loss.duration(to: back) < limit)
      }
    }

    @Test(arguments: [10, 60, 300])
    func aMachineThatWasOffIsBackSoonAfterItIsOn(seconds: Int) async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.vanish(machine: Self.name))
        try await bench.fails("the loss") { $0 == .linkLost }
        try await bench.pass(.seconds(seconds))
        try await bench.checkConnectRate()
        let appearance = bench.now
        try await bench.perform(.appear(machine: Self.name))
        let back = try await bench.reaches(.ready).since
        // In a scan it is heard as well; stopping that and connecting take their time.
        #expect(appearance.duration(to: back) < .seconds(25))
        #expect(try await bench.send(1) == .delivered)
      }
    }

    /// BlueZ replaces the advertised name by the one that the machine tells when it is connected.
    @Test func aMachineThatChangesItsNameIsStillOurs() async throws {
      var machine = MockPeripheral(name: "Court 7", advertisedUUIDs: [])
      machine.gapName = "ESP32"
      try await withLinkBench(
        MockWorld(peripherals: [machine]),
        LinkConfiguration(name: "Court 7")
      ) { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.drop(machine: Self.name))
        #expect(try await bench.reaches(.ready).machineName == "ESP32")
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test func aNewAddressIsAcceptedByConfiguredName() async throws {
      let configuration = LinkConfiguration(name: "BallMachine")
      try await withLinkBench(.oneMachine, configuration) { bench in
        try await bench.reaches(.ready)
        let new: MockAddress = "F0:F1:F2:F3:F4:99"
        try await bench.perform(.newAddress(machine: Self.name, new))
        let status = try await bench.reaches(.ready)
        #expect(status.machine == BluetoothAddress(new.string))
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.received(by: new) == [LinkBench.ball(1).digits])
      }
    }

    /// A starting bluetoothd tells its adapter, and after that what it knows from earlier.
    @Test func theOldAddressThatBlueZHasKeptIsNoSecondMachine() async throws {
      try await withLinkBench(
        MockWorld(peripherals: [MockPeripheral(isTrusted: true)]),
        LinkConfiguration(name: "BallMachine"),
        before: { stage in try await stage.perform(.down) }
      ) { bench in
        let new: MockAddress = "F0:F1:F2:F3:F4:99"
        try await bench.perform(.newAddress(machine: Self.name, new), .up)
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.received(by: new) == [LinkBench.ball(1).digits])
        #expect(await bench.calls(on: LinkBench.machine) == [])
      }
    }

    @Test(
      arguments: [
        LinkConfiguration(), LinkConfiguration(address: BluetoothAddress("F0:F1:F2:F3:F4:F5")),
      ]
    )
    func aNewAddressIsNotAcceptedWithoutAName(configuration: LinkConfiguration) async throws {
      try await withLinkBench(.oneMachine, configuration) { bench in
        try await bench.reaches(.ready)
        let new: MockAddress = "F0:F1:F2:F3:F4:99"
        try await bench.perform(.newAddress(machine: Self.name, new))
        try await bench.linger(.seconds(150))
        #expect(await bench.calls(on: new) == [])
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
      try await withLinkBench(
        MockWorld(peripherals: [machine]),
        configuration,
        before: { stage in
          try await stage.perform(
            .refuseConnect(machine: Self.name, Self.abort, after: nil, .times(times))
          )
        }
      ) { bench in
        let fault = try await bench.fails("the refusal") {
          if case .connectFailed = $0 { true } else { false }
        }
        #expect(fault.reason.contains("le-connection-abort-by-local"))
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        let calls = await bench.calls()
        #expect(calls.count { $0 == "Connect" } == times + 1)
        // BlueZ is made to forget the device once, after many failures.
        #expect(calls.count { $0 == "RemoveDevice" } == (times >= 6 ? 1 : 0))
        try await bench.checkConnectRate()
      }
    }

    @Test(.scriptedBlueZ) func aPairedMachineIsNeverForgotten() async throws {
      let machine = MockPeripheral(isPaired: true)
      try await withLinkBench(
        MockWorld(peripherals: [machine]),
        LinkConfiguration(address: BluetoothAddress(Self.name)),
        before: { stage in
          try await stage.perform(
            .refuseConnect(machine: Self.name, Self.abort, after: nil, .times(10))
          )
        }
      ) { bench in
        try await bench.reaches(.ready)
        #expect(await !bench.calls().contains("RemoveDevice"))
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
      try await withLinkBench(
        before: { stage in
          let error = DBusError(name: error.0, message: error.1)
          try await stage.perform(.failMethod("Connect", error, .times(2)))
        }
      ) { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.calls().count { $0 == "Connect" } == 3)
      }
    }

    @Test(.scriptedBlueZ) func aConnectThatSucceedsWithoutALinkIsNotBelieved() async throws {
      try await withLinkBench(
        before: { stage in
          try await stage.perform(.connectWithoutLink(machine: Self.name, .times(2)))
        }
      ) { bench in
        try await bench.fails("the lie") { $0 == .connectedWithoutLink }
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test(.scriptedBlueZ) func aConnectThatIsNeverAnsweredIsCancelledAndTriedAgain() async throws {
      try await withLinkBench(
        before: { stage in
          try await stage.perform(.connectWithoutReply(machine: Self.name, .once))
        }
      ) { bench in
        try await bench.called("Connect")
        let start = bench.now
        let fault = try await bench.fails("the deadline") { $0 == .connectTimedOut }
        #expect(fault.remedy != nil)
        #expect(start.duration(to: bench.now) >= .seconds(44))
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(
          await bench.calls(on: LinkBench.machine) == [
            "Set Trusted", "Connect", "Disconnect", "Connect", "WriteValue",
          ]
        )
      }
    }

    @Test(.scriptedBlueZ) func aLinkWhoseSignalNeverComesIsSeenAllTheSame() async throws {
      try await withLinkBench(
        before: { stage in
          try await stage.perform(.omitConnectedSignal(machine: Self.name, .once))
        }
      ) { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.calls().count { $0 == "Connect" } == 1)
      }
    }

    @Test(.scriptedBlueZ) func aDropAndReturnInOneSignalEndsTheSession() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.coalesceDrop(machine: Self.name))
        try await bench.fails("the loss") { $0 == .linkLost }
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test(arguments: [MockDropStage.connecting, .resolving])
    func aLinkThatFallsWhileItIsSetUpIsTriedAgain(moment: MockDropStage) async throws {
      if moment == .connecting { try mockOnly("Linux 6.1 does not survive it") }
      try await withLinkBench(
        before: { stage in
          try await stage.perform(.dropAt(machine: Self.name, moment, .times(3)))
        }
      ) { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.calls().count { $0 == "Connect" } == 4)
        try await bench.checkConnectRate()
      }
    }

    @Test(.scriptedBlueZ) func aFlappingLinkIsTriedAgain() async throws {
      try await withLinkBench(
        before: { stage in
          try await stage.perform(.flap(machine: Self.name, .times(3)))
        }
      ) { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.calls().count { $0 == "Connect" } == 4)
      }
    }

    @Test(.scriptedBlueZ) func servicesThatFailToResolveAreTriedAgain() async throws {
      try await withLinkBench(
        before: { stage in
          try await stage.perform(.resolveFails(machine: Self.name, .times(2)))
        }
      ) { bench in
        try await bench.fails("no services") {
          if case .noUsableCharacteristic = $0 { true } else { false }
        }
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.calls().count { $0 == "RemoveDevice" } == 1)
      }
    }

    @Test func servicesThatNeverResolveAreGivenUpAfterTheirDeadline() async throws {
      try await withLinkBench(
        before: { stage in
          try await stage.perform(.resolveHangs(machine: Self.name, .once))
        }
      ) { bench in
        try await bench.fails("the deadline") { $0 == .servicesNotResolved }
        try await bench.called("Disconnect")
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    /// BlueZ keeps the objects of the machine's former firmware.
    @Test func aStaleGATTCacheIsForgotten() async throws {
      let configuration = LinkConfiguration(address: BluetoothAddress(Self.name))
      try await withLinkBench(.oneMachine, configuration) { bench in
        try await bench.reaches(.ready)
        try await bench.perform(
          .changeTable(machine: Self.name, .empty, silently: false)
        )
        try await bench.fails("nothing to write to") {
          if case .noUsableCharacteristic = $0 { true } else { false }
        }
        try await bench.perform(.changeTable(machine: Self.name, .aiThinker, silently: true))
        try await bench.perform(.vanish(machine: Self.name), .appear(machine: Self.name))
        #expect(try await bench.reaches(.ready).profile == "ai-thinker")
        #expect(try await bench.send(1) == .delivered)
      }
    }

    // MARK: Objects that vanish

    @Test func aDeviceObjectThatVanishesWhileReadyIsFoundAnew() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.removeObject(machine: Self.name))
        try await bench.reaches(.discovering)
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test(.scriptedBlueZ) func aDeviceObjectThatVanishesDuringConnectIsFoundAnew() async throws {
      try await withLinkBench(
        before: { stage in
          try await stage.perform(.connectWithoutReply(machine: Self.name, .once))
        }
      ) { bench in
        try await bench.called("Connect")
        try await bench.perform(.removeObject(machine: Self.name))
        try await bench.fails("the loss") { $0 == .machineGone }
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }
  }
}
