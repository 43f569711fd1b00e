import BlueZ
import Bridge
import Configuration
import CourtLogic
import DBus
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// bluetoothd, the adapter and the bus come and go.
  @Suite struct Environment {
    private static let name = LinkFixture.machine.string

    // MARK: bluetoothd

    @Test(.core) func aRestartOfBluetoothdIsSurvived() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        try await fixture.perform(.restart(downFor: .seconds(1)))
        #expect(try await fixture.reaches(.waitingForBlueZ).fault == .serviceAbsent)
        try await fixture.reaches(.ready)
        try await fixture.pass(.seconds(3))
        #expect(try await fixture.send(2) == .delivered)
      }
    }

    @Test func aRestartDuringConnectIsSurvived() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.vanish(machine: Self.name))
        try await fixture.reaches(.connecting)
        try await fixture.perform(.restart(downFor: .milliseconds(300)))
        try await fixture.reaches(.waitingForBlueZ)
        try await fixture.reaches(.connecting)
        try await fixture.perform(.appear(machine: Self.name))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test func aRestartDuringAScanIsSurvived() async throws {
      let model = MockModel(peripherals: [MockPeripheral(isAdvertising: false)])
      try await withLinkFixture(model) { fixture in
        try await fixture.reaches(.discovering)
        try await fixture.called("StartDiscovery")
        try await fixture.perform(.restart(downFor: .seconds(1)))
        try await fixture.reaches(.waitingForBlueZ)
        try await fixture.reaches(.discovering)
        try await fixture.perform(.appear(machine: Self.name))
        try await fixture.reaches(.ready)
      }
    }

    /// Ten restarts, the last ones while the link is still finding its way back.
    @Test func manyRestartsAreSurvived() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        for tenths in 1...10 {
          try await fixture.perform(.restart(downFor: .milliseconds(100 * tenths)))
          try await fixture.pass(.milliseconds(2000 - 50 * tenths))
        }
        try await fixture.pass(.seconds(60))
        #expect(await fixture.link.status.phase == .ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test func aBluetoothdThatComesLateIsAwaited() async throws {
      try await withLinkFixture(
        before: { setup in try await setup.perform(.down) }
      ) { fixture in
        let status = try await fixture.reaches(.waitingForBlueZ)
        #expect(status.fault?.remedy?.contains("systemctl start bluetooth") ?? true)
        try await fixture.fails("its absence") { $0 == .serviceAbsent }
        try await fixture.linger(.seconds(200))
        #expect(await fixture.link.status.phase == .waitingForBlueZ)
        try await fixture.perform(.up)
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test func aBluetoothdThatDiesForLongIsAwaited() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.down)
        try await fixture.reaches(.waitingForBlueZ)
        try await fixture.linger(.seconds(200))
        #expect(try await fixture.send(1) == .notSent(.linkNotReady))
        try await fixture.perform(.up)
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(2) == .delivered)
      }
    }

    @Test(.scriptedBlueZ) func objectsThatAreNotToldAreAskedForAgain() async throws {
      try await withLinkFixture(
        before: { setup in try await setup.perform(.timing("objects-appear", .seconds(40))) }
      ) { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.restart(downFor: .seconds(1)))
        try await fixture.reaches(.waitingForAdapter)
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    // MARK: Power

    @Test func anAdapterThatIsOffIsPoweredOnAtStart() async throws {
      let model = MockModel(
        adapters: [MockAdapter(isPowered: false)],
        peripherals: [MockPeripheral()]
      )
      try await withLinkFixture(model) { fixture in
        try await fixture.reaches(.ready)
        #expect(await fixture.calls().first == "Set Powered")
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test(.core) func anAdapterThatIsSwitchedOffIsLeftOff() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.power(adapter: "hci0", .off))
        let status = try await fixture.reaches(.waitingForAdapter)
        #expect(status.fault == .adapterOff)
        try await fixture.linger(.seconds(100))
        #expect(await fixture.link.status.phase == .waitingForAdapter)
        #expect(await !fixture.calls().contains("Set Powered"))
        try await fixture.perform(.power(adapter: "hci0", .on))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test(.mockOnly("Linux 6.1 does not survive the loss of power while a Connect is pending"))
    func anAdapterSwitchedOffDuringAScanOrAConnectIsAwaited() async throws {
      let model = MockModel(peripherals: [MockPeripheral(isAdvertising: false)])
      try await withLinkFixture(model) { fixture in
        try await fixture.happens("the scan") {
          if case .discoveryStarted = $0 { true } else { false }
        }
        try await fixture.perform(.power(adapter: "hci0", .off))
        try await fixture.reaches(.waitingForAdapter)
        try await fixture.perform(.power(adapter: "hci0", .on), .appear(machine: Self.name))
        try await fixture.reaches(.ready)
        try await fixture.perform(.vanish(machine: Self.name))
        try await fixture.reaches(.connecting)
        try await fixture.pass(.seconds(5))
        try await fixture.perform(.power(adapter: "hci0", .off))
        try await fixture.reaches(.waitingForAdapter)
        try await fixture.perform(.power(adapter: "hci0", .on), .appear(machine: Self.name))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await !fixture.calls().contains("Set Powered"))
      }
    }

    // MARK: Adapters

    @Test func anAdapterThatIsPluggedInLaterIsUsed() async throws {
      try await withLinkFixture(MockModel(adapters: [], peripherals: [MockPeripheral()])) {
        fixture in
        try await fixture.fails("no adapter") { $0 == .adapterMissing(pinned: nil) }
        try await fixture.linger(.seconds(100))
        try await fixture.perform(.addAdapter(MockAdapter(isPowered: false)))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test(.core, arguments: MockUnplugAnswer.allCases, [true, false])
    func anAdapterThatComesBackUnderAnotherNameIsKnownByItsAddress(
      answer: MockUnplugAnswer,
      whileReady: Bool
    ) async throws {
      if answer != .nothing { try mockOnly("the kernel decides what a pending Connect hears") }
      if !whileReady { try mockOnly("Linux 6.1 does not survive it") }
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        if !whileReady {
          try await fixture.perform(.vanish(machine: Self.name))
          try await fixture.reaches(.connecting)
        }
        try await fixture.perform(.removeAdapter("hci0", answer))
        try await fixture.reaches(.waitingForAdapter)
        // What was said to the old one before it was known to be gone travels for a moment.
        try await fixture.pass(.seconds(1))
        let before = await fixture.events.entries.count
        // Somebody else's controller takes the old name; it is not ours to use.
        try await fixture.perform(.addAdapter(MockAdapter("hci0", address: "AA:BB:CC:DD:EE:99")))
        try await fixture.linger(.seconds(60))
        #expect(await fixture.link.status.phase == .waitingForAdapter)
        let own = BluetoothAddress("AA:BB:CC:DD:EE:01")
        #expect(
          await fixture.link.status.fault == own.map { LinkFault.adapterGone(AdapterReference($0)) }
        )
        try await fixture.perform(.addAdapter(MockAdapter("hci1", isPowered: false)))
        if !whileReady { try await fixture.perform(.appear(machine: Self.name)) }
        #expect(try await fixture.reaches(.ready).adapter?.address == own)
        #expect(try await fixture.send(1) == .delivered)
        let onForeign = await fixture.events.entries.dropFirst(before).contains { event in
          if case .called(_, "hci0", _, _) = event.kind { true } else { false }
        }
        #expect(!onForeign)
      }
    }

    // MARK: The machine's table

    @Test(.core) func aTableThatChangesUnderTheLinkIsReadAgain() async throws {
      try await withLinkFixture { fixture in
        #expect(try await fixture.reaches(.ready).profile == "ball-machine")
        #expect(try await fixture.send(1) == .delivered)
        try await fixture.perform(
          .changeTable(machine: Self.name, .transparentUART, silently: false)
        )
        #expect(try await fixture.reaches(.ready).profile == "transparent-uart")
        try await fixture.pass(.seconds(3))
        #expect(try await fixture.send(2) == .delivered)
        let writes = await fixture.setup.received(by: LinkFixture.machine)
        #expect(
          writes.map(\.characteristic.string) == [
            "abcd1234-1234-1234-1234-abcdef123456", "49535343-8841-43f4-a8d4-ecbe34729bb3",
          ]
        )
      }
    }

    @Test func aTableThatLosesItsCommandCharacteristicIsAFault() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.changeTable(machine: Self.name, .notifyOnly, silently: false))
        try await fixture.fails("nothing to write to") {
          if case .noUsableCharacteristic = $0 { true } else { false }
        }
        #expect(try await fixture.send(1) == .notSent(.linkNotReady))
        #expect(await fixture.received() == [])
        try await fixture.perform(.changeTable(machine: Self.name, .ballMachine, silently: true))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(2) == .delivered)
      }
    }

    // MARK: The bus

    @Test(.mockOnly("the box needs its bus"), arguments: [true, false])
    func theLossOfTheBusIsReportedAndBorne(duringWrite: Bool) async throws {
      try await withLinkFixture(leavesTraces: true) { fixture in
        try await fixture.reaches(.ready)
        if duringWrite {
          try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: false), .once))
        }
        async let outcome = fixture.send(1)
        try await fixture.called("WriteValue")
        if !duringWrite { #expect(try await outcome == .delivered) }
        try await fixture.setup.stopBus()
        try await fixture.reaches(.waitingForBlueZ)
        let last = try await outcome
        if duringWrite {
          guard case .unknown = last else {
            Issue.record("\(last)")
            return
          }
        }
        let fault = try await fixture.fails("the bus") {
          if case .busUnreachable = $0 { true } else { false }
        }
        #expect(fault.advice?.contains("--bus") == true)
        try await fixture.pass(.seconds(40))
        #expect(await fixture.link.status.phase == .waitingForBlueZ)
        #expect(try await fixture.send(2) == .notSent(.linkNotReady))
      }
    }

    @Test(.mockOnly("the box needs its bus")) func aBusThatIsNotThereIsReported() async throws {
      try await withLinkFixture(
        leavesTraces: true,
        before: { setup in try await setup.stopBus() }
      ) { fixture in
        try await fixture.fails("the bus") {
          if case .busUnreachable = $0 { true } else { false }
        }
      }
    }

    // MARK: A hall full of phones

    @Test(.mockOnly("a virtual radio is too slow for a hall full of phones"))
    func whileReadyAHallFullOfPhonesIsNotHeard() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.pass(.seconds(2))
        let before = fixture.watched.traffic.levels
        try await fixture.perform(.advertiseFlood(perSecond: 500))
        try await fixture.pass(.seconds(4))
        let outcome = try await fixture.send(1)
        #expect(outcome == .delivered)
        // The adapter itself begins to scan, which is one change.
        #expect(fixture.watched.traffic.levels - before <= 2)
        try await fixture.perform(.advertiseFlood(perSecond: 0))
      }
    }
  }
}
