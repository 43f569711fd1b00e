import BlueZ
import CourtLogic
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// Two adapters, the wrong one, and one for two radios.
  @Suite(.scriptedBlueZ) struct Adapters {
    private static let name = LinkBench.machine.string
    private static let first = BluetoothAddress("AA:BB:CC:DD:EE:01")!
    private static let second = BluetoothAddress("AA:BB:CC:DD:EE:02")!
    private static let secondAdapter = MockAdapter("hci1", address: "AA:BB:CC:DD:EE:02")
    private static let both = MockWorld(
      adapters: [MockAdapter(), secondAdapter],
      peripherals: [MockPeripheral()]
    )

    private func calls(_ bench: LinkBench, on adapter: String) async -> Int {
      await bench.events.entries.count { event in
        if case .called(_, adapter, _, _) = event.kind { true } else { false }
      }
    }

    @Test func theConfiguredAdapterIsUsedAndNoOther() async throws {
      try await withLinkBench(Self.both, LinkConfiguration(adapter: Self.second)) { bench in
        let status = try await bench.reaches(.ready)
        #expect(status.adapter?.address == Self.second)
        #expect(try await bench.send(1) == .delivered)
        #expect(await calls(bench, on: "hci0") == 0)
      }
    }

    @Test func aMissingConfiguredAdapterIsAwaited() async throws {
      let world = MockWorld(peripherals: [MockPeripheral()])
      try await withLinkBench(world, LinkConfiguration(adapter: Self.second)) { bench in
        let fault = try await bench.fails("its absence") {
          $0 == .adapterMissing(pinned: Self.second)
        }
        #expect(fault.reason.contains("AA:BB:CC:DD:EE:02"))
        #expect(fault.remedy != nil)
        try await bench.pass(.seconds(100))
        #expect(await bench.link.status.phase == .waitingForAdapter)
        #expect(await calls(bench, on: "hci0") == 0)
        try await bench.perform(.addAdapter(Self.secondAdapter))
        #expect(try await bench.reaches(.ready).adapter?.address == Self.second)
        #expect(await calls(bench, on: "hci0") == 0)
      }
    }

    @Test func anotherAdapterServesOnlyWithLeave() async throws {
      let world = MockWorld(peripherals: [MockPeripheral()])
      let configuration = LinkConfiguration(adapter: Self.second, allowsOtherAdapter: true)
      try await withLinkBench(world, configuration) { bench in
        #expect(try await bench.reaches(.ready).adapter?.address == Self.first)
        #expect(try await bench.send(1) == .delivered)
        // The right one comes: a good link is not given up for it.
        try await bench.perform(.addAdapter(Self.secondAdapter))
        try await bench.pass(.seconds(60))
        #expect(await bench.link.status.phase == .ready)
        #expect(try await bench.send(2) == .delivered)
      }
    }

    @Test func anotherAdapterTakesOverWithLeave() async throws {
      let configuration = LinkConfiguration(allowsOtherAdapter: true)
      try await withLinkBench(Self.both, configuration) { bench in
        let used = try await bench.reaches(.ready).adapter
        #expect(used?.address == Self.first)
        try await bench.perform(.removeAdapter("hci0", .success))
        #expect(try await bench.reaches(.ready).adapter?.address == Self.second)
        #expect(try await bench.send(1) == .delivered)
      }
    }

    // MARK: Two radios in one

    @Test(arguments: [true, false], [MockPeripheral.AddressType.public, .random])
    func aMachineThatMayBePagedOverClassicBluetoothIsToldOf(
      isDualMode: Bool,
      addressType: MockPeripheral.AddressType
    ) async throws {
      let world = MockWorld(
        adapters: [MockAdapter(isDualMode: isDualMode)],
        peripherals: [MockPeripheral(addressType: addressType)]
      )
      try await withLinkBench(world) { bench in
        let status = try await bench.reaches(.ready)
        #expect(status.mayUseClassicBluetooth == (isDualMode && addressType == .public))
        #expect(try await bench.send(1) == .delivered)
        let transports = await bench.events.entries.compactMap { event -> String? in
          if case .discoveryFiltered(_, _, let transport) = event.kind { transport } else { nil }
        }
        #expect(transports.count > 0)
        #expect(Set(transports) == ["le"])
      }
    }
  }
}
