import BlueZ
import Bridge
import Configuration
import CourtLogic
import DBus
import Doctor
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// Which device is ours, and how it is found.
  @Suite struct Finding {
    static let address = BluetoothAddress("F0:F1:F2:F3:F4:F5")!
    static let byAddress = LinkConfiguration(address: address)

    @Test(.core) func aMachineIsFoundByItsService() async throws {
      try await withLinkFixture { fixture in
        let status = try await fixture.reaches(.ready)
        #expect(status.machine == Self.address)
        #expect(status.machineName == "BallMachine")
        #expect(status.profile == "ball-machine")
        #expect(status.isSimulated == !Setups.isReal)
        #expect(status.fault == nil)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.received() == [LinkFixture.ball(1).text])
        #expect(await fixture.forms() == [.request])
        // Scanning would disturb the connection: it ends first, and the device object is kept.
        let calls = await fixture.calls()
        #expect(
          calls == [
            "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery", "Set Trusted", "Connect",
            "WriteValue",
          ]
        )
      }
    }

    @Test func aMachineThatAdvertisesOnlyItsNameIsFoundByName() async throws {
      let machine = MockPeripheral(name: "Court 7", advertisedUUIDs: [])
      try await withLinkFixture(
        MockModel(peripherals: [machine]),
        LinkConfiguration(name: "Court 7")
      ) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test func aMachineThatAdvertisesNothingIsFoundByAddress() async throws {
      var machine = MockPeripheral(advertisedUUIDs: [])
      machine.name = nil
      machine.gapName = nil
      try await withLinkFixture(MockModel(peripherals: [machine]), Self.byAddress) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test(
      .core,
      arguments: zip(
        [
          MockProfile.configured, .ballMachine, .aiThinker, .transparentUART, .nordicUART, .hm10,
          .onlyWritable,
        ],
        [
          "configured", "ball-machine", "phy62xx-update", "transparent-uart", "nordic-uart",
          "hm-10",
          "only-writable",
        ]
      )
    )
    func everyProfileWorksOnADeviceThatIsOurs(profile: MockProfile, name: String) async throws {
      var configuration = Self.byAddress
      if profile == .configured {
        let isTaken = configuration.addProfile(
          service: MockUUID.configuredService.string,
          characteristic: MockUUID.configuredCommand.string
        )
        #expect(isTaken)
      }
      // Through an update service only of a machine that a person has adopted.
      if profile == .aiThinker { configuration.adopted = [Self.adopted] }
      try await withLinkFixture(
        MockModel(peripherals: [MockPeripheral(profile: profile)]),
        configuration
      ) { fixture in
        #expect(try await fixture.reaches(.ready).profile == name)
        let isUnacknowledged = profile == .hm10
        #expect(try await fixture.send(1) == (isUnacknowledged ? .queued : .delivered))
        try await fixture.happens("the write") { if case .write = $0 { true } else { false } }
        #expect(await fixture.received() == [LinkFixture.ball(1).text])
        #expect(await fixture.forms() == [isUnacknowledged ? .command : .request])
      }
    }

    @Test func aMachineThatTakesOnlyUnacknowledgedWritesGetsThose() async throws {
      let machine = MockPeripheral(profile: .commandOnly)
      try await withLinkFixture(MockModel(peripherals: [machine])) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .queued)
        try await fixture.happens("the write") { if case .write = $0 { true } else { false } }
        #expect(await fixture.received() == [LinkFixture.ball(1).text])
        #expect(await fixture.forms() == [.command])
      }
    }

    @Test(
      arguments: [MockProfile.notifyOnly, .twoWritable, .wrongFlags, .empty],
      [byAddress, LinkConfiguration()]
    )
    func aMachineWithoutACommandCharacteristicIsNeverWrittenTo(
      profile: MockProfile,
      configuration: LinkConfiguration
    ) async throws {
      let machine = MockPeripheral(profile: profile, advertisedUUIDs: [.ballMachineService])
      try await withLinkFixture(MockModel(peripherals: [machine]), configuration) { fixture in
        let isAmbiguous = profile == .twoWritable && configuration.address != nil
        let fault = try await fixture.fails("a fault about its characteristics") { fault in
          switch fault {
          case .noUsableCharacteristic: !isAmbiguous
          case .ambiguousCharacteristics: isAmbiguous
          default: false
          }
        }
        // It says what there is instead.
        let found =
          switch profile {
          case .twoWritable: "c0ffee00-0000-4000-8000-000000000002 [write]"
          case .empty: "2a29"
          default: MockUUID.ballMachineCommand.string
          }
        #expect(fault.reason.contains(found))
        #expect(fault.advice?.contains("--characteristic") == true)
        try await fixture.linger(.seconds(60))
        #expect(await !fixture.hasBeen(.ready))
        #expect(try await fixture.send(1) == .notSent(.linkNotReady))
        #expect(await fixture.received() == [])
        #expect(await !fixture.calls().contains("WriteValue"))
        try await fixture.checkConnectRate()
      }
    }

    // MARK: Strangers

    static let strangers: [MockProfile] = [.transparentUART, .nordicUART, .hm10, .onlyWritable]

    private static let adopted = AdoptedMachine(
      address: LinkFixture.machine.string,
      addressType: "random",
      name: nil,
      isSimulated: !Setups.isReal
    )!

    @Test(arguments: strangers)
    func aStrangerAloneInRangeIsLeftAlone(profile: MockProfile) async throws {
      let model = MockModel(peripherals: [MockPeripheral(profile: profile)])
      try await withLinkFixture(model) { fixture in
        try await fixture.fails("not ours") {
          switch $0 {
          case .noneSaysMachine, .onlyPerhaps: true
          default: false
          }
        }
        try await fixture.linger(.seconds(60))
        #expect(try await fixture.send(1) == .notSent(.linkNotReady))
        #expect(await fixture.calls(on: LinkFixture.machine) == [])
        #expect(await fixture.received() == [])
      }
    }

    @Test(.core, arguments: strangers)
    func aStrangerBesideOursIsLeftAlone(profile: MockProfile) async throws {
      if profile != .hm10 { try longOnRealStack() }
      let stranger = MockPeripheral("11:22:33:44:55:66", name: "BallMachine", profile: profile)
      try await withLinkFixture(MockModel(peripherals: [stranger, MockPeripheral()])) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        try await fixture.perform(.vanish(machine: LinkFixture.machine.string))
        try await fixture.reaches(.connecting)
        try await fixture.linger(.seconds(100))
        try await fixture.perform(.appear(machine: LinkFixture.machine.string))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(2) == .delivered)
        #expect(await fixture.calls(on: stranger.address) == [])
        #expect(await fixture.received(by: stranger.address) == [])
      }
    }

    /// Somebody else has connected to it already, so it looks like a link to adopt.
    @Test(arguments: strangers)
    func aStrangerThatIsConnectedIsNotAdopted(profile: MockProfile) async throws {
      let model = MockModel(peripherals: [MockPeripheral(profile: profile)])
      try await withLinkFixture(
        model,
        leavesTraces: true,
        before: { setup in
          try await setup.perform(.link(machine: LinkFixture.machine.string, adapter: nil))
        }
      ) { fixture in
        try await fixture.reaches(.discovering)
        try await fixture.linger(.seconds(60))
        #expect(await fixture.calls(on: LinkFixture.machine) == [])
        #expect(await fixture.received() == [])
      }
    }

    // MARK: More than one

    static let second: MockAddress = "F0:F1:F2:F3:F4:F6"

    @Test(.core) func ofTwoMachinesNoneIsTouched() async throws {
      let model = MockModel(peripherals: [
        MockPeripheral(), MockPeripheral(Self.second, name: "BallMachine 2"),
      ])
      try await withLinkFixture(model) { fixture in
        let fault = try await fixture.fails("ambiguity") { $0.isAmbiguous }
        #expect(fault.reason.contains(LinkFixture.machine.string))
        #expect(fault.reason.contains(Self.second.string))
        #expect(fault.advice?.contains("--address") == true)
        try await fixture.linger(.seconds(60))
        #expect(await fixture.calls(on: LinkFixture.machine) == [])
        #expect(await fixture.calls(on: Self.second) == [])
        // Once one of them is gone the other one is meant.
        try await fixture.perform(.vanish(machine: Self.second.string))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls(on: Self.second) == [])
      }
    }

    /// BlueZ goes on showing it, with the signal that it had.
    @Test(arguments: [nil, "BallMachine"])
    func ofTwoMachinesThatBlueZKeepsTheOneThatIsStillThereIsMeant(name: String?) async throws {
      let model = MockModel(peripherals: [
        MockPeripheral(), MockPeripheral(Self.second, isTrusted: true),
      ])
      try await withLinkFixture(model, LinkConfiguration(name: name)) { fixture in
        try await fixture.fails("ambiguity") { $0.isAmbiguous }
        try await fixture.perform(.vanish(machine: Self.second.string))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls(on: Self.second) == [])
      }
    }

    @Test(arguments: [[MockUUID.ballMachineService], []])
    func theSameNameTwiceIsAmbiguous(advertised: [MockUUID]) async throws {
      let other = MockPeripheral(Self.second, advertisedUUIDs: advertised)
      let model = MockModel(peripherals: [MockPeripheral(), other])
      try await withLinkFixture(model, LinkConfiguration(name: "BallMachine")) { fixture in
        try await fixture.fails("ambiguity") { $0.isAmbiguous }
        try await fixture.linger(.seconds(60))
        #expect(await fixture.calls(on: LinkFixture.machine) == [])
        #expect(await fixture.calls(on: Self.second) == [])
      }
    }

    @Test func aSecondMachineThatShowsALittleLaterIsSeenInTime() async throws {
      let model = MockModel(peripherals: [
        MockPeripheral(), MockPeripheral(Self.second, isAdvertising: false),
      ])
      try await withLinkFixture(model) { fixture in
        try await fixture.happens("the first one") {
          if case .appeared(LinkFixture.machine, _) = $0 { true } else { false }
        }
        try await fixture.pass(.seconds(1))
        try await fixture.perform(.appear(machine: Self.second.string))
        try await fixture.fails("ambiguity") { $0.isAmbiguous }
        try await fixture.linger(.seconds(60))
        #expect(await !fixture.calls().contains("Connect"))
      }
    }

    @Test func theConfiguredAddressDecidesBetweenTwo() async throws {
      let model = MockModel(peripherals: [MockPeripheral(), MockPeripheral(Self.second)])
      try await withLinkFixture(model, Self.byAddress) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls(on: Self.second) == [])
      }
    }

    // MARK: What is there already

    @Test(arguments: [byAddress, LinkConfiguration()])
    func aLinkThatIsThereAlreadyIsAdopted(configuration: LinkConfiguration) async throws {
      // Another program has made it, and keeps it.
      try await withLinkFixture(
        .oneMachine,
        configuration,
        leavesTraces: true,
        before: { setup in
          try await setup.perform(.link(machine: LinkFixture.machine.string, adapter: nil))
        }
      ) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls() == ["WriteValue"])
        await fixture.link.end()
        try await fixture.pass(.seconds(1))
        #expect(await fixture.calls() == ["WriteValue"])
        #expect(await fixture.traces().count == 1)
      }
    }

    /// BlueZ goes on with a Connect whose caller has died.
    @Test func anOrphanedConnectDoesNotHoldUpOurs() async throws {
      let machine = MockPeripheral(isTrusted: true, isAdvertising: false)
      try await withLinkFixture(
        MockModel(peripherals: [machine]),
        Self.byAddress,
        before: { try await $0.leaveAPendingConnect() }
      ) { fixture in
        try await fixture.fails("in progress") {
          if case .connectFailed(let error) = $0 { error.kind == .inProgress } else { false }
        }
        try await fixture.called("Disconnect")
        try await fixture.called("Connect")
        try await fixture.perform(.appear(machine: machine.address.string))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }
  }
}

extension LinkFault {
  var isAmbiguous: Bool { if case .ambiguousMachines = self { true } else { false } }
}

extension LinkFixture {
  /// The law of refusal: at most 6 Connects in 30 s, and 16 in 5 minutes.
  func checkConnectRate(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let times = await events.entries.filter { $0.kind.isCall(of: "Connect") }.map(\.time)
    for (limit, window) in [(6, 30.0), (16, 300.0)] {
      for (first, last) in zip(times, times.dropFirst(limit)) {
        // The mock's times are rounded.
        #expect(last - first > window - 0.001, sourceLocation: sourceLocation)
      }
    }
  }
}
