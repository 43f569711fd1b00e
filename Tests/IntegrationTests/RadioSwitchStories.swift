import CourtLogic
import MachineLink
import MockMachine
import TestSupport
import Testing

@testable import BlueZ

extension LinkStories {
  /// rfkill silences the radio, and lets it speak again.
  @Suite struct RadioSwitches {
    @Test func anAdapterThatIsBlockedAtTheStartIsUsedOnceItIsFree() async throws {
      let model = MockModel(
        adapters: [MockAdapter(isPowered: false)],
        peripherals: [MockPeripheral()]
      )
      let radio = try BoxRadio()
      try await withLinkFixture(
        model,
        kernel: radio.kernel,
        before: { setup in try await radio.turn(.soft, on: setup) }
      ) { fixture in
        let fault = try await fixture.fails("the block") { $0 == .adapterBlocked(.soft) }
        #expect(fault.remedy == "run `rfkill unblock bluetooth`")
        try await fixture.linger(.seconds(100))
        #expect(await fixture.link.status.phase == .waitingForAdapter)
        #expect(await fixture.link.status.fault == .adapterBlocked(.soft))
        try await radio.turn(nil, on: fixture.setup)
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
      }
    }

    @Test func aBlockWhileReadyIsToldAndSurvived() async throws {
      let radio = try BoxRadio()
      try await withLinkFixture(kernel: radio.kernel) { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        try await radio.turn(.soft, on: fixture.setup)
        #expect(try await fixture.reaches(.waitingForAdapter).fault == .adapterBlocked(.soft))
        #expect(try await fixture.send(2) == .notSent(.linkNotReady))
        try await fixture.linger(.seconds(60))
        try await radio.turn(nil, on: fixture.setup)
        try await fixture.reaches(.ready)
        let outcome = try await fixture.send(3)
        #expect(outcome == .delivered)
        #expect(await fixture.received() == [1, 3].map { LinkFixture.ball($0).text })
      }
    }

    @Test(.mockOnly("the box has no switch that a finger could turn"))
    func aHardBlockSendsTheTechnicianToTheSwitch() async throws {
      let radio = try BoxRadio()
      try await withLinkFixture(kernel: radio.kernel) { fixture in
        try await fixture.reaches(.ready)
        try await radio.turn(.hard, on: fixture.setup)
        let fault = try #require(try await fixture.reaches(.waitingForAdapter).fault)
        #expect(fault == .adapterBlocked(.hard))
        #expect(fault.remedy?.contains("rfkill") == false)
        try await radio.turn(nil, on: fixture.setup)
        try await fixture.reaches(.ready)
      }
    }

    @Test(.mockOnly("in the box nothing but a block keeps the adapter off"))
    func anAdapterThatStaysOffWithoutABlockHasAnotherTrouble() async throws {
      let model = MockModel(
        adapters: [MockAdapter(isPowered: false)],
        peripherals: [MockPeripheral()]
      )
      let radio = try BoxRadio()
      try await withLinkFixture(
        model,
        kernel: radio.kernel,
        before: { try await $0.perform(.power(adapter: "hci0", .blocked)) }
      ) { fixture in
        let fault = try await fixture.fails("the refusal") {
          if case .adapterWontPowerOn = $0 { true } else { false }
        }
        #expect(fault.remedy?.contains("rfkill") == false)
        // BlueZ has nothing new to tell; the next refusal does.
        try radio.plant(.soft)
        try await fixture.fails("the block") { $0 == .adapterBlocked(.soft) }
        try await radio.turn(nil, on: fixture.setup)
        try await fixture.reaches(.ready)
      }
    }

    @Test(.mockOnly("bluetoothd takes up every adapter that the box has"))
    func anAdapterThatOnlyTheKernelSeesIsNamed() async throws {
      let controller = HostController(index: 3, address: BluetoothAddress("AA:BB:CC:DD:EE:01"))
      try await withLinkFixture(
        MockModel(adapters: [], peripherals: [MockPeripheral()]),
        kernel: { KernelView(controllers: .success([controller])) }
      ) { fixture in
        let fault = try await fixture.fails("the adapter") {
          $0 == .adapterNotTakenUp(name: "hci3", controller.address)
        }
        #expect(fault.remedy?.contains("systemctl restart bluetooth") == true)
        try await fixture.perform(.addAdapter(MockAdapter("hci3", isPowered: false)))
        try await fixture.reaches(.ready)
      }
    }

    @Test func aScanTellsTheBlock() async throws {
      let radio = try BoxRadio()
      try await withLinkFixture(kernel: radio.kernel) { fixture in
        try await fixture.reaches(.ready)
        try await radio.turn(.soft, on: fixture.setup)
        try await fixture.reaches(.waitingForAdapter)
        let scanner = MachineScanner(
          central: BlueZCentral(bus: fixture.setup.bus, kernel: radio.kernel)
        )
        await #expect(throws: LinkFault.adapterBlocked(.soft)) {
          try await scanner.scan(for: .seconds(1)) { _ in }
        }
        try await radio.turn(nil, on: fixture.setup)
        try await fixture.reaches(.ready)
      }
    }

    @Test(arguments: [.blocked, .off] as [MockPowerSwitch])
    func aScanEndsWhenItsRadioFallsSilent(_ cause: MockPowerSwitch) async throws {
      let radio = try BoxRadio()
      let setup = try await Setups.set(.oneMachine, speed: 1)
      let scanner = MachineScanner(central: BlueZCentral(bus: setup.bus, kernel: radio.kernel))
      let heard = Journal<SeenDevice>()
      let scan = Task {
        try await scanner.scan(for: .seconds(60)) { await heard.append($0) }
      }
      do {
        try await heard.next("the machine") { _ in true }
        if cause == .blocked {
          try await radio.turn(.soft, on: setup)
        } else {
          try await setup.perform(.power(adapter: "hci0", .off))
        }
        let expected = cause == .blocked ? LinkFault.adapterBlocked(.soft) : .adapterOff
        await #expect(throws: expected) { try await scan.value }
        if cause == .blocked { try await radio.turn(nil, on: setup) }
      } catch {
        Issue.record(error)
      }
      scan.cancel()
      await setup.close()
    }
  }
}

/// The switch of the first adapter: the box's own, or one that is planted for the mock's.
private struct BoxRadio {
  private let planted: PlantedSwitches?

  init() throws {
    planted = Setups.isReal ? nil : try PlantedSwitches()
    try plant(nil)
  }

  /// For the link; nil where it asks the box's kernel by itself.
  var kernel: (@Sendable () -> KernelView)? {
    guard let planted else { return nil }
    return {
      KernelView(
        controllers: .success([HostController(index: 0, address: nil)]),
        switches: RadioSwitch.all(in: planted.sysfs)
      )
    }
  }

  /// Turns it, in sysfs and in the radio.
  func turn(_ block: RadioSwitch.Block?, on setup: any Setup) async throws {
    try plant(block)
    try await setup.perform(.power(adapter: "hci0", block == nil ? .unblocked : .blocked))
  }

  /// Turns it in sysfs alone.
  func plant(_ block: RadioSwitch.Block?) throws {
    let attributes = [
      "type": "bluetooth\n", "name": "hci0\n", "soft": block == .soft ? "1\n" : "0\n",
      "hard": block == .hard ? "1\n" : "0\n",
    ]
    try planted?.plant("rfkill0", attributes)
  }
}
