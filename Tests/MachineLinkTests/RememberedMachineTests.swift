import BlueZ
import Clocks
import CourtLogic
import DBus
import Testing

@testable import MachineLink
@testable import TestSupport

/// What an earlier link leaves behind for the next one, and what that decides.
@Suite struct RememberedMachineTests {
  private static let address = BlueZModel.machineAddress
  private static let other = "F0:00:00:00:00:02"

  private static func memory(
    _ address: String = address,
    type: Device.AddressType = .random,
    name: String? = nil,
    isSimulated: Bool = false
  ) -> RememberedMachine {
    RememberedMachine(
      address: BluetoothAddress(address)!,
      addressType: type,
      name: name,
      profile: "ball-machine",
      adapter: BluetoothAddress("AA:BB:CC:DD:EE:01")!,
      isSimulated: isSimulated
    )
  }

  /// A link that has just read BlueZ's objects.
  private func started(
    _ configuration: LinkConfiguration,
    with peers: [BlueZModel.Peer]? = nil
  ) -> Driver {
    var driver = Driver(
      bluez: peers.map { BlueZModel(peers: $0) } ?? BlueZModel(),
      configuration: configuration
    )
    driver.feed(.started)
    driver.answer()
    driver.change()
    return driver
  }

  private func peer(_ address: String, rssi: Int16? = -60) -> BlueZModel.Peer {
    var peer = BlueZModel.Peer(address: address, adapter: "/org/bluez/hci0")
    peer.rssi = rssi
    return peer
  }

  // MARK: What is remembered

  @Test(arguments: [
    ("F0:F1:F2:F3:F4:F5", Device.AddressType.random, true),
    ("C0:00:00:00:00:00", .random, true),
    ("BF:FF:FF:FF:FF:FF", .random, false),
    ("7F:F1:F2:F3:F4:F5", .random, false),
    ("40:00:00:00:00:00", .random, false),
    ("3F:F1:F2:F3:F4:F5", .random, false),
    ("00:00:00:00:00:01", .random, false),
    ("3F:F1:F2:F3:F4:F5", .public, true),
    ("7F:F1:F2:F3:F4:F5", .public, true),
  ])
  func onlyAnAddressThatStaysLasts(_ address: String, _ type: Device.AddressType, _ lasts: Bool) {
    #expect(Self.memory(address, type: type).isLasting == lasts)
  }

  @Test func aLinkIsProvenAfterThirtySeconds() {
    var driver = Driver()
    driver.becomeReady()
    #expect(driver.phase == .ready)
    #expect(driver.statuses.last?.proven == nil)
    driver.advance(by: .milliseconds(29_999))
    #expect(driver.statuses.last?.proven == nil)
    driver.advance(by: .milliseconds(1))
    #expect(driver.statuses.last?.proven == Self.memory())
  }

  @Test(arguments: [["write"], ["write-without-response"]])
  func aLinkIsProvenByItsFirstCommand(flags: [String]) throws {
    var driver = Driver()
    driver.bluez.peers[0].table[0].flags = flags
    driver.becomeReady()
    let command = try MachineCommand(digits: "105001050012002000")
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    #expect(driver.statuses.last?.proven == nil)
    driver.answer()
    #expect(driver.statuses.last?.proven == Self.memory())
  }

  @Test func aCommandThatFailsProvesNothing() throws {
    var driver = Driver()
    driver.becomeReady()
    let command = try MachineCommand(digits: "105001050012002000")
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    driver.answer(.failed("Operation failed with ATT error: 0x80"))
    #expect(driver.statuses.last?.proven == nil)
  }

  @Test func aLinkThatFallsTooSoonIsNotRemembered() {
    var driver = Driver()
    driver.becomeReady()
    driver.advance(by: .seconds(20))
    driver.change { $0.peers[0].isConnected = false }
    driver.advance(by: .seconds(20))
    #expect(driver.statuses.last?.proven == nil)
    #expect(goesToAnother(&driver))
  }

  @Test func aPrivateAddressIsNeverRemembered() {
    var driver = Driver(bluez: BlueZModel(peers: [peer("7F:F1:F2:F3:F4:F5")]))
    driver.becomeReady()
    #expect(driver.phase == .ready)
    driver.advance(by: .seconds(60))
    #expect(driver.statuses.last?.proven == nil)
    driver.change { $0.peers[0].isConnected = false }
    #expect(goesToAnother(&driver))
  }

  @Test func aMachineOfAGoodLinkIsTheOnlyOne() {
    var driver = Driver()
    driver.becomeReady()
    driver.advance(by: .seconds(30))
    driver.change { $0.peers[0].isConnected = false }
    #expect(!goesToAnother(&driver))
  }

  /// Whether a link is made to another machine that is heard, while the one before is away.
  private func goesToAnother(_ driver: inout Driver) -> Bool {
    driver.change {
      $0.peers[0].isResolved = false
      $0.peers[0].rssi = nil
      $0.peers.append(self.peer(Self.other, rssi: nil))
    }
    for _ in 0..<300 {
      switch driver.open.first {
      case .trust(driver.bluez.peers[1].path)?: return true
      case .connect?: driver.answer(.failed("le-connection-abort-by-local"))
      case .startDiscovery?:
        driver.answer()
        driver.change { $0.peers[1].rssi = -60 }
      case nil: driver.advance(by: .seconds(1))
      default: driver.answer()
      }
    }
    return false
  }

  @Test func theNameUnderWhichItWasFoundIsKept() {
    var driver = Driver(configuration: LinkConfiguration(name: "BallMachine"))
    driver.becomeReady()
    driver.advance(by: .seconds(30))
    #expect(driver.statuses.last?.proven == Self.memory(name: "BallMachine"))
    // Found again without it, it is still the one of that name.
    var later = started(LinkConfiguration(remembered: [Self.memory(name: "BallMachine")]))
    later.finishConnecting()
    later.advance(by: .seconds(30))
    #expect(later.statuses.last?.proven == Self.memory(name: "BallMachine"))
  }

  // MARK: What it decides

  @Test func aMachineThatBlueZKnowsIsConnectedToWithoutAScan() {
    let driver = started(
      LinkConfiguration(remembered: [Self.memory()]),
      with: [peer(Self.address, rssi: nil)]
    )
    #expect(driver.open == [.trust(driver.bluez.peers[0].path)])
    #expect(driver.statuses.last?.isChosenByMemory == true)
  }

  /// A starting bluetoothd tells its adapter before the devices that it knows.
  @Test(arguments: [nil, "BallMachine"])
  func aMachineThatBlueZShowsLateIsConnectedToWithoutBeingHeard(name: String?) {
    var driver = started(
      LinkConfiguration(name: name, remembered: [Self.memory(name: name)]),
      with: []
    )
    driver.answer()
    driver.change { $0.peers = [peer(Self.address, rssi: nil)] }
    #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
    driver.answer()
    #expect(driver.open == [.trust(driver.bluez.peers[0].path)])
  }

  @Test func aMachineThatBlueZHasForgottenIsScannedFor() throws {
    var driver = started(LinkConfiguration(remembered: [Self.memory()]), with: [])
    guard case .startDiscovery? = driver.open.first else {
      Issue.record("\(driver.open)")
      return
    }
    driver.answer()
    driver.change { $0.peers = [self.peer(Self.other)] }
    driver.advance(by: .seconds(10))
    #expect(driver.phase == .discovering && driver.open.isEmpty)
    // It is known by its address: no second one is waited for.
    driver.change { $0.peers.append(self.peer(Self.address)) }
    #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
    driver.answer()
    #expect(driver.open == [.trust(driver.bluez.peers[1].path)])
  }

  @Test func anotherMachineIsNeverUsedInItsPlace() throws {
    var driver = started(
      LinkConfiguration(remembered: [Self.memory()]),
      with: [peer(Self.other)]
    )
    for _ in 0..<20 {
      while !driver.open.isEmpty { driver.answer() }
      driver.advance(by: .seconds(5))
    }
    #expect(driver.phase == .discovering)
    let fault = try #require(driver.fault)
    #expect(fault.reason.contains(Self.other) && fault.reason.contains(Self.address))
    #expect(fault.remedy == "to use another machine, choose it by its address")
  }

  /// BlueZ still knows the machine, but it is gone for good, and another one stands there.
  @Test func whileConnectingFailsTheOthersInRangeAreTold() {
    var driver = started(
      LinkConfiguration(remembered: [Self.memory()]),
      with: [peer(Self.address, rssi: nil)]
    )
    driver.answer()
    for _ in 1...2 {
      #expect(driver.open == [.connect(driver.bluez.peers[0].path)])
      driver.advance(by: .seconds(41))
      driver.answer(.failed("le-connection-abort-by-local"))
      while driver.open.first.map(\.isCleanUp) == true { driver.answer() }
      if case .trust? = driver.open.first { driver.answer() }
    }
    guard case .startDiscovery(_, let filter)? = driver.open.first else {
      Issue.record("\(driver.open)")
      return
    }
    #expect(filter == .lowEnergy(prefix: nil))
    driver.answer()
    driver.change { $0.peers.append(self.peer(Self.other)) }
    driver.advance(by: .seconds(20))
    #expect(
      driver.fault?.reason.contains("\(Self.address) is not in range, but another one is") == true
    )
    driver.answer()
    #expect(driver.open == [.trust(driver.bluez.peers[0].path)])
  }

  @Test func aConfiguredAddressDecidesAlone() {
    let driver = started(
      LinkConfiguration(
        address: BluetoothAddress(Self.other),
        remembered: [Self.memory()]
      ),
      with: [peer(Self.address, rssi: nil), peer(Self.other, rssi: nil)]
    )
    #expect(driver.open == [.trust(driver.bluez.peers[1].path)])
    #expect(driver.statuses.last?.isChosenByMemory == false)
  }

  @Test(arguments: [("BallMachine", true), ("Other", false), (nil, false)])
  func aConfiguredNameTrustsOnlyWhatWasFoundUnderIt(_ name: String?, _ counts: Bool) {
    let driver = started(
      LinkConfiguration(name: "BallMachine", remembered: [Self.memory(name: name)]),
      with: [peer(Self.address, rssi: nil)]
    )
    #expect((driver.phase == .connecting) == counts)
    #expect((driver.phase == .discovering) == !counts)
  }

  @Test(arguments: [false, true])
  func realAndSimulatedMachinesAreNotConfused(isSimulated: Bool) {
    let memories = [Self.memory(isSimulated: !isSimulated)]
    var driver = Driver(
      bluez: BlueZModel(peers: [peer(Self.address, rssi: nil)]),
      configuration: LinkConfiguration(remembered: memories)
    )
    driver.bluez.isSimulated = isSimulated
    driver.feed(.started)
    driver.answer()
    driver.change()
    #expect(driver.phase == .discovering)
    #expect(driver.statuses.last?.isChosenByMemory == false)
    #expect(driver.statuses.last?.machine == nil)
  }

  @Test func aPrivateAddressInTheConfigurationCountsForNothing() {
    let driver = started(
      LinkConfiguration(remembered: [Self.memory("7F:F1:F2:F3:F4:F5")]),
      with: [peer("7F:F1:F2:F3:F4:F5", rssi: nil)]
    )
    #expect(driver.phase == .discovering)
    #expect(driver.statuses.last?.isChosenByMemory == false)
  }

  @Test func theSameDigitsOfTheOtherKindAreAnotherMachine() {
    let driver = started(
      LinkConfiguration(remembered: [Self.memory(type: .public)]),
      with: [peer(Self.address, rssi: nil)]
    )
    #expect(driver.phase == .discovering)
  }

  @Test func aRememberedDeviceIsOursWhateverItsService() {
    var machine = peer(Self.address, rssi: nil)
    machine.uuids = []
    machine.table = [.init(service: "ffe0", characteristic: "ffe1", flags: ["write"])]
    var driver = started(LinkConfiguration(remembered: [Self.memory()]), with: [machine])
    driver.finishConnecting()
    #expect(driver.statuses.last?.profile == "hm-10")
  }

  @Test(arguments: [
    (nil as String?, false, "/org/bluez/hci1"), (address, false, "/org/bluez/hci1"),
    (other, false, "/org/bluez/hci0"), (address, true, "/org/bluez/hci0"),
  ])
  func theAdapterThatKnowsTheMachineIsTakenOfTwo(
    _ configured: String?,
    isSimulated: Bool,
    _ taken: String
  ) {
    var driver = Driver(
      bluez: BlueZModel(peers: []),
      configuration: LinkConfiguration(
        address: configured.flatMap(BluetoothAddress.init),
        remembered: [Self.memory(isSimulated: isSimulated)]
      )
    )
    driver.bluez.radios = [
      .init(path: "/org/bluez/hci0", address: "AA:BB:CC:DD:EE:99"),
      .init(path: "/org/bluez/hci1", address: "AA:BB:CC:DD:EE:01"),
    ]
    driver.feed(.started)
    driver.answer()
    driver.change()
    guard case .startDiscovery(let adapter, _)? = driver.open.first else {
      Issue.record("\(driver.open)")
      return
    }
    #expect("\(adapter)" == taken)
  }

  /// A link whose machine is known by hci1, which is off, beside hci0.
  private func beside(
    _ isOtherOn: Bool,
    _ configured: String? = nil,
    isLate: Bool = false
  ) -> Driver {
    var driver = Driver(
      bluez: BlueZModel(peers: []),
      configuration: LinkConfiguration(
        address: configured.flatMap(BluetoothAddress.init),
        remembered: [Self.memory()]
      )
    )
    let known = BlueZModel.Radio(
      path: "/org/bluez/hci1",
      address: "AA:BB:CC:DD:EE:01",
      isPowered: false
    )
    driver.bluez.radios = [
      .init(path: "/org/bluez/hci0", address: "AA:BB:CC:DD:EE:99", isPowered: isOtherOn)
    ]
    if !isLate { driver.bluez.radios.append(known) }
    driver.feed(.started)
    driver.answer()
    driver.change()
    if isLate {
      driver.answer()  // start discovery
      driver.change { $0.radios.append(known) }
    }
    return driver
  }

  private func scans(_ driver: Driver, on adapter: String) -> Bool {
    guard case .startDiscovery(let path, _)? = driver.open.last else { return false }
    return "\(path)" == adapter
  }

  /// Otherwise a stop that is owed would wait for ever.
  @Test(arguments: [true, false], [nil, address])
  func theAdapterThatKnowsTheMachineIsSwitchedOnBesideAnother(
    isOtherOn: Bool,
    _ configured: String?
  ) {
    var driver = beside(isOtherOn, configured)
    #expect(driver.open == [.setPowered(true, adapter: "/org/bluez/hci1")])
    driver.change { $0.radios[1].isPowered = true }
    #expect(scans(driver, on: "/org/bluez/hci1"))
  }

  @Test func anAdapterThatKnowsTheMachineAndComesLateIsSwitchedOn() {
    var driver = beside(true, isLate: true)
    #expect(driver.open == [.setPowered(true, adapter: "/org/bluez/hci1")])
    driver.change { $0.radios[1].isPowered = true }
    // The other one's scan is ours to end.
    #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
    driver.answer()
    #expect(scans(driver, on: "/org/bluez/hci1"))
  }

  @Test(arguments: [true, false])
  func ifTheAdapterThatKnowsTheMachineStaysOffAnotherServes(isOtherOn: Bool) {
    var driver = beside(isOtherOn)
    driver.answer(.failed("Failed"))
    if !isOtherOn {
      #expect(driver.open == [.setPowered(true, adapter: "/org/bluez/hci0")])
      driver.change { $0.radios[0].isPowered = true }
    }
    #expect(scans(driver, on: "/org/bluez/hci0"))
    // It may come on later.
    driver.change { $0.radios[1].isPowered = true }
    driver.answer()
    #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
    driver.answer()
    #expect(scans(driver, on: "/org/bluez/hci1"))
  }

  /// bluetoothd switches it on itself.
  @Test func anAdapterThatIsJustComingOnIsAwaited() {
    var driver = beside(true)
    driver.answer(BlueZError(kind: .busy, name: "org.bluez.Error.Busy", message: "Busy"))
    #expect(driver.open == [] && driver.phase == .waitingForAdapter)
    driver.change { $0.radios[1].isPowered = true }
    #expect(scans(driver, on: "/org/bluez/hci1"))
  }

  /// As after a boot: one is there first.
  @Test(arguments: [true, false], [nil, address])
  func theAdapterThatKnowsTheMachineIsTakenUntilThereIsALink(
    isLinked: Bool,
    _ configured: String?
  ) {
    var driver = Driver(
      bluez: BlueZModel(peers: isLinked ? [peer(Self.address)] : []),
      configuration: LinkConfiguration(
        address: configured.flatMap(BluetoothAddress.init),
        remembered: [Self.memory()]
      )
    )
    driver.bluez.radios = [.init(path: "/org/bluez/hci0", address: "AA:BB:CC:DD:EE:99")]
    if isLinked {
      driver.becomeReady()
    } else {
      driver.feed(.started)
      driver.answer()
      driver.change()
      driver.answer()
    }
    driver.change {
      $0.radios.append(.init(path: "/org/bluez/hci1", address: "AA:BB:CC:DD:EE:01"))
    }
    #expect(driver.phase == (isLinked ? .ready : .backingOff))
    #expect(driver.open == (isLinked ? [] : [.stopDiscovery(adapter: "/org/bluez/hci0")]))
    let used = isLinked ? "AA:BB:CC:DD:EE:99" : "AA:BB:CC:DD:EE:01"
    #expect(driver.statuses.last?.adapter?.address == BluetoothAddress(used))
  }
}

extension LinkOperation {
  fileprivate var isCleanUp: Bool {
    switch self {
    case .disconnect, .observe: true
    default: false
    }
  }
}
