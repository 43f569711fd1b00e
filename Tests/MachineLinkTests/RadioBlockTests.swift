import MachineLink
import Testing

@testable import BlueZ
@testable import TestSupport

/// What the link makes of a radio that the kernel holds back.
struct RadioBlockTests {
  private let own = BluetoothAddress("AA:BB:CC:DD:EE:01")

  private func kernel(
    _ block: RadioSwitch.Block?,
    of controller: Int? = 0,
    controllers: [HostController] = []
  ) -> KernelView {
    KernelView(
      controllers: .success(controllers),
      switches: [RadioSwitch(number: 0, name: "switch", controller: controller, block: block)]
    )
  }

  /// A link that asks for the power of an adapter that is off.
  private func poweringOn() -> Driver {
    var driver = Driver()
    driver.feed(.started)
    driver.answer()
    driver.change { $0.radios[0].isPowered = false }
    return driver
  }

  @Test(
    arguments: [
      (.soft, "Bluetooth is blocked by rfkill", "run `rfkill unblock bluetooth`"),
      (
        .hard, "Bluetooth is blocked by a switch or key on the box",
        "turn Bluetooth on by that switch or key, or in the BIOS"
      ),
    ] as [(RadioSwitch.Block, String, String)]
  )
  func aBlockedAdapterIsToldWithItsRemedy(
    _ block: RadioSwitch.Block,
    _ reason: String,
    _ remedy: String
  ) {
    var driver = poweringOn()
    driver.change { $0.kernel = kernel(block) }
    driver.answer(.failed("Failed"))
    #expect(driver.fault == .adapterBlocked(block))
    #expect(driver.fault?.reason == reason && driver.fault?.remedy == remedy)
  }

  @Test func anAdapterThatRefusesWithoutABlockHasAnotherTrouble() {
    let view = kernel(nil)
    for kernel in [nil, view, kernel(.soft, of: 1), kernel(.hard, of: nil)] {
      var driver = poweringOn()
      driver.change { $0.kernel = kernel }
      driver.answer(.failed("Failed"))
      #expect(driver.fault == .adapterWontPowerOn(.failed("Failed")))
      #expect(driver.fault?.remedy?.contains("rfkill") == false)
    }
  }

  @Test func aBluetoothdThatKnowsOfTheBlockIsBelieved() {
    var driver = poweringOn()
    driver.answer(BlueZError("org.bluez.Error.Blocked", "Blocked through rfkill"))
    #expect(driver.fault == .adapterBlocked(.soft))
  }

  /// Nobody has switched it off in BlueZ: what the block took comes back with it, even if bluetoothd
  /// does not see to that.
  @Test func aBlockWhileReadyIsRetriedUntilItIsLifted() throws {
    var driver = Driver()
    driver.becomeReady()
    #expect(driver.phase == .ready)
    driver.change {
      $0.radios[0].isPowered = false
      $0.peers[0].isConnected = false
      $0.peers[0].isResolved = false
      $0.kernel = kernel(.soft)
    }
    #expect(driver.phase == .waitingForAdapter && driver.fault == .adapterBlocked(.soft))
    var tries = 0
    for _ in 1...600 {
      if driver.open == [.setPowered(true, adapter: "/org/bluez/hci0")] {
        tries += 1
        driver.answer(.failed("Failed"))
      }
      driver.advance(by: .seconds(1))
    }
    #expect((15...40).contains(tries), "\(tries) tries in ten minutes, at most 30 s apart")
    driver.change { $0.kernel = kernel(nil) }
    // The longest back-off with its jitter.
    for _ in 1...36 where driver.open.isEmpty { driver.advance(by: .seconds(1)) }
    try #require(driver.open == [.setPowered(true, adapter: "/org/bluez/hci0")])
    driver.answer()
    driver.change { $0.radios[0].isPowered = true }
    #expect(driver.phase == .connecting && driver.fault == nil)
  }

  @Test func aBlockThatComesWhileWaitingForPowerIsTold() {
    var driver = poweringOn()
    driver.answer(.failed("Failed"))
    driver.change { $0.kernel = kernel(.hard) }
    #expect(driver.fault == .adapterBlocked(.hard))
  }

  // MARK: No adapter at all

  @Test func anAdapterThatOnlyTheKernelSeesIsNamed() {
    let controllers = [HostController(index: 2, address: own)]
    var driver = Driver()
    driver.feed(.started)
    driver.answer()
    driver.change {
      $0.radios = []
      $0.kernel = kernel(.soft, of: nil, controllers: controllers)
    }
    #expect(driver.fault == .adapterNotTakenUp(name: "hci2", own))
    #expect(
      driver.fault?.reason == "the kernel has the Bluetooth adapter hci2 AA:BB:CC:DD:EE:01,"
        + " but bluetoothd does not show it"
    )
    driver.change { $0.kernel = kernel(.soft, of: nil) }
    #expect(driver.fault == .adapterBlocked(.soft), "a switch of the box's own takes it away")
    driver.change { $0.kernel = KernelView(controllers: .success([])) }
    #expect(driver.fault == .adapterMissing(pinned: nil))
  }

  /// As the configuration's, but a restart forgets it.
  @Test func theAdapterOfALinkThatIsUnpluggedIsGone() {
    var driver = Driver()
    driver.becomeReady()
    driver.change {
      $0.peers = []
      $0.radios = [.init(path: "/org/bluez/hci1", address: "AA:BB:CC:DD:EE:02")]
    }
    #expect(driver.fault == own.map { LinkFault.adapterGone(AdapterReference($0)) })
    #expect(driver.fault?.remedy?.contains("restart the bridge to use another one") == true)
  }

  @Test func ofTwoControllersOnlyThePinnedOneCounts() {
    let other = HostController(index: 1, address: BluetoothAddress("AA:BB:CC:DD:EE:02"))
    var driver = Driver(configuration: LinkConfiguration(adapter: own.map { AdapterReference($0) }))
    driver.feed(.started)
    driver.answer()
    driver.change {
      $0.radios = [.init(path: "/org/bluez/hci1", address: "AA:BB:CC:DD:EE:02")]
      $0.kernel = KernelView(controllers: .success([other]))
    }
    #expect(driver.fault == .adapterMissing(pinned: own.map { AdapterReference($0) }))
  }
}
