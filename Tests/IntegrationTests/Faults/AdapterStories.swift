import BlueZ
import CourtLogic
import MachineLink
import MockMachine
import Testing

extension FaultStories {
  /// Two adapters, the wrong one, and one for two radios.
  @Suite(.scriptedBlueZ) struct Adapters {
    private static let name = LinkFixture.machine.string
    private static let first = BluetoothAddress("AA:BB:CC:DD:EE:01")!
    private static let second = BluetoothAddress("AA:BB:CC:DD:EE:02")!
    private static let secondAdapter = MockAdapter("hci1", address: "AA:BB:CC:DD:EE:02")
    private static let both = MockModel(
      adapters: [MockAdapter(), secondAdapter],
      peripherals: [MockPeripheral()]
    )

    private func calls(_ fixture: LinkFixture, on adapter: String) async -> Int {
      await fixture.events.entries.count { event in
        if case .called(_, adapter, _, _) = event.kind { true } else { false }
      }
    }

    @Test func theConfiguredAdapterIsUsedAndNoOther() async throws {
      try await withLinkFixture(
        Self.both,
        LinkConfiguration(adapter: AdapterReference(Self.second))
      ) { fixture in
        let status = try await fixture.reaches(.ready)
        #expect(status.adapter?.address == Self.second)
        #expect(try await fixture.send(1) == .delivered)
        #expect(await calls(fixture, on: "hci0") == 0)
      }
    }

    @Test func aMissingConfiguredAdapterIsAwaited() async throws {
      let model = MockModel(peripherals: [MockPeripheral()])
      try await withLinkFixture(model, LinkConfiguration(adapter: AdapterReference(Self.second))) {
        fixture in
        let fault = try await fixture.fails("its absence") {
          $0 == .adapterMissing(pinned: AdapterReference(Self.second))
        }
        #expect(fault.reason.contains("AA:BB:CC:DD:EE:02"))
        #expect(fault.remedy != nil)
        try await fixture.pass(.seconds(100))
        #expect(await fixture.link.status.phase == .waitingForAdapter)
        #expect(await calls(fixture, on: "hci0") == 0)
        try await fixture.perform(.addAdapter(Self.secondAdapter))
        #expect(try await fixture.reaches(.ready).adapter?.address == Self.second)
        #expect(await calls(fixture, on: "hci0") == 0)
      }
    }

    @Test func anotherAdapterServesOnlyWithLeave() async throws {
      let model = MockModel(peripherals: [MockPeripheral()])
      let configuration = LinkConfiguration(
        adapter: AdapterReference(Self.second),
        allowsOtherAdapter: true
      )
      try await withLinkFixture(model, configuration) { fixture in
        #expect(try await fixture.reaches(.ready).adapter?.address == Self.first)
        #expect(try await fixture.send(1) == .delivered)
        // The right one comes: a good link is not given up for it.
        try await fixture.perform(.addAdapter(Self.secondAdapter))
        try await fixture.pass(.seconds(60))
        #expect(await fixture.link.status.phase == .ready)
        #expect(try await fixture.send(2) == .delivered)
      }
    }

    @Test(arguments: [true, false])
    func anotherAdapterTakesOverWithLeave(isOn: Bool) async throws {
      let configuration = LinkConfiguration(allowsOtherAdapter: true)
      var model = Self.both
      model.adapters[1].isPowered = isOn
      try await withLinkFixture(model, configuration) { fixture in
        let used = try await fixture.reaches(.ready).adapter
        #expect(used?.address == Self.first)
        try await fixture.perform(.removeAdapter("hci0", .success))
        #expect(try await fixture.reaches(.ready).adapter?.address == Self.second)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    // MARK: Two radios in one

    @Test(arguments: [true, false], [MockPeripheral.AddressType.public, .random])
    func aMachineThatMayBePagedOverClassicBluetoothIsToldOf(
      isDualMode: Bool,
      addressType: MockPeripheral.AddressType
    ) async throws {
      let model = MockModel(
        adapters: [MockAdapter(isDualMode: isDualMode)],
        peripherals: [MockPeripheral(addressType: addressType)]
      )
      try await withLinkFixture(model) { fixture in
        let status = try await fixture.reaches(.ready)
        #expect(status.mayUseClassicBluetooth == (isDualMode && addressType == .public))
        #expect(try await fixture.send(1) == .delivered)
        let transports = await fixture.events.entries.compactMap { event -> String? in
          if case .discoveryFiltered(_, _, let transport) = event.kind { transport } else { nil }
        }
        #expect(transports.count > 0)
        #expect(Set(transports) == ["le"])
      }
    }
  }
}
