import BlueZ
import Clocks
import CourtLogic
import DBus
import Host
import Testing

@testable import MachineLink
@testable import TestSupport

/// Which device is a machine, and what is done to one that may be.
@Suite struct IdentityTests {
  private static let update = "5833ff01-9b8b-5191-6142-22a4536ef123"
  private static let uart = "55535343-fe7d-4ae5-8fa9-9fafd205e455"
  private static let placeholder = "12345678-1234-1234-1234-123456789abc"
  private static let ring = "C4:11:22:33:44:55"

  private static func peer(
    _ address: String = ring,
    name: String? = "BS Ring",
    advertises uuids: [String] = [update]
  ) -> BlueZModel.Peer {
    var peer = BlueZModel.Peer(address: address, adapter: BlueZModel.firstAdapter, name: name)
    peer.uuids = uuids
    peer.table = [
      .init(
        service: update,
        characteristic: "5833ff02-9b8b-5191-6142-22a4536ef123",
        flags: ["write"]
      )
    ]
    return peer
  }

  private static func adopted(
    _ address: String = ring,
    name: String? = "BS Ring",
    isSimulated: Bool = false
  ) -> AdoptedMachine {
    AdoptedMachine(
      address: BluetoothAddress(address)!,
      addressType: .random,
      name: name,
      isSimulated: isSimulated
    )
  }

  /// A scan that has gone on for 3 s.
  private static func scanning(
    _ peers: [BlueZModel.Peer],
    _ configuration: LinkConfiguration = LinkConfiguration()
  ) -> Driver {
    var driver = Driver(bluez: BlueZModel(peers: peers), configuration: configuration)
    driver.feed(.started)
    driver.answer()
    driver.change()
    if driver.phase == .discovering {
      driver.answer()
      driver.advance(by: .seconds(3))
    }
    return driver
  }

  // MARK: First contact

  @Test(
    arguments: [
      peer(),
      // A phone with a chat app, and a sketch on a microcontroller.
      peer("5A:11:22:33:44:55", name: "SafeConnect", advertises: [placeholder]),
      peer(name: nil, advertises: [placeholder]),
      peer(name: "Serial", advertises: [uart]),
      peer(name: "Lamp", advertises: ["ffe0"]),
      peer(name: "Watch", advertises: ["6e400001-b5a3-f393-e0a9-e50e24dcca9e"]),
      // A known name alone, or beside an update service alone, is as little.
      peer(name: "BallMachine", advertises: []),
      peer(name: "TENNIS-PB02", advertises: [update]),
      peer(name: "BallMachine", advertises: ["6e400001-b5a3-f393-e0a9-e50e24dcca9e"]),
      // Not how the names begin.
      peer(name: "MyBallMachine", advertises: [placeholder]),
    ]
  )
  func aFirstContactIsOnlyPerhaps(peer: BlueZModel.Peer) {
    var driver = Self.scanning([peer])
    #expect(driver.phase == .discovering)
    guard case .onlyPerhaps(let devices)? = driver.fault else {
      Issue.record("\(String(describing: driver.fault))")
      return
    }
    #expect(devices.map { "\($0.address)" } == [peer.address])
    #expect(driver.statuses.last?.perhaps.map { "\($0.address)" } == [peer.address])
    // However long it goes on: only scans are begun and ended.
    for _ in 0..<40 {
      driver.advance(by: .seconds(10))
      while let operation = driver.open.first {
        switch operation {
        case .startDiscovery, .stopDiscovery: driver.answer()
        default:
          Issue.record("\(operation)")
          return
        }
      }
    }
  }

  @Test func aLinkThatIsThereAlreadyMakesAStrangerNoMachine() {
    var peer = Self.peer("5A:11:22:33:44:55", name: "SafeConnect", advertises: [Self.placeholder])
    peer.isConnected = true
    peer.isResolved = true
    var driver = Self.scanning([peer])
    #expect(driver.fault?.adoptable.count == 1)
    driver.feed(.endRequested)
    driver.answer()  // stop discovery
    #expect(driver.hasEnded && driver.open.isEmpty)
  }

  @Test func ofTwoPerhapsBothAreTold() {
    let driver = Self.scanning([
      Self.peer(), Self.peer("24:0A:C4:11:22:33", name: "NanoTech", advertises: [Self.placeholder]),
    ])
    #expect(driver.statuses.last?.perhaps.count == 2)
    #expect(driver.open.isEmpty)
  }

  @Test func aCertainOneIsUsedBesideOthers() {
    var others = [Self.peer(), Self.peer("24:0A:C4:11:22:33", name: "NanoTech")]
    others[0].isConnected = true
    let machine = BlueZModel.Peer(
      address: BlueZModel.machineAddress,
      adapter: BlueZModel.firstAdapter
    )
    let driver = Self.scanning(others + [machine])
    #expect(driver.machine.target?.device == machine.path)
    #expect(driver.fault == nil)
  }

  @Test(arguments: ["BallMachine", "BallMachine 7", "TENNIS-PB02", "TENNIS-TB02"])
  func aKnownNameWithAKnownServiceIsCertain(name: String) {
    let driver = Self.scanning([Self.peer(name: name, advertises: [Self.uart, Self.update])])
    #expect(driver.machine.target != nil)
  }

  @Test func theConfigurationAddsNames() throws {
    var configuration = LinkConfiguration()
    configuration.names = [try #require(NamePattern("Court *"))]
    let peer = Self.peer(name: "Court 3", advertises: [Self.placeholder])
    #expect(Self.scanning([peer]).machine.target == nil)
    #expect(Self.scanning([peer], configuration).machine.target != nil)
  }

  @Test(arguments: ["", "*", "ab*", "a*b*", String(repeating: "x", count: 249)])
  func aPatternForNearlyEveryNameIsNone(text: String) {
    #expect(NamePattern(text) == nil)
  }

  /// The name comes with the answer to the scan, later than the services.
  @Test func aNameThatComesLaterIsWaitedFor() {
    var driver = Driver(bluez: BlueZModel(peers: [Self.peer(name: nil, advertises: [Self.uart])]))
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()
    driver.advance(by: .seconds(1))
    driver.change { $0.peers[0].name = "TENNIS-PB02" }
    #expect(driver.statuses.allSatisfy { $0.perhaps.isEmpty })
    driver.advance(by: .milliseconds(1500))
    #expect(driver.machine.target == nil, "a second one is looked for, for as long as always")
    driver.advance(by: .milliseconds(600))
    #expect(driver.machine.target != nil)
  }

  // MARK: Adoption

  @Test func aPersonsWordMakesItOurs() {
    var driver = Self.scanning([Self.peer()])
    driver.feed(.adopted(Self.adopted()))
    driver.advance(by: .seconds(2))
    #expect(driver.open == [.stopDiscovery(adapter: BlueZModel.firstAdapter)])
    driver.answer()
    driver.finishConnecting()
    #expect(driver.phase == .ready)
    #expect(driver.statuses.last?.profile == "phy62xx-update")
    #expect(driver.fault == nil)
  }

  @Test func itCountsForItsKindOfStackAlone() {
    var configuration = LinkConfiguration()
    configuration.adopted = [Self.adopted(isSimulated: true)]
    #expect(Self.scanning([Self.peer()], configuration).machine.target == nil)
  }

  @Test func anotherNameIsNoOtherMachine() {
    var configuration = LinkConfiguration()
    configuration.adopted = [Self.adopted(name: "Before")]
    #expect(Self.scanning([Self.peer(name: "After")], configuration).machine.target != nil)
  }

  @Test func aPrivateAddressIsAdoptedByItsName() {
    var configuration = LinkConfiguration()
    configuration.adopted = [Self.adopted("5A:11:22:33:44:55", name: "Court 7")]
    // It has another address by now.
    var peer = Self.peer("4B:00:00:00:00:01", name: "Court 7")
    var driver = Self.scanning([peer], configuration)
    #expect(driver.open == [.stopDiscovery(adapter: BlueZModel.firstAdapter)])
    driver.answer()
    driver.answer()  // trust
    driver.change { $0.peers[0].isConnected = true }
    driver.answer()  // connect
    driver.answer()  // observe
    // BlueZ reads the name again, and that is another one.
    driver.change {
      $0.peers[0].name = "GATT name"
      $0.peers[0].isResolved = true
    }
    driver.answer()  // observe
    #expect(driver.phase == .ready)
    // A device with that name and an address that lasts is another one.
    peer = Self.peer("C4:00:00:00:00:01", name: "Court 7")
    #expect(Self.scanning([peer], configuration).machine.target == nil)
    #expect(!Self.adopted("5A:11:22:33:44:55", name: nil).isRecognisable)
  }

  @Test(arguments: [true, false])
  func whatIsConfiguredNeedsAPersonsWordForAnUpdateService(isByName: Bool) {
    let configuration = LinkConfiguration(
      address: isByName ? nil : BluetoothAddress(Self.ring),
      name: isByName ? "BS Ring" : nil
    )
    var driver = Driver(bluez: BlueZModel(peers: [Self.peer()]), configuration: configuration)
    driver.becomeReady()
    #expect(driver.phase == .resolving)
    driver.advance(by: .seconds(3))
    driver.answer()  // observe: one last look
    guard case .needsAdoption(let device, _)? = driver.fault else {
      Issue.record("\(String(describing: driver.fault))")
      return
    }
    #expect("\(device.address)" == Self.ring)
    #expect(driver.statuses.last?.perhaps.count == 1)
  }

  // MARK: What earlier runs remember

  private static func remembered(profile: String) -> LinkConfiguration {
    var configuration = LinkConfiguration()
    configuration.remembered = [
      RememberedMachine(
        address: BluetoothAddress(ring)!,
        addressType: .random,
        name: nil,
        profile: profile,
        adapter: BluetoothAddress("AA:BB:CC:DD:EE:01")!,
        isSimulated: false
      )
    ]
    return configuration
  }

  @Test func aGoodLinkThroughAnUpdateServiceIsNoMemory() {
    let configuration = Self.remembered(profile: "ai-thinker")
    let driver = Self.scanning([Self.peer()], configuration)
    #expect(driver.machine.target == nil)
    #expect(driver.fault?.adoptable.count == 1, "it asks")
    var adopting = configuration
    adopting.adopted = [Self.adopted()]
    #expect(Self.scanning([Self.peer()], adopting).machine.target != nil)
    #expect(Self.scanning([Self.peer()], Self.remembered(profile: "uart")).machine.target != nil)
  }

  // MARK: A stop that is owed

  private static func owing(_ configuration: LinkConfiguration = .init()) -> LinkConfiguration {
    var configuration = configuration
    configuration.owedStops = [
      StopDebt(address: ring, isSimulated: false, since: WallTime(secondsSince1970: 0))
    ]
    return configuration
  }

  private static let ball = try! MachineCommand(digits: "105001050012002000")

  @Test(arguments: [nil, ring])
  func anOwedStopGoesToTheMachineThatItNames(address: String?) {
    let configuration = Self.owing(
      LinkConfiguration(address: address.flatMap { BluetoothAddress($0) })
    )
    var driver = Self.scanning([Self.peer()], configuration)
    if driver.phase == .discovering { driver.answer() }
    driver.finishConnecting()
    #expect(driver.phase == .resolving, "for its users it isn't ready")
    #expect(driver.statuses.last?.isForStopOnly == true)
    #expect(driver.statuses.last?.linked?.address == BluetoothAddress(Self.ring))
    driver.feed(.submitted(CommandID(number: 1), Self.ball, decidedAt: driver.now))
    #expect(driver.outcomes[CommandID(number: 1)] == .notSent(.linkNotReady))
    #expect(driver.open.isEmpty, "no ball leaves")
    driver.feed(.stopRequested(CommandID(number: 2)))
    guard case .write(let command, _, _, _)? = driver.open.first, driver.open.count == 1 else {
      Issue.record("\(driver.open)")
      return
    }
    #expect(command.isStop)
    driver.answer()
    #expect(driver.outcomes[CommandID(number: 2)] == .delivered)
    #expect(driver.open == [.disconnect(driver.bluez.peers[0].path)])
    driver.change {
      $0.peers[0].isConnected = false
      $0.peers[0].isResolved = false
    }
    driver.answer()
    // Then it is a device like any other.
    for _ in 0..<6 {
      driver.advance(by: .seconds(40))
      while let operation = driver.open.first {
        if case .write = operation { Issue.record("\(operation)") }
        driver.answer()
      }
    }
    #expect(driver.statuses.allSatisfy { $0.phase != .ready })
    #expect(driver.statuses.allSatisfy { $0.proven == nil })
  }

  @Test func nobodyWhoAsksForTheStopEndsThatLinkAfterAWhile() {
    var driver = Self.scanning([Self.peer()], Self.owing())
    driver.answer()
    driver.finishConnecting()
    driver.advance(by: .seconds(31))
    #expect(driver.open == [.disconnect(driver.bluez.peers[0].path)])
  }

  // MARK: Whose link it is

  private static func linked(_ configuration: LinkConfiguration = .init()) -> Driver {
    var bluez = BlueZModel()
    bluez.peers[0].isConnected = true
    bluez.peers[0].isResolved = true
    var driver = Driver(bluez: bluez, configuration: configuration)
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()  // observe
    #expect(driver.phase == .ready)
    return driver
  }

  /// The link that is there is adopted, and left up at the end.
  private static func expectLeftUp(_ driver: inout Driver) {
    driver.advance(by: .seconds(1))
    while driver.phase != .ready, !driver.open.isEmpty { driver.answer() }
    #expect(driver.phase == .ready)
    driver.feed(.endRequested)
    #expect(driver.hasEnded && driver.open.isEmpty)
  }

  @Test func aLinkThatAnotherProgramMadeIsLeftUp() {
    var driver = Self.linked()
    #expect(driver.statuses.last?.made == nil)
    driver.feed(.endRequested)
    #expect(driver.hasEnded && driver.open.isEmpty)
  }

  @Test func oneThatAnEarlierRunMadeIsEnded() {
    var configuration = LinkConfiguration()
    configuration.leftLink = LeftLink(
      address: BluetoothAddress(BlueZModel.machineAddress)!,
      isSimulated: false
    )
    var driver = Self.linked(configuration)
    driver.feed(.endRequested)
    #expect(driver.open == [.disconnect(driver.bluez.peers[0].path)])
  }

  @Test func ourOwnIsKnownAndEnded() {
    var driver = Driver()
    driver.becomeReady()
    #expect(driver.statuses.last?.made?.address == BluetoothAddress(BlueZModel.machineAddress))
    driver.feed(.endRequested)
    #expect(driver.open == [.disconnect(driver.bluez.peers[0].path)])
    driver.answer()
    #expect(driver.hasEnded)
  }

  /// As when the same is done at another program's word: the link is up, and stays ours.
  @Test(arguments: ["org.bluez.Error.InProgress", "org.bluez.Error.Failed"])
  func oneThatBlueZDidNotEndIsOursStill(error: String) {
    var driver = Driver()
    driver.becomeReady()
    let path = driver.bluez.peers[0].path
    driver.feed(.submitted(CommandID(number: 1), Self.ball, decidedAt: driver.now))
    driver.advance(by: .seconds(6))
    #expect(driver.open == [.disconnect(path)])
    driver.answer(BlueZError(error, ""))
    driver.advance(by: .seconds(1))
    while driver.phase != .ready, !driver.open.isEmpty { driver.answer() }
    #expect(driver.phase == .ready)
    #expect(driver.statuses.last?.made?.address == BluetoothAddress(BlueZModel.machineAddress))
    driver.feed(.endRequested)
    #expect(driver.open == [.disconnect(path)])
  }

  /// Ours has fallen, and another program was faster.
  @Test func theNextLinkIsNotOursBecauseTheLastOneWas() {
    var driver = Driver()
    driver.becomeReady()
    driver.change {
      $0.peers[0].isConnected = false
      $0.peers[0].isResolved = false
    }
    driver.change {
      $0.peers[0].isConnected = true
      $0.peers[0].isResolved = true
    }
    Self.expectLeftUp(&driver)
  }

  /// Ours went through an adapter that is gone; another program has one through the other.
  @Test func aLinkThroughAnotherAdapterIsNotOurs() {
    var driver = Driver(configuration: LinkConfiguration(allowsOtherAdapter: true))
    driver.becomeReady()
    driver.change {
      var peer = BlueZModel.Peer(
        address: BlueZModel.machineAddress,
        adapter: BlueZModel.secondAdapter
      )
      peer.isConnected = true
      peer.isResolved = true
      $0.peers = [peer]
      $0.radios = [.init(path: BlueZModel.secondAdapter, address: "AA:BB:CC:DD:EE:02")]
    }
    Self.expectLeftUp(&driver)
  }

  @Test func aLinkThatServesNoMoreMayBeEnded() {
    var driver = Self.linked()
    driver.feed(.submitted(CommandID(number: 1), Self.ball, decidedAt: driver.now))
    driver.advance(by: .seconds(6))
    #expect(driver.fault == .writeUnanswered)
    #expect(driver.open == [.disconnect(driver.bluez.peers[0].path)])
  }
}
