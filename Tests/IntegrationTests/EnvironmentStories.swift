import BlueZ
import Bridge
import CourtLogic
import DBus
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// bluetoothd, the adapter and the bus come and go.
  @Suite struct Environment {
    private static let name = LinkBench.machine.string

    // MARK: bluetoothd

    @Test(.core) func aRestartOfBluetoothdIsSurvived() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        try await bench.perform(.restart(downFor: .seconds(1)))
        #expect(try await bench.reaches(.waitingForBlueZ).fault == .serviceAbsent)
        try await bench.reaches(.ready)
        try await bench.pass(.seconds(3))
        #expect(try await bench.send(2) == .delivered)
      }
    }

    @Test func aRestartDuringConnectIsSurvived() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.vanish(machine: Self.name))
        try await bench.reaches(.connecting)
        try await bench.perform(.restart(downFor: .milliseconds(300)))
        try await bench.reaches(.waitingForBlueZ)
        try await bench.reaches(.connecting)
        try await bench.perform(.appear(machine: Self.name))
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test func aRestartDuringAScanIsSurvived() async throws {
      let world = MockWorld(peripherals: [MockPeripheral(isAdvertising: false)])
      try await withLinkBench(world) { bench in
        try await bench.reaches(.discovering)
        try await bench.called("StartDiscovery")
        try await bench.perform(.restart(downFor: .seconds(1)))
        try await bench.reaches(.waitingForBlueZ)
        try await bench.reaches(.discovering)
        try await bench.perform(.appear(machine: Self.name))
        try await bench.reaches(.ready)
      }
    }

    /// Ten restarts, the last ones while the link is still finding its way back.
    @Test func manyRestartsAreSurvived() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        for tenths in 1...10 {
          try await bench.perform(.restart(downFor: .milliseconds(100 * tenths)))
          try await bench.pass(.milliseconds(2000 - 50 * tenths))
        }
        try await bench.pass(.seconds(60))
        #expect(await bench.link.status.phase == .ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test func aBluetoothdThatComesLateIsAwaited() async throws {
      try await withLinkBench(
        before: { stage in try await stage.perform(.down) }
      ) { bench in
        let status = try await bench.reaches(.waitingForBlueZ)
        #expect(status.fault?.remedy?.contains("systemctl start bluetooth") ?? true)
        try await bench.fails("its absence") { $0 == .serviceAbsent }
        try await bench.linger(.seconds(200))
        #expect(await bench.link.status.phase == .waitingForBlueZ)
        try await bench.perform(.up)
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test func aBluetoothdThatDiesForLongIsAwaited() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.down)
        try await bench.reaches(.waitingForBlueZ)
        try await bench.linger(.seconds(200))
        #expect(try await bench.send(1) == .notSent(.linkNotReady))
        try await bench.perform(.up)
        try await bench.reaches(.ready)
        #expect(try await bench.send(2) == .delivered)
      }
    }

    @Test(.scriptedBlueZ) func objectsThatAreNotToldAreAskedForAgain() async throws {
      try await withLinkBench(
        before: { stage in try await stage.perform(.timing("objects-appear", .seconds(40))) }
      ) { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.restart(downFor: .seconds(1)))
        try await bench.reaches(.waitingForAdapter)
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    // MARK: Power

    @Test func anAdapterThatIsOffIsPoweredOnAtStart() async throws {
      let world = MockWorld(
        adapters: [MockAdapter(isPowered: false)],
        peripherals: [MockPeripheral()]
      )
      try await withLinkBench(world) { bench in
        try await bench.reaches(.ready)
        #expect(await bench.calls().first == "Set Powered")
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test(.core) func anAdapterThatSomebodySwitchesOffIsLeftOff() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.power(adapter: "hci0", .off))
        let status = try await bench.reaches(.waitingForAdapter)
        #expect(status.fault == .adapterOff)
        try await bench.linger(.seconds(100))
        #expect(await bench.link.status.phase == .waitingForAdapter)
        #expect(await !bench.calls().contains("Set Powered"))
        try await bench.perform(.power(adapter: "hci0", .on))
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test(.mockOnly("Linux 6.1 does not survive the loss of power while a Connect is pending"))
    func anAdapterSwitchedOffDuringAScanOrAConnectIsAwaited() async throws {
      let world = MockWorld(peripherals: [MockPeripheral(isAdvertising: false)])
      try await withLinkBench(world) { bench in
        try await bench.happens("the scan") {
          if case .discoveryStarted = $0 { true } else { false }
        }
        try await bench.perform(.power(adapter: "hci0", .off))
        try await bench.reaches(.waitingForAdapter)
        try await bench.perform(.power(adapter: "hci0", .on), .appear(machine: Self.name))
        try await bench.reaches(.ready)
        try await bench.perform(.vanish(machine: Self.name))
        try await bench.reaches(.connecting)
        try await bench.pass(.seconds(5))
        try await bench.perform(.power(adapter: "hci0", .off))
        try await bench.reaches(.waitingForAdapter)
        try await bench.perform(.power(adapter: "hci0", .on), .appear(machine: Self.name))
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(await !bench.calls().contains("Set Powered"))
      }
    }

    // MARK: Adapters

    @Test func anAdapterThatIsPluggedInLaterIsUsed() async throws {
      try await withLinkBench(MockWorld(adapters: [], peripherals: [MockPeripheral()])) { bench in
        try await bench.fails("no adapter") { $0 == .adapterMissing(pinned: nil) }
        try await bench.linger(.seconds(100))
        try await bench.perform(.addAdapter(MockAdapter(isPowered: false)))
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    @Test(.core, arguments: MockUnplugAnswer.allCases, [true, false])
    func anAdapterThatComesBackUnderAnotherNameIsKnownByItsAddress(
      answer: MockUnplugAnswer,
      whileReady: Bool
    ) async throws {
      if answer != .nothing { try mockOnly("the kernel decides what a pending Connect hears") }
      if !whileReady { try mockOnly("Linux 6.1 does not survive it") }
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        if !whileReady {
          try await bench.perform(.vanish(machine: Self.name))
          try await bench.reaches(.connecting)
        }
        try await bench.perform(.removeAdapter("hci0", answer))
        try await bench.reaches(.waitingForAdapter)
        // What was said to the old one before it was known to be gone travels for a moment.
        try await bench.pass(.seconds(1))
        let before = await bench.events.entries.count
        // Somebody else's controller takes the old name; it is not ours to use.
        try await bench.perform(.addAdapter(MockAdapter("hci0", address: "AA:BB:CC:DD:EE:99")))
        try await bench.linger(.seconds(60))
        #expect(await bench.link.status.phase == .waitingForAdapter)
        let own = BluetoothAddress("AA:BB:CC:DD:EE:01")
        #expect(await bench.link.status.fault == .adapterMissing(pinned: own))
        try await bench.perform(.addAdapter(MockAdapter("hci1", isPowered: false)))
        if !whileReady { try await bench.perform(.appear(machine: Self.name)) }
        #expect(try await bench.reaches(.ready).adapter?.address == own)
        #expect(try await bench.send(1) == .delivered)
        let onForeign = await bench.events.entries.dropFirst(before).contains { event in
          if case .called(_, "hci0", _, _) = event.kind { true } else { false }
        }
        #expect(!onForeign)
      }
    }

    // MARK: The machine's table

    @Test(.core) func aTableThatChangesUnderTheLinkIsReadAnew() async throws {
      try await withLinkBench { bench in
        #expect(try await bench.reaches(.ready).profile == "ball-machine")
        #expect(try await bench.send(1) == .delivered)
        try await bench.perform(.changeTable(machine: Self.name, .aiThinker, silently: false))
        #expect(try await bench.reaches(.ready).profile == "ai-thinker")
        try await bench.pass(.seconds(3))
        #expect(try await bench.send(2) == .delivered)
        let writes = await bench.stage.received(by: LinkBench.machine)
        #expect(
          writes.map(\.characteristic.string) == [
            "abcd1234-1234-1234-1234-abcdef123456", "5833ff02-9b8b-5191-6142-22a4536ef123",
          ]
        )
      }
    }

    @Test func aTableThatLosesItsCommandCharacteristicIsAFault() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.changeTable(machine: Self.name, .notifyOnly, silently: false))
        try await bench.fails("nothing to write to") {
          if case .noUsableCharacteristic = $0 { true } else { false }
        }
        #expect(try await bench.send(1) == .notSent(.linkNotReady))
        #expect(await bench.received() == [])
        try await bench.perform(.changeTable(machine: Self.name, .ballMachine, silently: true))
        try await bench.reaches(.ready)
        #expect(try await bench.send(2) == .delivered)
      }
    }

    // MARK: The bus

    @Test(.mockOnly("the box needs its bus"), arguments: [true, false])
    func theLossOfTheBusIsReportedAndBorne(duringWrite: Bool) async throws {
      try await withLinkBench(leavesTraces: true) { bench in
        try await bench.reaches(.ready)
        if duringWrite {
          try await bench.perform(.hangWrites(machine: Self.name, lost: false, .once))
        }
        async let outcome = bench.send(1)
        try await bench.called("WriteValue")
        if !duringWrite { #expect(try await outcome == .delivered) }
        try await bench.stage.stopBus()
        try await bench.reaches(.waitingForBlueZ)
        let last = try await outcome
        if duringWrite {
          guard case .unknown = last else {
            Issue.record("\(last)")
            return
          }
        }
        let fault = try await bench.fails("the bus") {
          if case .busUnreachable = $0 { true } else { false }
        }
        #expect(fault.advice?.contains("--bus") == true)
        try await bench.pass(.seconds(40))
        #expect(await bench.link.status.phase == .waitingForBlueZ)
        #expect(try await bench.send(2) == .notSent(.linkNotReady))
      }
    }

    @Test(.mockOnly("the box needs its bus")) func aBusThatIsNotThereIsReported() async throws {
      try await withLinkBench(
        leavesTraces: true,
        before: { stage in try await stage.stopBus() }
      ) { bench in
        try await bench.fails("the bus") {
          if case .busUnreachable = $0 { true } else { false }
        }
      }
    }

    // MARK: A hall full of phones

    @Test(.mockOnly("a virtual radio is too slow for a hall full of phones"))
    func whileReadyAHallFullOfPhonesIsNotHeard() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.pass(.seconds(2))
        let before = bench.watched.traffic.levels
        try await bench.perform(.advertiseFlood(perSecond: 500))
        try await bench.pass(.seconds(4))
        let outcome = try await bench.send(1)
        #expect(outcome == .delivered)
        // The adapter itself begins to scan, which is one change.
        #expect(bench.watched.traffic.levels - before <= 2)
        try await bench.perform(.advertiseFlood(perSecond: 0))
      }
    }
  }
}
