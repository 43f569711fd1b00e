import BlueZ
import Clocks
import CourtLogic
import DBus
import Testing

@testable import MachineLink
@testable import TestSupport

@Suite struct LinkStateMachineTests {
  private let machine = BluetoothAddress(BlueZModel.machineAddress)
  private let command = try! MachineCommand(digits: "105001050012002000")

  private func ready(_ configuration: LinkConfiguration = LinkConfiguration()) -> Driver {
    var driver = Driver(configuration: configuration)
    driver.becomeReady()
    return driver
  }

  @Test(arguments: [false, true])
  func aLinkThroughAnotherStackIsAnotherLink(toSimulated: Bool) {
    var configuration = LinkConfiguration()
    configuration.address = machine
    var bluez = BlueZModel()
    bluez.isSimulated = !toSimulated
    var driver = Driver(bluez: bluez, configuration: configuration)
    driver.becomeReady()
    #expect(driver.machine.linked?.isSimulated == !toSimulated)
    driver.feed(.stopRequested(CommandID(number: 1)))
    driver.answer()
    driver.change { $0.isSimulated = toSimulated }
    #expect(driver.phase != .ready)
    #expect(driver.statuses.last?.isSimulated == toSimulated)
    #expect(driver.fault == .otherStack(isSimulated: toSimulated))
    // BlueZ holds the link still: it is looked at again.
    driver.advance(by: .seconds(1))
    while driver.phase != .ready, !driver.open.isEmpty { driver.answer() }
    #expect(driver.phase == .ready)
    #expect(driver.machine.linked?.isSimulated == toSimulated)
  }

  /// One that has just started shows neither its mark nor an adapter yet.
  @Test func aStackThatShowsNothingYetIsNoOther() {
    var bluez = BlueZModel()
    bluez.isSimulated = true
    var driver = Driver(bluez: bluez)
    driver.becomeReady()
    let radios = driver.bluez.radios
    driver.change {
      $0.clearLinks()
      $0.startService()
      $0.isSimulated = false
      $0.radios = []
    }
    driver.change { $0.isSimulated = true }
    driver.change { $0.radios = radios }
    #expect(driver.statuses.allSatisfy { $0.isSimulated != false })
    #expect(!driver.statuses.contains { $0.fault == .otherStack(isSimulated: false) })
  }

  @Test func itGoesFromNothingToReady() {
    var driver = Driver()
    driver.feed(.started)
    #expect(driver.open == [.openBus])
    driver.answer()
    driver.change()
    #expect(driver.phase == .discovering)
    guard case .startDiscovery("/org/bluez/hci0", let filter)? = driver.open.first else {
      Issue.record("no discovery but \(driver.open)")
      return
    }
    #expect(filter == .lowEnergy(prefix: nil))
    driver.answer()
    #expect(driver.open.isEmpty, "it waits for a second machine first")
    driver.advance(by: .seconds(2))
    #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
    driver.answer()
    let device = driver.bluez.peers[0].path
    #expect(driver.open == [.trust(device)])
    driver.answer()
    #expect(driver.open == [.connect(device)])
    driver.change { $0.peers[0].isConnected = true }
    driver.answer()
    #expect(driver.phase == .resolving)
    #expect(driver.open == [.observe(.device(device))])
    driver.answer()
    // Services are resolved before their objects are there: they are fetched.
    driver.change {
      $0.peers[0].isResolved = true
      $0.peers[0].showsTable = false
    }
    #expect(driver.open == [.observe(.device(device))])
    driver.bluez.peers[0].showsTable = true
    driver.change()
    driver.answer()
    #expect(driver.phase == .ready)
    #expect(driver.statuses.last?.profile == "ball-machine")
    #expect(driver.statuses.last?.machine == machine)
    #expect(driver.fault == nil)
  }

  /// What has another name is heard by turns, to be told.
  @Test(arguments: [
    (LinkConfiguration(name: "Court 7"), "Court 7"),
    (LinkConfiguration(address: BluetoothAddress("F0:F1:F2:F3:F4:F5")), "F0:F1:F2:F3:F4:F5"),
  ])
  func whatIsConfiguredIsSoughtFirst(configuration: LinkConfiguration, pattern: String) {
    var driver = Driver(configuration: configuration)
    driver.bluez.peers = []
    driver.feed(.started)
    driver.answer()
    driver.change()
    var filters: [DiscoveryFilter] = []
    for _ in 1...2 {
      if case .startDiscovery(_, let filter)? = driver.open.first { filters.append(filter) }
      driver.answer()
      driver.advance(by: .seconds(20))
      driver.answer()
    }
    #expect(filters == [.lowEnergy(prefix: pattern), .lowEnergy(prefix: nil)])
  }

  @Test func anAdapterThatIsOffIsPoweredOnAtTheStart() {
    var driver = Driver()
    driver.feed(.started)
    driver.answer()
    driver.change { $0.radios[0].isPowered = false }
    #expect(driver.open == [.setPowered(true, adapter: "/org/bluez/hci0")])
    driver.answer()
    driver.change { $0.radios[0].isPowered = true }
    #expect(driver.phase == .discovering)
  }

  @Test func anAdapterThatIsSwitchedOffIsLeftAlone() {
    var driver = ready()
    driver.change {
      $0.radios[0].isPowered = false
      $0.peers[0].isConnected = false
      $0.peers[0].isResolved = false
    }
    #expect(driver.phase == .waitingForAdapter)
    #expect(driver.fault == .adapterOff)
    driver.advance(by: .seconds(600))
    #expect(driver.open.isEmpty)
    driver.change { $0.radios[0].isPowered = true }
    #expect(driver.phase == .connecting && driver.fault == nil)
  }

  @Test func thePinnedAdapterIsFoundAgainUnderAnotherPath() {
    var driver = ready()
    driver.change {
      $0.radios = []
      $0.peers = []
    }
    #expect(driver.phase == .waitingForAdapter)
    driver.answer()
    driver.change { $0.radios = [.init(path: "/org/bluez/hci0", address: "AA:BB:CC:DD:EE:99")] }
    #expect(driver.phase == .waitingForAdapter, "another adapter is not ours")
    driver.change {
      $0.radios.append(.init(path: "/org/bluez/hci1", address: "AA:BB:CC:DD:EE:01"))
      $0.peers = [.init(address: BlueZModel.machineAddress, adapter: "/org/bluez/hci1")]
    }
    #expect(driver.phase == .connecting)
  }

  /// Only the device of the link was followed until then.
  @Test func anAdapterThatTakesOverIsSwitchedOnAndThePinnedOneIsSeen() {
    var driver = Driver(configuration: LinkConfiguration(allowsOtherAdapter: true))
    var other = BlueZModel.Radio(path: "/org/bluez/hci1", address: "AA:BB:CC:DD:EE:99")
    other.isPowered = false
    driver.bluez.radios.append(other)
    driver.becomeReady()
    driver.change {
      $0.radios.removeFirst()
      $0.peers = []
    }
    #expect(driver.phase == .waitingForAdapter)
    #expect(driver.open == [.observe(.everything)])
    driver.answer()
    #expect(driver.open == [.setPowered(true, adapter: "/org/bluez/hci1")])
    driver.answer()
    driver.change { $0.radios[0].isPowered = true }
    #expect(driver.phase == .discovering)
    driver.answer()
    driver.change { $0.radios[0].isPowered = false }
    #expect(driver.phase == .waitingForAdapter && driver.fault == .adapterOff)
  }

  @Test func aScanOnAStandInEndsWhenThePinnedAdapterIsBack() throws {
    var driver = ready(LinkConfiguration(allowsOtherAdapter: true))
    driver.change {
      $0.peers = []
      $0.radios = [.init(path: "/org/bluez/hci7", address: "AA:BB:CC:DD:EE:99")]
    }
    driver.answer()
    guard case .startDiscovery("/org/bluez/hci7", _)? = driver.open.first else {
      Issue.record("\(driver.open)")
      return
    }
    driver.answer()
    driver.change { $0.radios.append(.init(path: "/org/bluez/hci0", address: "AA:BB:CC:DD:EE:01")) }
    try #require(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci7")])
    driver.answer()
    guard case .startDiscovery("/org/bluez/hci0", _)? = driver.open.first else {
      Issue.record("\(driver.open)")
      return
    }
  }

  @Test func aStandInIsNotSwitchedOffWhenThePinnedAdapterIsBack() {
    var driver = ready(LinkConfiguration(allowsOtherAdapter: true, allowsPowerCycle: true))
    driver.change {
      $0.peers = [.init(address: BlueZModel.machineAddress, adapter: "/org/bluez/hci7")]
      $0.peers[0].isTrusted = true
      $0.radios = [.init(path: "/org/bluez/hci7", address: "AA:BB:CC:DD:EE:99")]
    }
    driver.answer()
    let refusal = BlueZError.failed("le-connection-abort-by-local")
    var failures = 0
    while failures < 8 {
      guard let operation = driver.open.first else {
        driver.advance(by: .seconds(1))
        continue
      }
      guard case .connect = operation else {
        driver.answer()
        continue
      }
      failures += 1
      if failures == 8 {
        driver.change {
          $0.radios.append(.init(path: "/org/bluez/hci0", address: "AA:BB:CC:DD:EE:01"))
        }
      }
      driver.answer(refusal)
    }
    #expect(!driver.open.contains(.setPowered(false, adapter: "/org/bluez/hci7")))
  }

  @Test(arguments: [true, false])
  func aLinkIsNotGivenUpForThePinnedAdapter(isOn: Bool) throws {
    var driver = ready(LinkConfiguration(allowsOtherAdapter: true))
    driver.change {
      $0.peers = [.init(address: BlueZModel.machineAddress, adapter: "/org/bluez/hci7")]
      $0.peers[0].isConnected = true
      $0.peers[0].isResolved = true
      $0.radios = [.init(path: "/org/bluez/hci7", address: "AA:BB:CC:DD:EE:99")]
    }
    while !driver.open.isEmpty { driver.answer() }
    try #require(driver.phase == .ready)
    driver.change {
      var pinned = BlueZModel.Radio(path: "/org/bluez/hci0", address: "AA:BB:CC:DD:EE:01")
      pinned.isPowered = isOn
      $0.radios.append(pinned)
    }
    #expect(driver.phase == .ready)
    #expect(driver.statuses.last?.adapter?.address == BluetoothAddress("AA:BB:CC:DD:EE:99"))
    driver.change {
      $0.radios.removeFirst()
      $0.peers = []
    }
    #expect(driver.statuses.last?.adapter?.address == BluetoothAddress("AA:BB:CC:DD:EE:01"))
  }

  // MARK: Which device is ours

  /// A second machine is in range, and a scan is asked for.
  private func seekingAmongTwo(_ configuration: LinkConfiguration = LinkConfiguration()) -> Driver {
    var bluez = BlueZModel()
    bluez.peers.append(.init(address: "F0:00:00:00:00:02", adapter: "/org/bluez/hci0"))
    var driver = Driver(bluez: bluez, configuration: configuration)
    driver.feed(.started)
    driver.answer()
    driver.change()
    return driver
  }

  @Test func twoMachinesAreAnErrorThatListsBoth() {
    var driver = seekingAmongTwo()
    driver.answer()
    for _ in 0..<6 {
      driver.advance(by: .seconds(20))
      driver.answer()  // stop discovery
      driver.answer()  // start discovery
    }
    #expect(driver.phase == .discovering)
    guard case .ambiguousMachines(let devices)? = driver.fault else {
      Issue.record("\(String(describing: driver.fault))")
      return
    }
    #expect(devices.count == 2)
    #expect(driver.fault?.reason.contains("F0:00:00:00:00:02") == true)
  }

  /// A gone device stays heard until the scan ends, and one scan may miss for a moment who is there.
  @Test(arguments: [nil, "BallMachine"])
  func ofTwoMachinesOneIsMeantOnlyAfterAScanWithoutTheOther(name: String?) {
    var driver = seekingAmongTwo(LinkConfiguration(name: name))
    let scan = driver.open
    driver.answer()
    #expect(driver.fault?.isAmbiguity == true)
    for untilItsEnd in [20, 1] {
      driver.advance(by: .seconds(untilItsEnd))
      #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
      driver.change { for index in $0.peers.indices { $0.peers[index].rssi = nil } }
      driver.answer()
      #expect(driver.open == scan)
      driver.answer()
      driver.change { $0.peers[0].rssi = -60 }
      driver.advance(by: .seconds(19))
      #expect(driver.open == [])
      #expect(driver.fault?.isAmbiguity == true)
      if untilItsEnd == 20 { driver.change { $0.peers[1].rssi = -60 } }
    }
    driver.advance(by: .seconds(1))
    #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
    #expect(driver.fault == nil)
    driver.answer()
    #expect(driver.open == [.trust(driver.bluez.peers[0].path)])
  }

  /// Another one of its name is heard first, in the scan that a machine which refuses every Connect brings.
  @Test func aScanBetweenAttemptsWaitsForTheMachineThatWasLinked() {
    var driver = Driver(configuration: LinkConfiguration(name: "BallMachine"))
    driver.becomeReady()
    driver.change {
      $0.peers[0].isConnected = false
      $0.peers[0].isResolved = false
      $0.peers[0].rssi = nil
      $0.peers.append(.init(address: "F0:00:00:00:00:02", adapter: "/org/bluez/hci0", rssi: nil))
    }
    let refusal = BlueZError(kind: .other, name: "", message: "")
    var refused = 0
    while refused < 9 {
      if case .startDiscovery? = driver.open.first { break }
      if case .connect? = driver.open.first { refused += 1 }
      if driver.open.isEmpty { driver.advance(by: .seconds(1)) } else { driver.answer(refusal) }
    }
    #expect(refused < 9)
    driver.answer()
    driver.change { $0.peers[1].rssi = -60 }
    #expect(driver.open == [])
    driver.change { $0.peers[0].rssi = -60 }
    #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
    driver.answer()
    #expect(driver.open == [.trust(driver.bluez.peers[0].path)])
  }

  @Test func ofTwoMachinesThatAreBothGoneNoneIsSeen() {
    var driver = seekingAmongTwo()
    driver.answer()
    driver.advance(by: .seconds(20))
    driver.change { for index in $0.peers.indices { $0.peers[index].rssi = nil } }
    driver.answer()
    driver.answer()
    driver.advance(by: .seconds(20))
    guard case .machineListedOnly(let devices)? = driver.fault else {
      Issue.record("\(String(describing: driver.fault))")
      return
    }
    #expect(devices.count == 2)
  }

  @Test func aDeviceThatIsShownDuringAScanButNotHeardIsNotInRange() {
    let old = BlueZModel.Peer(
      address: BlueZModel.machineAddress,
      adapter: "/org/bluez/hci0",
      rssi: nil
    )
    let new = BlueZModel.Peer(address: "F0:00:00:00:00:02", adapter: "/org/bluez/hci0")
    var driver = Driver(
      bluez: BlueZModel(peers: []),
      configuration: LinkConfiguration(name: "BallMachine")
    )
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()
    driver.change { $0.peers = [old] }
    driver.advance(by: .seconds(2))
    #expect(driver.open.isEmpty)
    driver.change { $0.peers = [old, new] }
    driver.advance(by: .seconds(2))
    driver.answer()
    #expect(driver.open == [.trust(new.path)])
    #expect(driver.fault == nil)
  }

  @Test func aStrangerIsNeverTouched() {
    var bluez = BlueZModel()
    bluez.peers[0].name = "Chest strap"
    bluez.peers[0].uuids = ["180d"]
    var driver = Driver(bluez: bluez)
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()
    for _ in 1...30 {
      driver.advance(by: .seconds(20))
      #expect(driver.phase == .discovering)
      while !driver.open.isEmpty { driver.answer() }
    }
    #expect(driver.fault == .noneSaysMachine(heard: 1))
    #expect(driver.open.isEmpty)
  }

  @Test func whereNothingIsHeardItScansOnWithoutAPrefix() {
    var driver = Driver(bluez: BlueZModel(peers: []))
    driver.feed(.started)
    driver.answer()
    driver.change()
    var filters: [DiscoveryFilter] = []
    for _ in 1...4 {
      if case .startDiscovery(_, let filter)? = driver.open.first { filters.append(filter) }
      driver.answer()
      driver.advance(by: .seconds(20))
      driver.answer()
    }
    #expect(filters == Array(repeating: .lowEnergy(prefix: nil), count: 4))
    #expect(driver.fault == .machineNotSeen)
  }

  /// A wrong address: what is heard instead is named, and never used.
  @Test func anotherMachineThanTheConfiguredOneIsNamed() throws {
    let wrong = try #require(BluetoothAddress("F0:F1:F2:F3:F4:F6"))
    var driver = Driver(configuration: LinkConfiguration(address: wrong))
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.bluez.peers[0].rssi = nil
    driver.change()
    driver.answer()
    driver.advance(by: .seconds(20))
    #expect(driver.fault == .machineNotSeen)
    #expect(driver.statuses.last?.machine == wrong)
    driver.answer()
    driver.answer()
    driver.change { $0.peers[0].rssi = -60 }
    for _ in 1...2 {
      driver.advance(by: .seconds(20))
      guard case .otherMachinesSeen(let devices, "F0:F1:F2:F3:F4:F6")? = driver.fault else {
        Issue.record("\(String(describing: driver.fault))")
        return
      }
      #expect(devices.map(\.address) == [machine])
      driver.answer()
      driver.answer()
    }
    #expect(driver.phase == .discovering)
  }

  @Test func aMachineKnownByItsNameAndServiceIsWrittenToOnlyThroughThat() {
    var driver = Driver()
    driver.bluez.peers[0].table = [
      .init(service: "ffe0", characteristic: "ffe1", flags: ["write"])
    ]
    driver.becomeReady()
    #expect(driver.phase == .resolving)
    driver.advance(by: .seconds(2))
    driver.answer()
    guard case .noUsableCharacteristic(let found)? = driver.fault else {
      Issue.record("\(String(describing: driver.fault))")
      return
    }
    #expect(found.count == 1)
    #expect(driver.open == [.disconnect(driver.bluez.peers[0].path)])
  }

  @Test func aMachineThatIsLinkedAlreadyIsAdopted() {
    var driver = Driver(configuration: LinkConfiguration(address: machine))
    driver.bluez.peers[0].isConnected = true
    driver.bluez.peers[0].isResolved = true
    driver.bluez.peers[0].rssi = nil
    driver.feed(.started)
    driver.answer()
    driver.change()
    #expect(driver.open == [.observe(.device(driver.bluez.peers[0].path))])
    driver.answer()
    // Its services were resolved before its objects were read: once is enough.
    #expect(driver.phase == .ready && driver.open.isEmpty)
  }

  /// The link that was resolved when the objects were asked for is not the one that they show.
  @Test func servicesOfAFormerLinkProveNothing() {
    var driver = Driver(configuration: LinkConfiguration(address: machine))
    driver.bluez.peers[0].isConnected = true
    driver.bluez.peers[0].isResolved = true
    driver.feed(.started)
    driver.answer()
    driver.change {
      $0.peers[0].isConnected = false
      $0.peers[0].isResolved = false
    }
    driver.change {
      $0.peers[0].isConnected = true
      $0.peers[0].isResolved = true
    }
    driver.answer()
    #expect(driver.phase != .ready)
  }

  // MARK: Failures

  @Test func aRefusedConnectIsTriedAgainAfterTheBackOff() {
    var driver = Driver(configuration: LinkConfiguration(address: machine))
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()
    driver.answer(.failed("le-connection-abort-by-local"))
    #expect(driver.phase == .backingOff)
    #expect(driver.open.isEmpty)
    driver.advance(by: .milliseconds(499))
    #expect(driver.open.isEmpty)
    driver.advance(by: .milliseconds(101))
    #expect(driver.open == [.trust(driver.bluez.peers[0].path)])
  }

  @Test func aConnectThatIsNotAnsweredIsCancelledAndThatIsAwaited() {
    var driver = Driver(configuration: LinkConfiguration(address: machine))
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()
    let device = driver.bluez.peers[0].path
    #expect(driver.open == [.connect(device)])
    driver.advance(by: .seconds(45))
    #expect(driver.fault == .connectTimedOut)
    #expect(driver.open == [.disconnect(device)])
    driver.answer()
    #expect(driver.open == [.trust(device)])
  }

  @Test func aConnectThatLiesIsNotBelieved() {
    var driver = Driver(configuration: LinkConfiguration(address: machine))
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()
    driver.answer()
    driver.answer()
    #expect(driver.phase == .backingOff)
    #expect(driver.fault == .connectedWithoutLink)
  }

  @Test func endlessRefusalMakesSixConnectsIn30SecondsAndSixteenIn5Minutes() {
    var driver = Driver(configuration: LinkConfiguration(address: machine))
    driver.bluez.peers[0].isTrusted = true
    driver.feed(.started)
    driver.answer()
    driver.change()
    var connects: [MonotonicInstant] = []
    while driver.now.seconds < 300 {
      switch driver.open.first {
      case .connect?:
        connects.append(driver.now)
        driver.answer(.failed("le-connection-abort-by-local"))
      case .startDiscovery?, .stopDiscovery?, .observe?, .disconnect?: driver.answer()
      // It would remove the device; here that is refused, so that Connect stays possible.
      case .removeDevice?: driver.answer(.failed("Failed"))
      case let other?:
        Issue.record("unexpected \(other)")
        return
      case nil: driver.advance(by: .milliseconds(10))
      }
    }
    #expect((2...6).contains(connects.filter { $0.seconds < 30 }.count))
    #expect((8...16).contains(connects.count))
  }

  @Test func theLossOfALinkIsAnsweredWithConnectAsSoonAsTheAdapterIsKnownToStay() {
    var driver = ready()
    driver.change {
      $0.peers[0].isConnected = false
      $0.peers[0].isResolved = false
      $0.peers[0].isTrusted = true
    }
    driver.advance(by: .milliseconds(99))
    #expect(driver.open.isEmpty)
    driver.advance(by: .milliseconds(1))
    #expect(driver.open == [.connect(driver.bluez.peers[0].path)])
  }

  /// BlueZ tells it so.
  @Test func theLossOfALinkInTwoSignalsIsAnsweredWithConnectAsWell() {
    var driver = ready()
    driver.change {
      $0.peers[0].isTrusted = true
      $0.peers[0].isResolved = false
    }
    driver.change { $0.peers[0].isConnected = false }
    driver.advance(by: .milliseconds(100))
    #expect(driver.open == [.connect(driver.bluez.peers[0].path)])
    #expect(driver.fault == .linkLost(nil))
    #expect(driver.statuses.last?.failures == 0)
  }

  /// It ends its links first. A Connect in between would be one that the kernel may not survive.
  @Test func anAdapterThatTellsOfItsPowerLaterIsNotAskedToConnect() {
    var driver = ready()
    driver.change {
      $0.peers[0].isTrusted = true
      $0.peers[0].isResolved = false
    }
    driver.change { $0.peers[0].isConnected = false }
    driver.advance(by: .milliseconds(45))
    #expect(driver.open.isEmpty)
    driver.change { $0.radios[0].isPowered = false }
    #expect(driver.fault == .adapterOff)
    driver.advance(by: .seconds(60))
    #expect(driver.open.isEmpty)
  }

  /// A link ended before its services were resolved, and BlueZ takes no UUIDs from the machine's
  /// advertisements any more.
  @Test(arguments: [false, true])
  func aDeviceThatHasLostItsUUIDsIsForgotten(isPaired: Bool) {
    var driver = Driver()
    driver.bluez.peers[0].isPaired = isPaired
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()  // start discovery
    driver.advance(by: .seconds(2))
    driver.answer()  // stop discovery
    driver.answer()  // trust
    driver.change { $0.peers[0].isConnected = true }
    driver.answer()  // connect
    driver.answer()  // observe: is there a link?
    #expect(driver.phase == .resolving)
    driver.change {
      $0.peers[0].isConnected = false
      $0.peers[0].rssi = nil
      $0.peers[0].uuids = []
    }
    #expect(driver.fault == .linkLost(nil))
    driver.advance(by: .seconds(1))
    driver.answer()  // observe: all others
    driver.change()
    let device = driver.bluez.peers[0]
    if isPaired {
      #expect(driver.phase == .discovering)
    } else {
      #expect(driver.open == [.removeDevice(device.path, adapter: device.adapter)])
      driver.answer()
      driver.change { $0.peers = [] }
      #expect(driver.open == [.observe(.everything)])
      driver.answer()
      #expect(driver.phase == .discovering)
    }
  }

  /// GATT objects are announced one by one.
  @Test func nothingIsChosenFromAPartOfATable() {
    var driver = Driver(configuration: LinkConfiguration(address: machine))
    driver.bluez.peers[0].uuids = []
    driver.bluez.peers[0].table = [
      BlueZModel.Entry(
        service: "c0ffee00-0000-4000-8000-000000000001",
        characteristic: "c0ffee00-0000-4000-8000-000000000002",
        flags: ["write"]
      )
    ]
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()  // trust
    driver.bluez.peers[0].isConnected = true
    driver.answer()  // connect
    // The first one shows before the objects have been read.
    driver.change { $0.peers[0].isResolved = true }
    driver.answer()
    #expect(driver.open == [.observe(.device(driver.bluez.peers[0].path))])
    driver.change {
      $0.peers[0].table.append(
        BlueZModel.Entry(
          service: "c0ffee00-0000-4000-8000-000000000001",
          characteristic: "c0ffee00-0000-4000-8000-000000000003",
          flags: ["write"]
        )
      )
    }
    driver.answer()
    driver.advance(by: .seconds(3))
    driver.answer()  // the last look
    #expect(!driver.statuses.contains { $0.phase == .ready })
    guard case .ambiguousCharacteristics? = driver.fault else {
      Issue.record("\(String(describing: driver.fault))")
      return
    }
  }

  @Test func aLossAndReturnInOneSignalEndsTheConnection() {
    var driver = ready()
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    driver.change { $0.peers[0].isResolved = false }
    #expect(driver.outcomes[CommandID(number: 1)] == .unknown(.linkLost))
    // The same signal begins the end of a link: what stays is another one.
    #expect(driver.phase == .backingOff)
    driver.advance(by: .milliseconds(100))
    #expect(driver.phase == .resolving, "the link that is there is adopted")
  }

  @Test func aLinkThatSomebodyMakesWhileWePrepareOursIsAdopted() {
    var driver = Driver(configuration: LinkConfiguration(address: machine))
    driver.feed(.started)
    driver.answer()
    driver.change()
    let device = driver.bluez.peers[0].path
    #expect(driver.open == [.trust(device)])
    driver.change { $0.peers[0].isConnected = true }
    driver.answer()
    #expect(driver.phase == .resolving)
    #expect(driver.open == [.observe(.device(device))])
  }

  @Test func aLinkThatAppearsBetweenTwoScansIsAdopted() {
    var bluez = BlueZModel()
    bluez.peers[0].rssi = nil
    var driver = Driver(bluez: bluez, configuration: LinkConfiguration(name: "BallMachine"))
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()
    driver.advance(by: .seconds(20))
    #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
    driver.change { $0.peers[0].isConnected = true }
    driver.answer()
    #expect(driver.phase == .resolving)
  }

  // MARK: Commands

  @Test func aCommandIsDeliveredByTheAnswerToARequest() {
    var driver = ready()
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    guard case .write(command, _, _, .request)? = driver.open.first else {
      Issue.record("\(driver.open)")
      return
    }
    driver.answer()
    #expect(driver.outcomes[CommandID(number: 1)] == .delivered)
  }

  @Test func withoutAcknowledgementItIsOnlyQueued() {
    var driver = Driver()
    driver.bluez.peers[0].table[0].flags = ["write-without-response"]
    driver.becomeReady()
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    driver.answer()
    #expect(driver.outcomes[CommandID(number: 1)] == .queued)
  }

  @Test func aWriteThatIsNotAnsweredIsUnknownAndNeverRepeated() {
    var driver = ready()
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    driver.advance(by: .seconds(5))
    #expect(driver.outcomes[CommandID(number: 1)] == .unknown(.timedOut))
    #expect(driver.open == [.disconnect(driver.bluez.peers[0].path)])
  }

  @Test func theNewestCommandTakesTheSlotAndAStaleOneExpires() {
    var driver = ready()
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    driver.feed(.submitted(CommandID(number: 2), command, decidedAt: driver.now))
    driver.feed(.submitted(CommandID(number: 3), command, decidedAt: driver.now))
    #expect(driver.outcomes[CommandID(number: 2)] == .notSent(.tooSoon))
    driver.answer()
    #expect(driver.outcomes[CommandID(number: 1)] == .delivered)
    #expect(driver.outcomes[CommandID(number: 3)] == .notSent(.tooSoon))
    driver.advance(by: .milliseconds(2600))
    driver.feed(.submitted(CommandID(number: 4), command, decidedAt: driver.now))
    #expect(driver.open.isEmpty)
    driver.feed(.submitted(CommandID(number: 5), command, decidedAt: driver.now))
    #expect(driver.outcomes[CommandID(number: 4)] == .notSent(.superseded))
    driver.advance(by: .milliseconds(350))
    #expect(driver.open.count == 1, "2.95 s after the last one left")
    driver.answer()
    #expect(driver.outcomes[CommandID(number: 5)] == .delivered)
    driver.advance(by: .seconds(3))
    let old = driver.now.advanced(by: .milliseconds(-501))
    driver.feed(.submitted(CommandID(number: 6), command, decidedAt: old))
    #expect(driver.outcomes[CommandID(number: 6)] == .notSent(.expired))
  }

  /// It may have left late: the next one keeps its distance from the answer too.
  @Test func aLateAnswerHoldsTheNextCommandBack() {
    var driver = Driver()
    driver.becomeReady()
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    driver.advance(by: .milliseconds(2_900))
    driver.answer()
    driver.advance(by: .milliseconds(100))
    driver.feed(.submitted(CommandID(number: 2), command, decidedAt: driver.now))
    #expect(driver.outcomes[CommandID(number: 2)] == .notSent(.tooSoon))
    driver.advance(by: .milliseconds(2_100))
    driver.feed(.submitted(CommandID(number: 3), command, decidedAt: driver.now))
    driver.advance(by: .milliseconds(499))
    #expect(driver.open == [])
    driver.advance(by: .milliseconds(1))
    #expect(driver.open.count == 1, "2.7 s after the answer")
  }

  /// Its outcome is told at once, but it may leave until its own answer.
  @Test func aBallThatAStopOvertookHoldsTheNextOneBackUntilItIsAnswered() {
    var driver = Driver()
    driver.bluez.peers[0].table[0].flags = ["write", "write-without-response"]
    driver.becomeReady()
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    driver.feed(.stopRequested(CommandID(number: 2)))
    driver.advance(by: .seconds(4))
    driver.answer()
    while !driver.open.isEmpty { driver.answer() }
    #expect(driver.outcomes[CommandID(number: 2)] == .delivered)
    driver.feed(.submitted(CommandID(number: 3), command, decidedAt: driver.now))
    #expect(driver.outcomes[CommandID(number: 3)] == .notSent(.tooSoon))
    driver.advance(by: .milliseconds(2_700))
    driver.feed(.submitted(CommandID(number: 4), command, decidedAt: driver.now))
    #expect(driver.open.count == 1)
  }

  @Test func aStopOvertakesAHungWriteWhereTheFlagsAllow() {
    var driver = Driver()
    driver.bluez.peers[0].table[0].flags = ["write", "write-without-response"]
    driver.becomeReady()
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    driver.feed(.stopRequested(CommandID(number: 2)))
    #expect(driver.outcomes[CommandID(number: 1)] == .unknown(.abandonedForStop))
    guard case .write(.stop, _, let path, .command)? = driver.open.last else {
      Issue.record("\(driver.open)")
      return
    }
    let stop = driver.begun.last!
    driver.finish(stop.id)
    #expect(
      driver.open == [.write(command, as: .digits, to: path, .request)],
      "BlueZ takes no second request"
    )
    #expect(driver.outcomes[CommandID(number: 2)] == nil, "nobody has acknowledged it yet")
    driver.answer(.failed("Operation failed with ATT error: 0x0e"))
    #expect(driver.open == [.write(.stop, as: .digits, to: path, .request)])
    driver.answer()
    #expect(driver.outcomes[CommandID(number: 2)] == .delivered)
    #expect(driver.outcomes[CommandID(number: 1)] == .unknown(.abandonedForStop))
  }

  @Test(arguments: [nil, BlueZError.failed("Failed to initiate write")])
  func aStopIsRepeatedWhileTheWriteItOvertookHangs(error: BlueZError?) {
    var driver = Driver()
    driver.bluez.peers[0].table[0].flags = ["write", "write-without-response"]
    driver.becomeReady()
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    driver.feed(.stopRequested(CommandID(number: 2)))
    for _ in 1...3 {
      guard case .write(.stop, _, _, .command)? = driver.open.last else {
        Issue.record("\(driver.open)")
        return
      }
      driver.finish(driver.begun.last!.id, error)
      #expect(driver.open.count == 1, "only the write that hangs")
      driver.advance(by: .milliseconds(250))
    }
    #expect(driver.outcomes[CommandID(number: 2)] == nil, "nobody has acknowledged it yet")
  }

  @Test func aStopSurvivesTheLossOfTheLinkAndGoesFirst() {
    var driver = ready()
    driver.change {
      $0.peers[0].isConnected = false
      $0.peers[0].isResolved = false
      $0.peers[0].isTrusted = true
    }
    driver.feed(.stopRequested(CommandID(number: 1)))
    #expect(driver.outcomes.isEmpty)
    driver.advance(by: .milliseconds(100))
    driver.change {
      $0.peers[0].isConnected = true
      $0.peers[0].isResolved = true
    }
    driver.answer()
    driver.answer()
    #expect(driver.phase == .ready)
    guard case .write(.stop, _, _, .request)? = driver.open.first else {
      Issue.record("\(driver.open)")
      return
    }
    driver.feed(.submitted(CommandID(number: 2), command, decidedAt: driver.now))
    #expect(driver.outcomes[CommandID(number: 2)] == .notSent(.stopPending))
    driver.answer()
    #expect(driver.outcomes[CommandID(number: 1)] == .delivered)
  }

  @Test func anUnacknowledgeableStopIsSentThreeTimes() {
    var driver = Driver()
    driver.bluez.peers[0].table[0].flags = ["write-without-response"]
    driver.becomeReady()
    driver.feed(.stopRequested(CommandID(number: 1)))
    for _ in 1...3 {
      #expect(driver.open.count == 1)
      #expect(driver.outcomes.isEmpty)
      driver.answer()
      driver.advance(by: .milliseconds(250))
    }
    #expect(driver.open.isEmpty)
    #expect(driver.outcomes[CommandID(number: 1)] == .queued)
  }

  // MARK: Ending

  @Test func endingAwaitsTheWriteInFlightAndClosesTheLink() {
    var driver = ready()
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    driver.feed(.endRequested)
    #expect(driver.phase == .shuttingDown)
    driver.answer()
    #expect(driver.outcomes[CommandID(number: 1)] == .delivered)
    #expect(driver.open == [.disconnect(driver.bluez.peers[0].path)])
    driver.answer()
    #expect(driver.hasEnded)
    driver.feed(.submitted(CommandID(number: 2), command, decidedAt: driver.now))
    #expect(driver.outcomes[CommandID(number: 2)] == .notSent(.ended))
  }

  @Test func aStopOnTheWayOutSharesTheOneThatIsOnItsWay() {
    var driver = ready()
    driver.feed(.stopRequested(CommandID(number: 1)))
    driver.feed(.endRequested)
    driver.feed(.stopRequested(CommandID(number: 2)))
    #expect(driver.outcomes.isEmpty)
    driver.answer()
    #expect(driver.outcomes[CommandID(number: 1)] == .delivered)
    #expect(driver.outcomes[CommandID(number: 2)] == .delivered)
    driver.feed(.stopRequested(CommandID(number: 3)))
    #expect(driver.outcomes[CommandID(number: 3)] == .notSent(.ended))
  }

  @Test func nothingMoreIsWrittenOnTheWayOutOnceTheTableHasChanged() {
    var driver = ready()
    driver.feed(.stopRequested(CommandID(number: 1)))
    driver.feed(.endRequested)
    let stop = driver.begun[0].id
    driver.change { $0.peers[0].showsTable = false }
    #expect(driver.open == [.disconnect(driver.bluez.peers[0].path)])
    driver.finish(stop, .failed("Operation failed with ATT error: 0x0e"))
    driver.advance(by: .milliseconds(250))
    #expect(driver.open == [.disconnect(driver.bluez.peers[0].path)])
    #expect(driver.outcomes[CommandID(number: 1)] == .unknown(.ended))
  }

  @Test func endingWhileScanningStopsTheScan() {
    var driver = Driver()
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()
    driver.feed(.endRequested)
    #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
    driver.answer()
    #expect(driver.hasEnded)
  }

  @Test func endingIsOverInSixSecondsEvenIfNothingAnswers() {
    var driver = ready()
    driver.feed(.submitted(CommandID(number: 1), command, decidedAt: driver.now))
    driver.feed(.endRequested)
    driver.advance(by: .seconds(6))
    #expect(driver.hasEnded)
    #expect(driver.outcomes[CommandID(number: 1)] == .unknown(.ended))
  }
}
