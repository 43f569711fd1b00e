import BlueZ
import Clocks
import CourtLogic
import Testing

@testable import MachineLink
@testable import TestSupport

/// What a status tells a technician.
@Suite struct LinkHealthTests {
  private static let byAddress = LinkConfiguration(
    address: BluetoothAddress(BlueZModel.machineAddress)
  )
  private static let adapter = BluetoothAddress("AA:BB:CC:DD:EE:01")

  private func started(
    _ configuration: LinkConfiguration = byAddress,
    _ bluez: BlueZModel = BlueZModel()
  ) -> Driver {
    var driver = Driver(bluez: bluez, configuration: configuration)
    driver.feed(.started)
    driver.answer()
    driver.change()
    return driver
  }

  private func status(_ driver: Driver) throws -> LinkStatus { try #require(driver.statuses.last) }

  // MARK: Attempts

  @Test func attemptsCountUntilALinkHolds() throws {
    var driver = started()
    for number in 1...3 {
      #expect(driver.phase == .connecting)
      #expect(try status(driver).attempt == number)
      driver.answer()
      let failed = driver.now
      driver.answer(.failed("le-connection-abort-by-local"))
      let status = try status(driver)
      #expect(status.phase == .backingOff && status.attempt == number + 1)
      let next = try #require(status.nextAttempt)
      let delay = failed.duration(to: next)
      #expect(delay >= .milliseconds(500) * (1 << (number - 1)))
      driver.advance(by: delay - .nanoseconds(1))
      #expect(driver.phase == .backingOff)
      driver.advance(by: .nanoseconds(1))
      #expect(try self.status(driver).nextAttempt == nil)
    }
    driver.answer()
    driver.bluez.peers[0].isConnected = true
    driver.bluez.peers[0].isResolved = true
    driver.change()
    for _ in 1...2 { driver.answer() }
    #expect(driver.phase == .ready)
    #expect(try status(driver).attempt == nil)
    #expect(try status(driver).failures == 3)
    driver.advance(by: .seconds(30))
    #expect(try status(driver).failures == 0)
  }

  @Test func whatIsWaitedForIsTriedAgainAtATimeThatIsTold() throws {
    var driver = Driver(configuration: Self.byAddress)
    driver.feed(.started)
    #expect(try status(driver).nextAttempt == nil)
    driver.answer(.failed("no bus"))
    let next = try #require(try status(driver).nextAttempt)
    #expect(try status(driver).attempt == nil)
    driver.advance(by: driver.now.duration(to: next))
    #expect(driver.open == [.openBus])
    #expect(try status(driver).nextAttempt == nil)
  }

  @Test func sinceIsWhenThePhaseBegan() throws {
    var driver = started()
    driver.answer()
    driver.advance(by: .seconds(1))
    let failed = driver.now
    driver.answer(.failed("le-connection-abort-by-local"))
    #expect(try status(driver).since == failed)
  }

  // MARK: Signal strength

  @Test func theSignalOutlivesTheScanAndKeepsItsTime() throws {
    var driver = started(LinkConfiguration(), BlueZModel(peers: []))
    driver.answer()
    driver.advance(by: .seconds(3))
    driver.change {
      $0.peers = [.init(address: BlueZModel.machineAddress, adapter: "/org/bluez/hci0")]
    }
    driver.advance(by: .seconds(1))
    driver.change { $0.peers[0].rssi = -71 }
    driver.advance(by: .seconds(1))
    // Only now is it known to be the machine.
    let heard = driver.now
    #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
    driver.change { $0.peers[0].rssi = nil }
    driver.answer()
    driver.advance(by: .seconds(5))
    driver.answer()
    #expect(driver.phase == .connecting)
    #expect(try status(driver).signal == .init(rssi: -71, heardAt: heard))
  }

  @Test func theSameStrengthHeardAnewIsNew() throws {
    var driver = started(Self.byAddress, BlueZModel(peers: []))
    driver.answer()
    driver.change {
      $0.peers = [.init(address: BlueZModel.machineAddress, adapter: "/org/bluez/hci0")]
    }
    driver.change { $0.peers[0].rssi = nil }
    driver.answer()
    driver.advance(by: .seconds(5))
    driver.change { $0.peers[0].rssi = -60 }
    driver.answer()
    driver.answer()
    #expect(driver.phase == .resolving)
    #expect(try status(driver).signal == .init(rssi: -60, heardAt: driver.now))
  }

  /// The signal is another one in each advertisement.
  @Test func aWobblingSignalIsToldOnceASecond() throws {
    var driver = started(Self.byAddress, BlueZModel(peers: []))
    driver.answer()
    driver.change {
      $0.peers = [.init(address: BlueZModel.machineAddress, adapter: "/org/bluez/hci0")]
    }
    #expect(driver.open == [.stopDiscovery(adapter: "/org/bluez/hci0")])
    let before = driver.statuses.count
    for number in 1...450 {
      driver.advance(by: .milliseconds(10))
      driver.change { $0.peers[0].rssi = number % 2 == 0 ? -61 : -60 }
    }
    #expect(driver.phase == .discovering)
    #expect(driver.statuses.count - before == 4)
  }

  @Test func twoMachinesThatWobbleAreNoNews() throws {
    var bluez = BlueZModel()
    bluez.peers.append(.init(address: "F0:00:00:00:00:02", adapter: "/org/bluez/hci0"))
    var driver = started(LinkConfiguration(), bluez)
    driver.answer()
    let before = driver.statuses.count
    for number in 0..<100 {
      driver.advance(by: .milliseconds(10))
      driver.change { $0.peers[1].rssi = number % 2 == 0 ? -61 : -60 }
    }
    #expect(driver.statuses.count == before)
  }

  @Test func aSignalIsNoNewsWhileReady() {
    var driver = Driver()
    driver.becomeReady()
    #expect(driver.phase == .ready)
    let before = driver.statuses.count
    for rssi in -80 ... -60 {
      driver.advance(by: .seconds(1))
      driver.change { $0.peers[0].rssi = Int16(rssi) }
    }
    #expect(driver.statuses.count == before)
  }

  // MARK: Refusals

  @Test func refusalsCountUntilTheMachineTakesACommand() throws {
    var driver = Driver()
    driver.becomeReady()
    func send(_ number: UInt64, _ error: BlueZError?) throws -> LinkStatus {
      driver.advance(by: .seconds(3))
      let command = try MachineCommand(digits: "105001050012002000")
      driver.feed(.submitted(CommandID(number: number), command, decidedAt: driver.now))
      driver.answer(error)
      return try status(driver)
    }
    let refusal = BlueZError("org.bluez.Error.NotPermitted", "Not paired")
    #expect(try send(1, refusal).refusals?.count == 1)
    let second = try send(2, refusal)
    #expect(second.phase == .ready && second.refusals?.count == 2)
    #expect(
      second.refusals?.reason == "the machine did not take the last 2 commands: "
        + "the machine refused it (ATT error 0x05, insufficient authentication: the machine wants to be paired)"
    )
    // The link stands, whatever BlueZ says: the machine hasn't got that one either.
    let third = try send(3, .failed("Not connected"))
    #expect(third.phase == .ready && third.refusals?.count == 3)
    #expect(
      third.refusals?.reason == "the machine did not take the last 3 commands: "
        + "BlueZ has no connection to the machine (org.bluez.Error.Failed: Not connected)"
    )
    #expect(try send(4, nil).refusals == nil)
  }

  // MARK: The adapter

  @Test func theAdapterIsToldAsItIs() throws {
    var driver = Driver(configuration: Self.byAddress)
    driver.feed(.started)
    #expect(try status(driver).adapter == nil)
    driver.answer()
    driver.bluez.radios[0].isPowered = false
    driver.change()
    #expect(
      try status(driver).adapter == .init(address: Self.adapter, name: "hci0", condition: .off)
    )
    driver.change { $0.radios[0].isPowered = true }
    #expect(
      try status(driver).adapter == .init(address: Self.adapter, name: "hci0", condition: .on)
    )
    driver.change { $0.radios = [] }
    #expect(try status(driver).adapter == .init(address: Self.adapter, condition: .missing))
    driver.change { $0.radios = [.init(path: "/org/bluez/hci1", address: "AA:BB:CC:DD:EE:01")] }
    #expect(
      try status(driver).adapter == .init(address: Self.adapter, name: "hci1", condition: .on)
    )
    driver.change { $0.owner = nil }
    #expect(try status(driver).adapter == .init(address: Self.adapter, condition: .unknown))
  }
}
