import BlueZ
import CourtLogic
import DBus
import Testing

@testable import MachineLink
@testable import TestSupport

/// What comes again and again: longer limits, and other advice.
@Suite struct FailureSeriesTests {
  private let machine = BluetoothAddress(BlueZModel.machineAddress)

  private func linked() -> Driver {
    var driver = Driver(configuration: LinkConfiguration(address: machine))
    driver.feed(.started)
    driver.answer()
    driver.change()
    return driver
  }

  /// From where the machine is to be connected to, to where its services are awaited.
  private func connect(_ driver: inout Driver) {
    for _ in 1...50 where driver.phase != .resolving {
      if case .connect? = driver.open.first { driver.change { $0.peers[0].isConnected = true } }
      if driver.open.isEmpty { driver.advance(by: .seconds(1)) } else { driver.answer() }
    }
    driver.answer()  // observe
  }

  @Test func servicesHaveMoreTimeWithEachAttempt() {
    var driver = linked()
    for limit in [15, 25, 35, 45, 45] {
      connect(&driver)
      driver.advance(by: .seconds(limit - 1))
      #expect(driver.phase == .resolving)
      driver.advance(by: .seconds(1))
      #expect(driver.fault == .servicesNotResolved)
      #expect(driver.statuses.last?.isLoop == (limit >= 35))
      driver.change { $0.peers[0].isConnected = false }
    }
    // A link that gets there is not slow.
    connect(&driver)
    driver.change { $0.peers[0].isResolved = true }
    driver.answer()
    #expect(driver.phase == .ready)
    driver.change {
      $0.peers[0].isConnected = false
      $0.peers[0].isResolved = false
    }
    connect(&driver)
    driver.advance(by: .seconds(15))
    #expect(driver.fault == .servicesNotResolved)
  }

  @Test func whatBlueZIsToldToBlockIsNamed() {
    var driver = linked()
    driver.change { $0.peers[0].isBlocked = true }
    for _ in 1...20 where driver.fault == nil {
      guard case .connect? = driver.open.first else {
        if driver.open.isEmpty { driver.advance(by: .seconds(1)) } else { driver.answer() }
        continue
      }
      driver.answer(.failed("br-connection-unknown"))
    }
    #expect(driver.fault == machine.map(LinkFault.machineBlocked))
  }

  @Test(arguments: [
    ("org.bluez.Error.Failed", "br-connection-page-timeout", "ControllerMode = le"),
    ("org.bluez.Error.Failed", "br-connection-refused", "ControllerMode = le"),
    ("org.bluez.Error.NotAvailable", "br-connection-profile-unavailable", "ControllerMode = le"),
    (
      "org.bluez.Error.BREDR.ProfileUnavailable", "No more profiles to connect to", "ControllerMode"
    ),
    ("org.bluez.Error.Failed", "le-connection-key-missing", "bluetoothctl remove"),
    ("org.bluez.Error.Failed", "br-connection-key-missing", "bluetoothctl remove"),
    ("org.bluez.Error.Failed", "le-connection-concurrent-connection-limit", "disconnect another"),
    ("org.bluez.Error.Failed", "Input/output error", "plug it in again"),
    ("org.bluez.Error.NotReady", "Resource Not Ready", "plug it in again"),
    ("org.bluez.Error.InProgress", "br-connection-busy", "end that program"),
    ("org.bluez.Error.InProgress", "In Progress", "end that program"),
    ("org.bluez.Error.AlreadyConnected", "Already Connected", "restart bluetooth"),
    ("org.bluez.Error.Failed", "br-connection-canceled", "near"),
    ("org.bluez.Error.Failed", "le-connection-abort-by-local", "near"),
  ])
  func aConnectThatFailsNamesItsCause(_ name: String, _ message: String, _ remedy: String) throws {
    let fault = LinkFault.connectFailed(BlueZError(name, message))
    #expect(fault.remedy?.contains(remedy) == true, "\(String(describing: fault.remedy))")
  }

  @Test func theThirdEqualFailureHasAnotherRemedy() {
    var driver = linked()
    let refusal = BlueZError.failed("le-connection-abort-by-local")
    var loops: [Bool] = []
    while loops.count < 5 {
      guard case .connect? = driver.open.first else {
        if driver.open.isEmpty { driver.advance(by: .seconds(1)) } else { driver.answer() }
        continue
      }
      driver.answer(refusal)
      loops.append(driver.statuses.last?.isLoop == true)
    }
    #expect(loops == [false, false, true, true, true])
    #expect(LinkFault.connectFailed(refusal).remedyOfLoop?.contains("every phone") == true)
  }

  @Test func anotherFailureBeginsAnotherSeries() {
    var series = FailureSeries()
    for fault in [
      LinkFault.linkLost(nil), .linkLost(.timeout), .machineGone, .linkLost(nil), .linkLost(.local),
    ] {
      series.add(fault)
      #expect(!series.isLoop(of: fault))
    }
    series.add(.linkLost(.remote))
    #expect(series.isLoop(of: .linkLost(nil)) && !series.isLoop(of: .machineGone))
    series.end()
    #expect(!series.isLoop(of: .linkLost(nil)))
  }

  /// What the link does itself is no remedy any more.
  @Test(arguments: [
    LinkFault.machineNotSeen, .connectTimedOut, .connectedWithoutLink, .machineGone,
    .discoveryStuck, .servicesNotResolved, .noUsableCharacteristic([]), .linkLost(nil), .staleTable,
    .scanFailed(.failed("Failed")), .connectFailed(.failed("le-connection-abort-by-local")),
  ])
  func eachLoopHasARemedyOfItsOwn(_ fault: LinkFault) {
    #expect(fault.remedyOfLoop != nil && fault.remedyOfLoop != fault.remedy)
    #expect(fault.remedyOfLoop?.contains("bluetoothctl remove") == false)
  }

  /// It takes no connections, so BlueZ drops it at once.
  @Test func aMachineThatGoesWithTheScanIsToldAsThat() {
    var driver = Driver()
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()
    driver.advance(by: .seconds(2))
    driver.change { $0.peers = [] }
    driver.answer()  // stop discovery
    #expect(driver.fault == .machineDropped)
  }

  @Test func aMachineThatGoesAfterTheScanIsToldAsThat() {
    var driver = Driver()
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()
    driver.advance(by: .seconds(2))
    driver.answer()  // stop discovery
    driver.answer(BlueZError("org.freedesktop.DBus.Error.UnknownObject", "no such object"))
    #expect(driver.fault == .machineDropped)
  }

  @Test func aMachineThatGoesLaterIsGone() {
    var driver = linked()
    driver.answer()
    driver.change { $0.peers = [] }
    #expect(driver.fault == .machineGone)
  }
}
