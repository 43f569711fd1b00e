import BlueZ
import Clocks
import TestSupport
import Testing

@testable import MachineLink

/// bluetoothd ends while a scan of ours is on.
@Suite struct ScanCautionTests {
  private static let named = LinkConfiguration(name: "Court 7")

  /// Scanning, with nothing like the machine in range.
  private func scanning(_ configuration: LinkConfiguration = LinkConfiguration()) -> Driver {
    var driver = Driver(bluez: BlueZModel(peers: []), configuration: configuration)
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer()
    #expect(driver.machine.state.phase == .discovering)
    return driver
  }

  private func end(_ driver: inout Driver, isCoalesced: Bool = false) {
    if !isCoalesced { driver.change { $0.owner = nil } }
    driver.change { $0.startService() }
    while let operation = driver.open.first, operation.startedFilter == nil { driver.answer() }
  }

  @Test(arguments: [false, true])
  func itIsToldWithItsVersionAndTheNextScanWaits(isCoalesced: Bool) {
    var driver = scanning()
    end(&driver, isCoalesced: isCoalesced)
    #expect(driver.fault == .serviceEnded(ServiceEnd(version: "5.66", times: 1)))
    #expect(driver.fault?.reason == "bluetoothd 5.66 ended during a scan")
    #expect(driver.phase == .backingOff)
    #expect(driver.statuses.last?.nextAttempt == driver.now.advanced(by: .seconds(5)))
    driver.advance(by: .milliseconds(4999))
    #expect(driver.open.isEmpty)
    driver.advance(by: .milliseconds(1))
    #expect(driver.open.first?.startedFilter == .some(.none))
  }

  @Test func whileItIsAwayThatIsToldToo() {
    var driver = scanning()
    driver.change { $0.owner = nil }
    #expect(driver.phase == .waitingForBlueZ)
    #expect(driver.fault == .serviceEnded(ServiceEnd(version: "5.66", times: 1)))
  }

  @Test func eachScanAsksForLessAndComesLater() {
    var driver = scanning(Self.named)
    var filters: [DiscoveryFilter] = []
    for delay in [5, 30, 120, 300, 300] {
      end(&driver)
      driver.advance(by: .seconds(delay) - .milliseconds(1))
      #expect(driver.open.isEmpty, "\(delay)")
      driver.advance(by: .milliseconds(1))
      driver.open.first?.startedFilter.map { filters.append($0) }
      driver.answer()
    }
    #expect(
      filters == [.lowEnergy(prefix: nil), .none, .none, .none, .none]
    )
    guard case .serviceEnded(let end)? = driver.fault else {
      Issue.record("\(String(describing: driver.fault))")
      return
    }
    #expect(end.times == 5)
    #expect(end.reason == "bluetoothd 5.66 ended during a scan, 5 times in half an hour")
  }

  @Test func itIsForgottenAfterHalfAnHour() {
    var caution = ScanCaution()
    var levels = BlueZModel().levels()
    caution.scanBegins(.named, on: BlueZModel.firstAdapter, in: levels)
    levels.owner = nil
    levels.tree = nil
    let hasEnded = caution.note(levels, at: .start)
    #expect(hasEnded)
    let almost = MonotonicInstant.start.advanced(by: .milliseconds(1_799_999))
    #expect(caution.form(insteadOf: .named, at: almost) == .everything)
    #expect(caution.lastEnd(at: almost)?.times == 1)
    let over = almost.advanced(by: .milliseconds(1))
    #expect(caution.form(insteadOf: .named, at: over) == .named)
    #expect(caution.lastEnd(at: over) == nil)
  }

  @Test func anotherVersionBeginsAnew() {
    var caution = ScanCaution()
    var levels = BlueZModel().levels()
    caution.scanBegins(.named, on: BlueZModel.firstAdapter, in: levels)
    levels.owner = ":1.2"
    levels.tree = nil
    let hasEnded = caution.note(levels, at: .start)
    #expect(hasEnded)
    #expect(caution.nextScan(at: .start) != nil)
    #expect(caution.form(insteadOf: .named, at: .start) == .everything)
    var model = BlueZModel()
    model.modalias = "usb:v1D6Bp0246d0558"
    let endedAgain = caution.note(model.levels(), at: .start)
    #expect(!endedAgain)
    #expect(caution.nextScan(at: .start) == nil)
    #expect(caution.form(insteadOf: .named, at: .start) == .named)
  }

  /// The bus answers in its place before it tells that the name is gone.
  @Test(arguments: [true, false])
  func aScanThatWasNeverAnsweredCountsIfTheNameGoesWithIt(goesSoon: Bool) {
    var driver = Driver(bluez: BlueZModel(peers: []))
    driver.feed(.started)
    driver.answer()
    driver.change()
    driver.answer(BlueZError("org.freedesktop.DBus.Error.NoReply", "gone"))
    #expect(driver.phase == .backingOff)
    if !goesSoon { driver.advance(by: .milliseconds(400)) }
    var caution = driver.machine.caution
    let later = driver.now.advanced(by: goesSoon ? .seconds(1) : .seconds(3))
    var levels = driver.machine.levels
    levels.owner = nil
    let hasEnded = caution.note(levels, at: later)
    #expect(hasEnded == goesSoon)
  }

  @Test func whatEndsAfterTheScanIsNoneOfIt() {
    var driver = scanning()
    driver.advance(by: .seconds(20))
    driver.answer()  // it is stopped
    driver.answer(BlueZError("org.bluez.Error.NotReady", "off"))
    driver.change { $0.owner = nil }
    #expect(driver.fault == .serviceAbsent)
  }

  @Test func theBusIsNotBluetoothd() {
    var driver = scanning()
    driver.change { $0.isBusConnected = false }
    driver.change {
      $0.isBusConnected = true
      $0.startService()
    }
    #expect(driver.machine.caution.lastEnd(at: driver.now) == nil)
  }

  /// A Connect needs no scan.
  @Test func aKnownMachineIsConnectedToMeanwhile() {
    var driver = scanning(
      LinkConfiguration(address: BluetoothAddress(BlueZModel.machineAddress))
    )
    end(&driver)
    #expect(driver.phase == .backingOff)
    driver.change { $0.appear(BlueZModel.machineAddress, flags: ["write"]) }
    #expect(driver.phase == .connecting)
  }

  @Test func aKnownDefectIsTold() {
    let known = ServiceEnd(version: "5.87", times: 1)
    #expect(known.remedy.contains("bluez newer or older than 5.87"))
    #expect(known.remedy.contains("issue 2282"))
    let other = ServiceEnd(version: nil, times: 2)
    #expect(other.reason == "bluetoothd ended during a scan, 2 times in half an hour")
    #expect(other.remedy.contains("journalctl -u bluetooth"))
    #expect(!other.remedy.contains("near"))
  }
}

extension LinkOperation {
  fileprivate var startedFilter: DiscoveryFilter? {
    if case .startDiscovery(_, let filter) = self { filter } else { nil }
  }
}
