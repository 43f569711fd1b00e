import BlueZ
import CourtLogic
import DBus
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// GATT tables that are late, empty, stale, or change under the link.
  @Suite(.scriptedBlueZ) struct Tables {
    private static let name = LinkBench.machine.string
    private static let byAddress = LinkConfiguration(address: BluetoothAddress(name))

    @Test func objectsThatComeAfterServicesResolvedAreAwaited() async throws {
      try await withLinkBench(
        before: { mock in
          try await mock.perform(.timing("objects-after-resolve", .milliseconds(1500)))
        }
      ) { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        let calls = await bench.calls()
        #expect(calls.count { $0 == "Connect" } == 1)
        #expect(!calls.contains("RemoveDevice"))
      }
    }

    /// Later than the grace: forgotten once, then they are in BlueZ's cache.
    @Test func objectsThatComeTooLateAreForgottenOnce() async throws {
      try await withLinkBench(
        before: { mock in
          try await mock.perform(.timing("objects-after-resolve", .seconds(6)))
        }
      ) { bench in
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
        #expect(await bench.calls().count { $0 == "RemoveDevice" } == 1)
        try await bench.checkConnectRate()
      }
    }

    @Test(arguments: [true, false])
    func anEmptyTableIsForgottenOnceAndNeverWhenPaired(isPaired: Bool) async throws {
      let machine = MockPeripheral(profile: .empty, isPaired: isPaired)
      try await withLinkBench(MockWorld(peripherals: [machine]), Self.byAddress) { bench in
        let fault = try await bench.fails("nothing to write to") {
          if case .noUsableCharacteristic = $0 { true } else { false }
        }
        #expect(fault.remedy != nil)
        for _ in 1...6 {
          try await bench.pass(.seconds(100))
          #expect(await !bench.hasBeen(.ready))
        }
        #expect(await bench.calls().count { $0 == "RemoveDevice" } == (isPaired ? 0 : 1))
        try await bench.checkConnectRate()
        // New firmware, of which BlueZ learns at the next connection.
        try await bench.perform(.changeTable(machine: Self.name, .ballMachine, silently: false))
        try await bench.reaches(.ready)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    /// While the link that showed an empty table is closed, somebody pairs with the machine.
    @Test func aMachineThatIsPairedBeforeItIsForgottenIsKept() async throws {
      let machine = MockPeripheral(profile: .empty)
      try await withLinkBench(MockWorld(peripherals: [machine]), Self.byAddress) { bench in
        try await bench.called("Disconnect")
        try await bench.perform(.pair(machine: Self.name, true))
        try await bench.reaches(.connecting)
        try await bench.pass(.seconds(100))
        #expect(await !bench.calls().contains("RemoveDevice"))
      }
    }

    /// The machine has new firmware, and BlueZ shows the objects of the old one: a write finds
    /// nothing under its handle.
    @Test(arguments: [true, false])
    func aTableThatTheMachineNoLongerHasIsForgotten(withAStop: Bool) async throws {
      try await withLinkBench(.oneMachine, Self.byAddress) { bench in
        try await bench.reaches(.ready)
        try await bench.perform(
          .changeTable(machine: Self.name, .empty, silently: true),
          .drop(machine: Self.name)
        )
        try await bench.reaches(.ready)
        if withAStop {
          async let stop = bench.sendStop()
          try await bench.fails("the stale table") { $0 == .staleTable }
          try await bench.perform(.changeTable(machine: Self.name, .aiThinker, silently: true))
          #expect(try await stop == .delivered)
        } else {
          #expect(try await bench.send(1) == .notSent(.rejected(code: 0x01)))
          try await bench.fails("the stale table") { $0 == .staleTable }
          try await bench.perform(.changeTable(machine: Self.name, .aiThinker, silently: true))
        }
        #expect(try await bench.reaches(.ready).profile == "ai-thinker")
        try await bench.pass(.seconds(3))
        #expect(try await bench.send(2) == .delivered)
        #expect(await bench.calls().count { $0 == "RemoveDevice" } == 1)
      }
    }

    /// BlueZ drops a write whose characteristic goes, without a word.
    @Test func aTableThatChangesDuringAWriteLeavesItUnknown() async throws {
      try await withLinkBench { bench in
        try await bench.reaches(.ready)
        try await bench.perform(.hangWrites(machine: Self.name, lost: false, .once))
        async let outcome = bench.send(1)
        try await bench.called("WriteValue")
        try await bench.pass(.milliseconds(200))
        try await bench.perform(.changeTable(machine: Self.name, .aiThinker, silently: false))
        #expect(try await outcome == .unknown(.linkLost))
        #expect(try await bench.reaches(.ready).profile == "ai-thinker")
        try await bench.pass(.seconds(20))
        #expect(try await bench.send(2) == .delivered)
        #expect(await bench.received() == [1, 2].map { LinkBench.ball($0).digits })
      }
    }
  }
}
