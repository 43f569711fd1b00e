import DBus
import MockMachine
import TestSupport
import Testing

@Suite(.mustEnd)
struct RestartTests {
  private static let device = "hci0/dev_F0_F1_F2_F3_F4_F5"

  @Test func objectsGoWithoutSignalsAndComeBackAfterTheName() async throws {
    var timings = MockTimings.instant
    timings.objectsAppear = .milliseconds(300)
    try await withSetup(timings: timings) { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.set("Trusted", .boolean(true))
      try await setup.perform("restart down-for 2")
      await setup.client.sees("name lost")
      let absent = await failure { () throws(DBusError) in _ = try await setup.client.objects() }
      #expect([DBusError.serviceUnknown, DBusError.nameHasNoOwner].contains(absent.name))
      setup.clock.advance(by: .seconds(2))
      await setup.client.sees("name owned")
      #expect(try await setup.client.objects().isEmpty)
      setup.clock.advance(by: .milliseconds(300))
      await setup.client.sees("+ \(Self.device)", times: 2)
      let objects = try await setup.client.objects()
      let device = objects[Client.devicePath]?["org.bluez.Device1"]
      #expect(device?["Trusted"] == .boolean(true))
      #expect(device?["Connected"] == .boolean(false))
      #expect(device?["UUIDs"]?.strings?.contains("12345678-1234-1234-1234-123456789abc") == true)
      // No GATT objects until the next connect.
      #expect(objects[Client.commandPath] == nil)
      #expect(
        await setup.client.lines(since: "name owned") == [
          "name owned", "reply GetManagedObjects", "+ /org/bluez", "+ hci0", "+ \(Self.device)",
          "reply GetManagedObjects",
        ]
      )
      #expect(await !setup.client.lines().contains { $0.hasPrefix("-") })
      try await setup.client.device("Connect")
      await setup.client.sees("+ \(Client.short(Client.commandPath))", times: 2)
    }
  }

  @Test func theBusAnswersPendingCalls() async throws {
    let machine = MockPeripheral(isTrusted: true, isAdvertising: false)
    try await withSetup(MockModel(peripherals: [machine])) { setup in
      let connect = Task { try await setup.client.device("Connect") }
      await setup.called("Connect")
      try await setup.perform("down")
      let error = await #expect(throws: DBusError.self) { try await connect.value }
      #expect(error?.name == DBusError.noReply)
      await setup.event(.down)
      try await setup.perform("up")
      await setup.client.sees("+ \(Self.device)")
      try await setup.perform("appear BallMachine")
      try await setup.client.device("Connect")
    }
  }

  @Test func untrustedDevicesAreForgotten() async throws {
    try await withSetup { setup in
      try await setup.client.discover()
      try await setup.perform("down")
      try await setup.perform("up")
      await setup.client.sees("+ hci0")
      #expect(try await setup.client.objects()[Client.devicePath] == nil)
      #expect(
        try await setup.client.get("Discovering", "org.bluez.Adapter1", "/org/bluez/hci0")
          == .boolean(false)
      )
    }
  }

  @Test func theMachineIsFreeAgainSomeTimeAfterTheCrash() async throws {
    var timings = MockTimings.instant
    timings.orphanedLink = .seconds(2)
    try await withSetup(timings: timings) { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.set("Trusted", .boolean(true))
      try await setup.perform("down")
      try await setup.perform("up")
      await setup.client.sees("+ \(Self.device)", times: 2)
      let connect = Task { try await setup.client.device("Connect") }
      await setup.called("Connect", times: 2)
      setup.clock.advance(by: .seconds(2))
      _ = try await connect.value
    }
  }

  @Test func stoppingGivesTheNameBack() async throws {
    let bus = try PrivateBus.start()
    defer { bus.stop() }
    let mock = MockBlueZ(bus: bus.address)
    try await mock.start()
    let running = Task { await mock.run() }
    let second = MockBlueZ(bus: bus.address)
    let error = await #expect(throws: DBusError.self) { try await second.start() }
    #expect(error?.name == DBusError.addressInUse)
    await mock.stop()
    await running.value
    await #expect(throws: MockVerbError.self) { try await mock.perform(.down) }
    try await second.start()
  }

  @Test func theEndOfTheBusEndsTheMock() async throws {
    let bus = try PrivateBus.start()
    let mock = MockBlueZ(bus: bus.address)
    try await mock.start()
    let running = Task { await mock.run() }
    bus.stop()
    await running.value
  }
}
