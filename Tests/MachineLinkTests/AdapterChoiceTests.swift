import DBus
import Testing

@testable import BlueZ
@testable import MachineLink
@testable import TestSupport

/// Which of several adapters serves, what is said of the others, and how one is told from another.
@Suite struct AdapterChoiceTests {
  private static let shared = "00:1A:7D:DA:71:13"
  private static let unset = "00:00:00:00:00:00"
  private static let own = "AA:BB:CC:DD:EE:02"
  private static let refusal = BlueZError("org.bluez.Error.Failed", "Failed")
  private static let noLowEnergy = BlueZError(
    "org.bluez.Error.NotSupported",
    "Operation is not supported"
  )

  typealias Learned = [ObjectPath: AdapterDefect]

  private static func adapter(
    _ number: Int,
    _ address: String,
    isPowered: Bool = true,
    roles: Set<String>? = ["central", "peripheral"]
  ) -> Adapter {
    var adapter = Adapter(
      path: ObjectPath(known: "/org/bluez/hci\(number)"),
      address: BluetoothAddress(address)!
    )
    adapter.isPowered = isPowered
    adapter.roles = roles
    return adapter
  }

  private static func choice(
    _ adapters: [Adapter],
    wanted: AdapterReference? = nil,
    allowsOther: Bool = false,
    knowing: String? = nil,
    kernel: KernelView? = nil,
    learned: [ObjectPath: AdapterDefect] = [:]
  ) -> AdapterChoice {
    AdapterChoice(
      among: adapters,
      given: wanted,
      allowsOther: allowsOther,
      knowing: knowing.flatMap(BluetoothAddress.init),
      wakesKnowing: true,
      kernel: kernel,
      learned: learned
    )
  }

  private static let blocked = KernelView(
    controllers: .success([]),
    switches: [RadioSwitch(number: 0, name: "hci0", controller: 0, block: .soft)]
  )

  /// Of two adapters the first one has something wrong.
  @Test(
    arguments: [
      (adapter(0, unset), [:], nil as KernelView?, "its set-up has failed"),
      (adapter(0, "AA:BB:CC:DD:EE:01", roles: []), [:], nil, "it lacks the LE central role"),
      (
        adapter(0, "AA:BB:CC:DD:EE:01", roles: ["peripheral"]), [:], nil,
        "it lacks the LE central role"
      ),
      (adapter(0, "AA:BB:CC:DD:EE:01", isPowered: false), [:], blocked, "rfkill blocks it"),
      (
        adapter(0, "AA:BB:CC:DD:EE:01"), [BlueZModel.firstAdapter: .cantScan(noLowEnergy)], nil,
        "it can't scan for Bluetooth Low Energy devices"
      ),
      (
        adapter(0, "AA:BB:CC:DD:EE:01", isPowered: false),
        [BlueZModel.firstAdapter: .wontPowerOn(refusal)], nil, "it can't be switched on"
      ),
    ] as [(Adapter, Learned, KernelView?, String)]
  )
  func whatCanNotServeIsPassedOver(
    _ first: Adapter,
    _ learned: Learned,
    _ kernel: KernelView?,
    _ reason: String
  ) {
    for isOn in [true, false] {
      let second = Self.adapter(1, Self.own, isPowered: isOn)
      // Even if it knows the machine.
      for knowing in [nil, "\(first.address)"] {
        let choice = Self.choice(
          [first, second],
          knowing: knowing,
          kernel: kernel,
          learned: learned
        )
        #expect(choice.adapter == second && choice.defect == nil)
        #expect(choice.passedOver.map(\.adapter) == [first])
        #expect(choice.passedOver.first?.defect.reason.contains(reason) == true)
      }
    }
    // Alone it is tried all the same, and what is wrong is told.
    let alone = Self.choice([first], kernel: kernel, learned: learned)
    #expect(alone.adapter == first && alone.passedOver == [])
    #expect(alone.defect?.reason.contains(reason) == true)
  }

  @Test func aConfiguredAdapterIsTheOnlyOneUnlessAnotherIsAllowed() {
    let first = Self.adapter(0, Self.unset)
    let second = Self.adapter(1, Self.own)
    let wanted = AdapterReference("hci0")
    #expect(Self.choice([first, second], wanted: wanted).adapter == first)
    #expect(Self.choice([first, second], wanted: wanted, allowsOther: true).adapter == second)
    #expect(Self.choice([second], wanted: wanted).adapter == nil)
    #expect(Self.choice([second], wanted: wanted, allowsOther: true).adapter == second)
  }

  @Test func whatBlueZDoesNotSayIsNoDefect() {
    let choice = Self.choice([Self.adapter(0, Self.own, roles: nil), Self.adapter(1, Self.shared)])
    #expect(choice.adapter?.name == "hci0" && choice.passedOver == [])
  }

  @Test func ofTwinsTheOneThatIsOnServes() {
    let twins = [Self.adapter(0, Self.shared, isPowered: false), Self.adapter(1, Self.shared)]
    #expect(Self.choice(twins).adapter?.name == "hci1")
    #expect(Self.choice(twins, knowing: Self.shared).adapter?.name == "hci1")
    #expect(Self.choice(twins, wanted: AdapterReference(Self.shared)).adapter?.name == "hci1")
    #expect(Self.choice(twins, wanted: AdapterReference("hci0")).adapter?.name == "hci0")
  }

  @Test(arguments: [
    (own, "AA:BB:CC:DD:EE:02"), ("hci1", "hci1"), ("/org/bluez/hci1", "hci1"), ("hci10", "hci10"),
    ("aa:bb:cc:dd:ee:02", "AA:BB:CC:DD:EE:02"), ("hci", nil), ("/org/bluez", nil), ("", nil),
    ("/org/bluez/hci1/dev_F0", nil), ("usb0", nil),
  ])
  func anAdapterIsGivenByAddressNameOrPath(_ text: String, _ argument: String?) {
    #expect(AdapterReference(text)?.argument == argument)
  }

  @Test func itIsToldFromOthersByItsAddressIfThatIsEnough() {
    let adapters = [
      Self.adapter(0, Self.shared), Self.adapter(1, Self.shared), Self.adapter(2, Self.own),
      Self.adapter(3, Self.unset),
    ]
    let references = adapters.map { AdapterReference($0, among: adapters) }
    #expect(references.map(\.argument) == ["hci0", "hci1", Self.own, "hci3"])
    #expect(references.map { reference in adapters.filter(reference.means).count } == [1, 1, 1, 1])
    // hci10 is not hci1.
    #expect(references[1].means(Self.adapter(10, Self.shared)) == false)
    // Nor is another adapter that has its name now.
    #expect(references[1].means(Self.adapter(1, Self.own)) == false)
  }

  // MARK: The link

  private func started(
    _ radios: [BlueZModel.Radio],
    _ configuration: LinkConfiguration = LinkConfiguration()
  ) -> Driver {
    var driver = Driver(bluez: BlueZModel(peers: []), configuration: configuration)
    driver.bluez.radios = radios
    driver.feed(.started)
    driver.answer()
    driver.change()
    return driver
  }

  private func scansOn(_ driver: Driver) -> String? {
    guard case .startDiscovery(let adapter, _)? = driver.open.first else { return nil }
    return adapter.lastComponent
  }

  private func radio(_ number: Int, _ address: String, isPowered: Bool = true) -> BlueZModel.Radio {
    .init(path: try! ObjectPath("/org/bluez/hci\(number)"), address: address, isPowered: isPowered)
  }

  @Test func anAdapterWithoutTheRoleIsNotEvenTried() {
    var useless = radio(0, "AA:BB:CC:DD:EE:01")
    useless.roles = []
    let driver = started([useless, radio(1, Self.own)])
    #expect(scansOn(driver) == "hci1")
    #expect(driver.statuses.last?.passedOver.map(\.name) == ["hci0"])
  }

  @Test func anAdapterThatTurnsOutToHaveNoLowEnergyIsPassedOverAtOnce() {
    var driver = started([radio(0, "AA:BB:CC:DD:EE:01"), radio(1, Self.own)])
    #expect(scansOn(driver) == "hci0")
    driver.answer(Self.noLowEnergy)
    #expect(scansOn(driver) == "hci1")
    #expect(driver.statuses.last?.passedOver.first?.defect == .cantScan(Self.noLowEnergy))
    // It stays so, whatever else happens to the other one.
    driver.answer()
    driver.advance(by: .seconds(20))
    driver.answer()
    #expect(scansOn(driver) == "hci1")
    // Plugged in again it may be another one.
    driver.change { $0.radios.removeFirst() }
    driver.change { $0.radios.insert(self.radio(0, "AA:BB:CC:DD:EE:01"), at: 0) }
    #expect(driver.statuses.last?.passedOver == [])
  }

  @Test func anOnlyAdapterWithoutLowEnergySaysSo() {
    var driver = started([radio(0, "AA:BB:CC:DD:EE:01")])
    driver.answer(Self.noLowEnergy)
    #expect(
      driver.fault == .adapterUnfit(name: "hci0", .cantScan(Self.noLowEnergy))
    )
    #expect(driver.fault?.remedy == "use another adapter, with Bluetooth 4.0 or newer")
    driver.advance(by: .seconds(1))
    #expect(scansOn(driver) == "hci0", "it is tried for ever")
  }

  @Test func scansThatFailThreeTimesInARowAreNoChance() {
    var driver = started([radio(0, "AA:BB:CC:DD:EE:01"), radio(1, Self.own)])
    for _ in 1...2 {
      driver.answer(Self.refusal)
      #expect(driver.fault == .scanFailed(Self.refusal))
      driver.advance(by: .seconds(3))
      #expect(scansOn(driver) == "hci0")
    }
    driver.answer(Self.refusal)
    #expect(scansOn(driver) == "hci1")
  }

  @Test func ofTwinsTheOneThatCanNotBeSwitchedOnIsPassedOver() {
    var driver = started([
      radio(0, Self.shared, isPowered: false), radio(1, Self.shared, isPowered: false),
    ])
    #expect(driver.open == [.setPowered(true, adapter: BlueZModel.firstAdapter)])
    driver.answer(Self.refusal)
    #expect(driver.open == [.setPowered(true, adapter: BlueZModel.secondAdapter)])
    driver.answer()
    driver.change { $0.radios[1].isPowered = true }
    #expect(scansOn(driver) == "hci1")
    #expect(driver.statuses.last?.adapter?.name == "hci1")
    #expect(driver.statuses.last?.passedOver.map(\.name) == ["hci0"])
  }

  /// Which have the same delays as one alone.
  @Test func whereNoneCanBeSwitchedOnAllAreTriedAgain() {
    var driver = started([
      radio(0, Self.shared, isPowered: false), radio(1, Self.own, isPowered: false),
    ])
    var tries: [ObjectPath] = []
    for _ in 1...600 {
      while case .setPowered(true, let adapter)? = driver.open.first {
        tries.append(adapter)
        driver.answer(Self.refusal)
      }
      driver.advance(by: .seconds(1))
    }
    #expect((30...80).contains(tries.count), "\(tries.count) tries in ten minutes")
    #expect(tries.count { $0 == BlueZModel.firstAdapter } * 2 == tries.count)
    driver.change { $0.radios[0].isPowered = true }
    #expect(scansOn(driver) == "hci0")
  }

  @Test func aTwinInUseIsKnownByItsName() {
    var driver = Driver()
    driver.bluez.radios[0] = radio(0, Self.shared)
    driver.bluez.radios.append(radio(1, Self.shared))
    driver.becomeReady()
    #expect(driver.phase == .ready)
    driver.change {
      $0.radios.removeFirst()
      $0.peers = []
    }
    #expect(driver.fault?.reason == "the Bluetooth adapter hci0 \(Self.shared) is missing")
    driver.answer()
    driver.change { $0.radios.insert(self.radio(0, Self.shared), at: 0) }
    #expect(scansOn(driver) == "hci0")
  }

  /// A link through the first adapter holds it, whatever comes.
  @Test func anAdapterOfALinkStays() {
    var driver = Driver()
    driver.becomeReady()
    driver.change {
      $0.radios.append(self.radio(1, Self.own))
      $0.radios[0].isPowered = false
      $0.peers[0].isConnected = false
      $0.peers[0].isResolved = false
      $0.kernel = Self.blocked
    }
    #expect(driver.fault == .adapterBlocked(.soft))
    #expect(driver.statuses.last?.adapter?.name == "hci0")
  }

  @Test func anAdapterBlockedByRfkillIsPassedOverBeforeTheFirstLink() {
    var driver = started([radio(0, "AA:BB:CC:DD:EE:01"), radio(1, Self.own)])
    #expect(scansOn(driver) == "hci0")
    driver.answer()
    driver.change {
      $0.radios[0].isPowered = false
      $0.kernel = Self.blocked
    }
    #expect(scansOn(driver) == "hci1")
  }
}
