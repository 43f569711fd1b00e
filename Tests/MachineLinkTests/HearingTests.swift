import BlueZ
import DBus
import Testing

@testable import MachineLink
@testable import TestSupport

/// What counts as heard in a scan, and what is said of a scan that shows nothing.
@Suite struct HearingTests {
  private static let inProgress = BlueZError(
    "org.bluez.Error.InProgress",
    "Operation already in progress"
  )

  private func started(
    _ configuration: LinkConfiguration = LinkConfiguration(),
    peers: [BlueZModel.Peer] = []
  ) -> Driver {
    var driver = Driver(bluez: BlueZModel(peers: peers), configuration: configuration)
    driver.feed(.started)
    driver.answer()
    driver.change()
    return driver
  }

  private func peer(_ name: String? = "BallMachine", rssi: Int16? = nil) -> BlueZModel.Peer {
    .init(
      address: BlueZModel.machineAddress,
      adapter: BlueZModel.firstAdapter,
      name: name,
      rssi: rssi
    )
  }

  private var isFound: LinkOperation { .stopDiscovery(adapter: BlueZModel.firstAdapter) }

  // MARK: Controllers without signal strengths

  @Test func aDeviceThatAppearsDuringTheScanIsHeardWithoutASignalStrength() {
    var driver = started()
    driver.answer()
    driver.signal { $0.peers = [self.peer()] }
    driver.advance(by: .seconds(2))
    #expect(driver.open == [isFound])
  }

  /// BlueZ shows after its start what it knows from earlier.
  @Test(arguments: [true, false])
  func aDeviceThatBlueZKnowsFromEarlierIsNotHeardByAppearing(isTrusted: Bool) {
    var driver = started()
    driver.answer()
    driver.signal {
      $0.peers = [self.peer()]
      $0.peers[0].isTrusted = isTrusted
      $0.peers[0].isPaired = !isTrusted
    }
    driver.advance(by: .seconds(19))
    #expect(driver.open == [])
  }

  @Test func aDeviceThatAppearedBeforeTheScanIsNotHeardInIt() {
    var driver = started()
    driver.signal { $0.peers = [self.peer()] }
    driver.answer()
    driver.advance(by: .seconds(19))
    #expect(driver.open == [])
  }

  /// BlueZ signals nothing more of what it lists: once forgotten, it is shown anew if it is there.
  @Test func aDeviceThatIsOnlyListedIsForgottenAndHeardAnew() {
    var driver = started(peers: [peer()])
    let device = driver.bluez.peers[0]
    driver.answer()
    driver.advance(by: .seconds(20))
    #expect(driver.fault?.reason.contains("BlueZ lists F0:F1:F2:F3:F4:F5 BallMachine") == true)
    driver.answer()  // stop discovery
    #expect(driver.open == [.removeDevice(device.path, adapter: device.adapter)])
    driver.signal { $0.peers = [] }
    driver.answer()
    driver.answer()  // observe
    driver.answer()  // start discovery
    driver.signal { $0.peers = [self.peer()] }
    driver.advance(by: .seconds(2))
    #expect(driver.open == [isFound])
    #expect(driver.fault == nil)
  }

  /// It may be another person's, or BlueZ would not let it go: that is tried once.
  @Test(arguments: [true, false])
  func aDeviceThatIsListedOnlyIsForgottenOnceAndNeverAPairedOne(isPaired: Bool) {
    var device = peer()
    device.isPaired = isPaired
    var driver = started(peers: [device])
    var removals = 0
    for _ in 1...100 {
      if case .removeDevice? = driver.open.first {
        removals += 1
        driver.answer(.failed("Failed"))
      } else if driver.open.isEmpty {
        driver.advance(by: .seconds(20))
      } else {
        driver.answer()
      }
    }
    #expect(removals == (isPaired ? 0 : 1))
    guard case .machineListedOnly? = driver.fault else {
      Issue.record("\(String(describing: driver.fault))")
      return
    }
  }

  /// Where others have a signal strength, the machine would have one.
  @Test func aDeviceThatIsListedOnlyStaysWhereOthersAreHeard() {
    var other = BlueZModel.Peer(
      address: "11:22:33:44:55:66",
      adapter: BlueZModel.firstAdapter,
      name: nil
    )
    other.uuids = []
    var driver = started(peers: [peer(), other])
    driver.answer()
    driver.advance(by: .seconds(20))
    driver.answer()
    guard case .startDiscovery? = driver.open.first else {
      Issue.record("\(driver.open)")
      return
    }
  }

  @Test func aSignalStrengthOf127IsNone() {
    var driver = started(peers: [peer(rssi: 127)])
    driver.answer()
    driver.advance(by: .seconds(2))
    #expect(driver.open == [isFound])
    #expect(driver.statuses.last?.signal == nil)
  }

  // MARK: Another program's scan

  @Test func aScanThatCanNotBeginUsesAnothersScan() {
    var driver = started()
    driver.change { $0.radios[0].isDiscovering = true }
    driver.answer(Self.inProgress)
    #expect(driver.phase == .discovering && driver.fault == nil)
    driver.signal { $0.peers = [self.peer(rssi: -60)] }
    driver.advance(by: .seconds(2))
    // It may be ours after all.
    #expect(driver.open == [isFound])
    driver.answer(.failed("No discovery started"))
    #expect(driver.open == [.trust(driver.bluez.peers[0].path)])
  }

  @Test func anothersScanThatShowsNothingIsNamed() {
    var driver = started()
    driver.change { $0.radios[0].isDiscovering = true }
    driver.answer(Self.inProgress)
    driver.advance(by: .seconds(20))
    #expect(driver.fault == .notInOthersScan(Self.inProgress))
    #expect(driver.fault?.remedy?.contains("end that scan") == true)
  }

  @Test func aScanThatCanNotBeginWhereNoneIsOnHasFailed() {
    var driver = started()
    driver.answer(Self.inProgress)
    #expect(driver.fault == .scanFailed(Self.inProgress))
  }

  // MARK: A bus without signals

  @Test func aBusThatPassesNoSignalsIsNamedAfterTheFirstScan() {
    var driver = started()
    driver.readOnDeafBus()
    driver.answer()
    driver.advance(by: .seconds(20))
    #expect(driver.open == [.observe(.everything)])
    driver.bluez.radios[0].isDiscovering = true
    driver.readOnDeafBus()
    driver.answer()
    #expect(driver.fault == .signalsMissing)
    #expect(driver.fault?.remedy?.contains("receive_sender") == true)
    #expect(driver.open == [isFound], "the scan is ours to end")
    // Also when nothing differs from the last look.
    driver.answer()
    driver.advance(by: .seconds(1))
    driver.answer()
    driver.advance(by: .seconds(20))
    #expect(driver.open == [.observe(.everything)])
    driver.readOnDeafBus()
    driver.answer()
    #expect(driver.fault == .signalsMissing)
  }

  /// It might have been there all the time: only what was not signalled proves something.
  @Test func silenceAloneProvesNothing() {
    var driver = started()
    driver.bluez.radios[0].isDiscovering = true
    driver.readOnDeafBus()
    driver.answer()
    driver.advance(by: .seconds(20))
    driver.readOnDeafBus()
    driver.answer()
    #expect(driver.fault == .machineNotSeen)
    #expect(driver.open == [isFound])
  }

  @Test func aLinkWithoutAnySignalNamesTheBus() {
    var driver = started(
      LinkConfiguration(address: BluetoothAddress(BlueZModel.machineAddress)),
      peers: [peer()]
    )
    driver.answer()  // trust
    driver.bluez.peers[0].isConnected = true
    driver.readOnDeafBus()
    driver.answer()  // connect, or the link is adopted
    while driver.phase != .resolving { driver.answer() }
    while !driver.open.isEmpty { driver.answer() }
    driver.advance(by: .seconds(15))
    #expect(driver.fault == .signalsMissing)
  }

  // MARK: Names and addresses that only look right

  @Test(arguments: [
    "BallMachine ", " BallMachine", "Ball Machine", "BallMachine\u{200B}", "BALLMACHINE",
  ])
  func aNameThatOnlyLooksRightIsTold(name: String) {
    var device = peer(name, rssi: -60)
    device.uuids = []
    var driver = started(LinkConfiguration(name: "BallMachine"), peers: [device])
    for _ in 1...6 {
      driver.answer()
      driver.change { $0.peers[0].rssi = -60 }
      driver.advance(by: .seconds(20))
      guard case .nearlyNamed(let devices, "BallMachine")? = driver.fault else {
        Issue.record("\(String(describing: driver.fault))")
        return
      }
      #expect(devices.map(\.name) == [name])
      driver.answer()
    }
    #expect(driver.phase == .discovering, "it is told, not taken")
    #expect(driver.fault?.reason.contains("\u{200B}") == false)
  }

  @Test(arguments: [
    ("BallMachine ", #"BallMachine\u0020"#), ("A B", "A B"), ("A  B", #"A\u0020\u0020B"#),
    ("B\u{200B}", #"B\u200B"#), ("\u{E0001}B", #"\U000E0001B"#), ("B'", #"B\u0027"#),
    ("B\n", #"B\u000A"#), ("Bälle", "Bälle"), ("", ""), (" ", #"\u0020"#),
  ])
  func whatDoesNotShowIsSpelled(_ name: String, _ spelled: String) {
    #expect(NearName.spelled(name) == spelled)
  }

  /// As soon as it is told that a device may be a machine, not only at the scan's end.
  @Test func aNameThatOnlyLooksRightIsToldSoon() {
    var driver = started(
      LinkConfiguration(name: "BallMachine"),
      peers: [peer("BallMachine ", rssi: -60)]
    )
    driver.answer()
    driver.change { $0.peers[0].rssi = -61 }
    driver.advance(by: .seconds(2))
    guard case .nearlyNamed? = driver.fault else {
      Issue.record("\(String(describing: driver.fault))")
      return
    }
  }

  @Test func anAddressWhoseTypeHasChangedIsToldAsThat() {
    let memory = RememberedMachine(
      address: BluetoothAddress(BlueZModel.machineAddress)!,
      addressType: .random,
      name: nil,
      profile: "ball-machine",
      adapter: BluetoothAddress("AA:BB:CC:DD:EE:01")!,
      isSimulated: false
    )
    var device = peer(rssi: -60)
    device.isPublic = true
    var driver = started(LinkConfiguration(remembered: [memory]), peers: [device])
    for _ in 1...3 {
      driver.answer()
      driver.advance(by: .seconds(20))
      #expect(driver.fault == .addressTypeChanged(memory.address, from: .random, to: .public))
      driver.answer()  // stop discovery
    }
    #expect(driver.fault?.reason.contains("another one is") == false)
  }
}
