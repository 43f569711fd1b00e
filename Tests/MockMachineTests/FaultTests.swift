import DBus
import MockMachine
import TestSupport
import Testing

/// The fault verbs, one by one.
@Suite(.mustEnd)
struct FaultTests {
  private static let device = "hci0/dev_F0_F1_F2_F3_F4_F5"
  private static let address: MockAddress = "F0:F1:F2:F3:F4:F5"
  private let adapter = "/org/bluez/hci0"
  private static let abort = bluezError("Failed", "le-connection-abort-by-local")

  /// A trusted device, found and disconnected.
  private func withTrusted(_ body: (Setup) async throws -> Void) async throws {
    let model = MockModel(peripherals: [MockPeripheral(isTrusted: true)])
    try await withSetup(model, body)
  }

  private func connectFailure(_ setup: Setup) async -> DBusError {
    await failure { () throws(DBusError) in try await setup.client.device("Connect") }
  }

  // MARK: Connect

  @Test func connectIsRefusedSoManyTimes() async throws {
    try await withTrusted { setup in
      try await setup.perform(
        "refuse-connect BallMachine org.bluez.Error.Failed le-connection-abort-by-local times 2"
      )
      #expect(await connectFailure(setup) == Self.abort)
      #expect(await connectFailure(setup) == Self.abort)
      try await setup.client.device("Connect")
    }
  }

  @Test func aRefusalTakesAnUntrustedDevicesObject() async throws {
    try await withSetup { setup in
      try await setup.client.discover()
      try await setup.perform(
        "refuse-connect BallMachine org.bluez.Error.Failed le-connection-abort-by-local"
      )
      #expect(await connectFailure(setup) == Self.abort)
      await setup.client.sees("- \(Self.device)")
    }
  }

  @Test func connectWithoutAnAnswerIsCancelledSilently() async throws {
    try await withTrusted { setup in
      try await setup.perform("connect-no-reply BallMachine")
      let connect = Task { try await setup.client.device("Connect") }
      await setup.called("Connect")
      try await setup.client.device("Disconnect")
      try await setup.client.device("Connect")
      #expect(await setup.client.lines().filter { $0 == "reply Connect" }.count == 1)
      connect.cancel()
      await #expect(throws: DBusError.self) { try await connect.value }
    }
  }

  @Test func successWithoutALink() async throws {
    try await withTrusted { setup in
      try await setup.perform("connect-success-without-link BallMachine")
      try await setup.client.device("Connect")
      #expect(try await setup.client.get("Connected") == .boolean(false))
    }
  }

  @Test func aFlap() async throws {
    try await withTrusted { setup in
      try await setup.perform("flap BallMachine")
      #expect(await connectFailure(setup) == Self.abort)
      await setup.client.sees("\(Self.device) Connected=false")
      #expect(
        await setup.client.lines().filter { $0.hasPrefix(Self.device) } == [
          "\(Self.device) Connected=true", "\(Self.device) Connected=false",
        ]
      )
    }
  }

  @Test func aDropBeforeTheReply() async throws {
    try await withTrusted { setup in
      try await setup.perform("drop BallMachine at connecting")
      #expect(await connectFailure(setup) == bluezError("Failed", "br-connection-canceled"))
      try await setup.client.device("Connect")
    }
  }

  @Test func theConnectedSignalIsMissing() async throws {
    try await withTrusted { setup in
      try await setup.perform("omit-connected-signal BallMachine")
      try await setup.client.device("Connect")
      await setup.client.sees("\(Self.device) ServicesResolved=true")
      #expect(await !setup.client.lines().contains("\(Self.device) Connected=true"))
      #expect(try await setup.client.get("Connected") == .boolean(true))
    }
  }

  // MARK: Resolving

  @Test func resolvingFailsWithTheLinkUp() async throws {
    try await withTrusted { setup in
      try await setup.perform("resolve-fails BallMachine")
      try await setup.client.device("Connect")
      await setup.client.sees("\(Self.device) ServicesResolved=true")
      let objects = try await setup.client.objects()
      #expect(objects.keys.allSatisfy { !$0.contains("service") })
      #expect(try await setup.client.get("Connected") == .boolean(true))
    }
  }

  @Test func resolvingHangsUntilATTGivesUp() async throws {
    try await withTrusted { setup in
      try await setup.perform("resolve-hangs BallMachine")
      try await setup.client.device("Connect")
      setup.clock.advance(by: .seconds(30))
      // Nothing was discovered, and so it says all the same.
      await setup.client.sees("\(Self.device) ServicesResolved=true")
      #expect(try await setup.client.objects().keys.allSatisfy { !$0.contains("service") })
      await setup.client.sees("\(Self.device) Connected=false ServicesResolved=false")
    }
  }

  @Test func aDropWhileResolving() async throws {
    try await withTrusted { setup in
      try await setup.perform("drop BallMachine at resolving")
      try await setup.client.device("Connect")
      await setup.client.sees("\(Self.device) Connected=false")
      #expect(await !setup.client.lines().contains("\(Self.device) ServicesResolved=true"))
    }
  }

  // MARK: Links

  @Test func aVanishedMachineTimesOut() async throws {
    var timings = MockTimings.instant
    timings.supervision = .milliseconds(420)
    try await withSetup(timings: timings) { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform("vanish BallMachine")
      let write = Task { try await setup.client.write("1") }
      await setup.called("WriteValue")
      setup.clock.advance(by: .milliseconds(420))
      await #expect(throws: bluezError("Failed", "Operation failed with ATT error: 0x0e")) {
        try await write.value
      }
      await setup.event(
        .disconnected(machine: Self.address, adapterName: "hci0", cause: .timeout)
      )
      #expect(await setup.mock.received(by: Self.address) == [])
    }
  }

  @Test func aDropAndReturnInOneSignal() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform("coalesce-drop BallMachine")
      await setup.client.sees("\(Self.device) ServicesResolved=true")
      let lines = await setup.client.lines(
        since: "\(Self.device) Connected=true ServicesResolved=false"
      )
      #expect(lines.last == "\(Self.device) ServicesResolved=true")
    }
  }

  @Test func aLinkThatIsThereAlready() async throws {
    try await withSetup { setup in
      try await setup.perform("link BallMachine")
      let objects = try await setup.client.objects()
      #expect(objects[Client.devicePath]?["org.bluez.Device1"]?["Connected"] == .boolean(true))
      #expect(objects[Client.commandPath] != nil)
      try await setup.client.write("1")
      // It does not advertise while it is connected.
      await #expect(throws: MockVerbError.self) { try await setup.perform("link BallMachine") }
    }
  }

  @Test func anObjectVanishesWithItsCalls() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform("hang-writes BallMachine")
      let write = Task { try await setup.client.write("1") }
      await setup.called("WriteValue")
      try await setup.perform("remove-object BallMachine")
      await setup.client.sees("- \(Self.device)")
      let again = await failure { () throws(DBusError) in try await setup.client.write("2") }
      #expect(again.name == DBusError.unknownObject)
      write.cancel()
      await #expect(throws: DBusError.self) { try await write.value }
    }
  }

  @Test func aNewAddressIsANewDevice() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform("new-address BallMachine F0:00:00:00:00:01")
      await setup.client.sees("\(Self.device) Connected=false ServicesResolved=false")
      try await setup.client.adapter("StartDiscovery")
      await setup.client.sees("+ hci0/dev_F0_00_00_00_00_01")
      #expect(await setup.mock.received(by: "F0:00:00:00:00:01").isEmpty)
    }
  }

  // MARK: GATT tables

  @Test func aToldTableChangeReplacesTheObjects() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform("hang-writes BallMachine")
      let write = Task { try await setup.client.write("1") }
      await setup.called("WriteValue")
      try await setup.perform("change-table BallMachine profile 5")
      await setup.client.sees("+ \(Self.device)/service000b/char000e/desc0010")
      // The services that stayed the same are left alone; the write is never answered.
      let lines = await setup.client.lines(since: "- \(Self.device)/service000b/char000c")
      #expect(
        lines == [
          "- \(Self.device)/service000b/char000c", "- \(Self.device)/service000b",
          "\(Self.device) UUIDs=…", "+ \(Self.device)/service000b",
          "+ \(Self.device)/service000b/char000c", "+ \(Self.device)/service000b/char000e",
          "+ \(Self.device)/service000b/char000e/desc0010",
        ]
          || lines.contains("+ \(Self.device)/service000b/char000e")
      )
      try await setup.client.write("2")
      write.cancel()
      await #expect(throws: DBusError.self) { try await write.value }
    }
  }

  @Test func anUntoldTableChangeLeavesStaleObjects() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.set("Trusted", .boolean(true))
      try await setup.perform("silent-table-change BallMachine profile empty")
      try await setup.perform("drop BallMachine")
      try await setup.client.device("Connect")
      await setup.client.sees("\(Self.device) ServicesResolved=true")
      let error = await failure { () throws(DBusError) in try await setup.client.write("1") }
      #expect(error == bluezError("Failed", "Operation failed with ATT error: 0x01"))
      // RemoveDevice clears the cache.
      let path = try ObjectPath(Client.devicePath)
      try await setup.client.adapter("RemoveDevice", [.objectPath(path)])
      await setup.client.sees("- \(Self.device)")
      try await setup.client.discover()
      try await setup.client.device("Connect")
      await setup.client.sees("+ \(Self.device)/service0008/char0009", times: 2)
      #expect(try await setup.client.objects()[Client.commandPath] == nil)
    }
  }

  // MARK: Any method

  @Test func anyMethodFailsHangsOrIsLate() async throws {
    try await withSetup { setup in
      try await setup.perform("fail StartDiscovery org.bluez.Error.InProgress \"In Progress\"")
      let error = await failure { () throws(DBusError) in
        try await setup.client.adapter("StartDiscovery")
      }
      #expect(error == bluezError("InProgress", "In Progress"))
      try await setup.perform("delay StartDiscovery 3")
      let start = Task { try await setup.client.adapter("StartDiscovery") }
      await setup.called("StartDiscovery", times: 2)
      #expect(
        try await setup.client.get("Discovering", "org.bluez.Adapter1", "/org/bluez/hci0")
          == .boolean(false)
      )
      setup.clock.advance(by: .seconds(3))
      _ = try await start.value
      try await setup.perform("hang StopDiscovery")
      let stop = Task { try await setup.client.adapter("StopDiscovery") }
      await setup.called("StopDiscovery")
      try await setup.client.adapter("StopDiscovery")
      stop.cancel()
      await #expect(throws: DBusError.self) { try await stop.value }
    }
  }

  @Test func theStandardMethodsFailAndHangToo() async throws {
    try await withSetup { setup in
      try await setup.perform("fail GetManagedObjects org.freedesktop.DBus.Error.NoReply late")
      let error = await failure { () throws(DBusError) in _ = try await setup.client.objects() }
      #expect(error == DBusError(name: DBusError.noReply, message: "late"))
      try await setup.perform("hang Get")
      let hung = Task { try await setup.client.get("Powered", "org.bluez.Adapter1", adapter) }
      // The next one is answered, and so the first was taken.
      let second = Task { try await setup.client.get("Powered", "org.bluez.Adapter1", adapter) }
      await setup.client.sees("reply Get")
      hung.cancel()
      second.cancel()
      let results = [try? await hung.value, try? await second.value]
      #expect(results.count { $0 == .boolean(true) } == 1)
      try await setup.perform("delay GetManagedObjects 2")
      let late = Task { try await setup.client.objects() }
      await setup.clock.sleepers(atLeast: 1)
      setup.clock.advance(by: .seconds(2))
      #expect(try await late.value["/org/bluez"] != nil)
    }
  }

  @Test func aFloodReachesClientsAndLeavesNothingBehind() async throws {
    try await withSetup { setup in
      try await setup.perform("advertise-flood 1000")
      for _ in 1...100 {
        setup.clock.advance(by: .milliseconds(20))
        try await setup.perform("clear-faults")
      }
      await setup.client.log.wait { $0.count >= 1500 }
      let phones = try await setup.client.objects().count { $0.key.contains("dev_2A") }
      #expect(phones > 32 && phones <= 64)
      try await setup.perform("advertise-flood 0")
      await setup.client.sees("hci0 Discovering=false")
      let objects = try await setup.client.objects()
      #expect(objects.keys.allSatisfy { !$0.contains("dev_2A") })
    }
  }

  @Test func aVerbThatCannotBeDoneSaysWhy() async throws {
    try await withSetup { setup in
      for (line, message) in [
        ("drop BallMachine", "F0:F1:F2:F3:F4:F5 is not connected"),
        ("vanish Nobody", "there is no machine \"Nobody\""),
        ("vanish F0:00:00:00:00:09", "there is no machine F0:00:00:00:00:09"),
        ("power hci3 on", "there is no hci3"),
        ("up", "bluetoothd is up already"),
        ("add-adapter hci0 AA:BB:CC:DD:EE:09", "there is a hci0 already"),
        ("add-adapter hci1 aa:bb:cc:dd:ee:01", "hci0 has the address AA:BB:CC:DD:EE:01"),
      ] {
        let error = await #expect(throws: MockVerbError.self) { try await setup.perform(line) }
        #expect(error?.message == message)
      }
    }
  }
}
