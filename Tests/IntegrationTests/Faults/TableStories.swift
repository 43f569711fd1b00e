import BlueZ
import CourtLogic
import DBus
import MachineLink
import MockMachine
import Testing

extension FaultStories {
  /// GATT tables that are late, empty, stale, or change under the link.
  @Suite(.scriptedBlueZ) struct Tables {
    private static let name = LinkFixture.machine.string
    private static let byAddress = LinkConfiguration(address: BluetoothAddress(name))

    @Test func objectsThatComeAfterServicesResolvedAreAwaited() async throws {
      try await withLinkFixture(
        before: { mock in
          try await mock.perform(.timing("objects-after-resolve", .milliseconds(1500)))
        }
      ) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        let calls = await fixture.calls()
        #expect(calls.count { $0 == "Connect" } == 1)
        #expect(!calls.contains("RemoveDevice"))
      }
    }

    /// Later than the grace: forgotten once, then they are in BlueZ's cache.
    @Test func objectsThatComeTooLateAreForgottenOnce() async throws {
      try await withLinkFixture(
        before: { mock in
          try await mock.perform(.timing("objects-after-resolve", .seconds(6)))
        }
      ) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await fixture.calls().count { $0 == "RemoveDevice" } == 1)
        try await fixture.checkConnectRate()
      }
    }

    @Test(arguments: [true, false])
    func anEmptyTableIsForgottenOnceAndNeverWhenPaired(isPaired: Bool) async throws {
      let machine = MockPeripheral(profile: .empty, isPaired: isPaired)
      try await withLinkFixture(MockModel(peripherals: [machine]), Self.byAddress) { fixture in
        let fault = try await fixture.fails("nothing to write to") {
          if case .noUsableCharacteristic = $0 { true } else { false }
        }
        #expect(fault.remedy != nil)
        for _ in 1...6 {
          try await fixture.pass(.seconds(100))
          #expect(await !fixture.hasBeen(.ready))
        }
        #expect(await fixture.calls().count { $0 == "RemoveDevice" } == (isPaired ? 0 : 1))
        try await fixture.checkConnectRate()
        // New firmware, of which BlueZ learns at the next connection.
        try await fixture.perform(.changeTable(machine: Self.name, .ballMachine, silently: false))
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    /// While the link that showed an empty table is closed, somebody pairs with the machine.
    @Test func aMachineThatIsPairedBeforeItIsForgottenIsKept() async throws {
      let machine = MockPeripheral(profile: .empty)
      try await withLinkFixture(MockModel(peripherals: [machine]), Self.byAddress) { fixture in
        try await fixture.called("Disconnect")
        try await fixture.perform(.pair(machine: Self.name, true))
        try await fixture.reaches(.connecting)
        try await fixture.pass(.seconds(100))
        #expect(await !fixture.calls().contains("RemoveDevice"))
      }
    }

    /// The machine has new firmware, and BlueZ shows the objects of the old one: a write finds
    /// nothing under its handle.
    @Test(arguments: [true, false])
    func aTableThatTheMachineNoLongerHasIsForgotten(withAStop: Bool) async throws {
      try await withLinkFixture(.oneMachine, Self.byAddress) { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(
          .changeTable(machine: Self.name, .empty, silently: true),
          .drop(machine: Self.name)
        )
        try await fixture.reaches(.ready)
        if withAStop {
          async let stop = fixture.sendStop()
          try await fixture.fails("the stale table") { $0 == .staleTable }
          try await fixture.perform(
            .changeTable(machine: Self.name, .transparentUART, silently: true)
          )
          #expect(try await stop == .delivered)
        } else {
          #expect(try await fixture.send(1) == .notSent(.rejected(code: 0x01)))
          try await fixture.fails("the stale table") { $0 == .staleTable }
          try await fixture.perform(
            .changeTable(machine: Self.name, .transparentUART, silently: true)
          )
        }
        #expect(try await fixture.reaches(.ready).profile == "transparent-uart")
        try await fixture.pass(.seconds(3))
        #expect(try await fixture.send(2) == .delivered)
        #expect(await fixture.calls().count { $0 == "RemoveDevice" } == 1)
      }
    }

    /// BlueZ drops a write whose characteristic goes, without a word.
    @Test func aTableThatChangesDuringAWriteLeavesItUnknown() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: false), .once))
        async let outcome = fixture.send(1)
        try await fixture.called("WriteValue")
        try await fixture.pass(.milliseconds(200))
        try await fixture.perform(
          .changeTable(machine: Self.name, .transparentUART, silently: false)
        )
        #expect(try await outcome == .unknown(.linkLost))
        #expect(try await fixture.reaches(.ready).profile == "transparent-uart")
        try await fixture.pass(.seconds(20))
        #expect(try await fixture.send(2) == .delivered)
        #expect(await fixture.received() == [1, 2].map { LinkFixture.ball($0).text })
      }
    }
  }
}
