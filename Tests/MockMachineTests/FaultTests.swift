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
  private func withTrusted(_ body: (Stage) async throws -> Void) async throws {
    let world = MockWorld(peripherals: [MockPeripheral(isTrusted: true)])
    try await withStage(world, body)
  }

  private func connectFailure(_ stage: Stage) async -> DBusError {
    await failure { () throws(DBusError) in try await stage.client.device("Connect") }
  }

  // MARK: Connect

  @Test func connectIsRefusedSoManyTimes() async throws {
    try await withTrusted { stage in
      try await stage.perform(
        "refuse-connect BallMachine org.bluez.Error.Failed le-connection-abort-by-local times 2"
      )
      #expect(await connectFailure(stage) == Self.abort)
      #expect(await connectFailure(stage) == Self.abort)
      try await stage.client.device("Connect")
    }
  }

  @Test func aRefusalTakesAnUntrustedDevicesObject() async throws {
    try await withStage { stage in
      try await stage.client.discover()
      try await stage.perform(
        "refuse-connect BallMachine org.bluez.Error.Failed le-connection-abort-by-local"
      )
      #expect(await connectFailure(stage) == Self.abort)
      await stage.client.sees("- \(Self.device)")
    }
  }

  @Test func connectWithoutAnAnswerIsCancelledSilently() async throws {
    try await withTrusted { stage in
      try await stage.perform("connect-no-reply BallMachine")
      let connect = Task { try await stage.client.device("Connect") }
      await stage.called("Connect")
      try await stage.client.device("Disconnect")
      try await stage.client.device("Connect")
      #expect(await stage.client.lines().filter { $0 == "reply Connect" }.count == 1)
      connect.cancel()
      await #expect(throws: DBusError.self) { try await connect.value }
    }
  }

  @Test func successWithoutALink() async throws {
    try await withTrusted { stage in
      try await stage.perform("connect-success-without-link BallMachine")
      try await stage.client.device("Connect")
      #expect(try await stage.client.get("Connected") == .boolean(false))
    }
  }

  @Test func aFlap() async throws {
    try await withTrusted { stage in
      try await stage.perform("flap BallMachine")
      #expect(await connectFailure(stage) == Self.abort)
      await stage.client.sees("\(Self.device) Connected=false")
      #expect(
        await stage.client.lines().filter { $0.hasPrefix(Self.device) } == [
          "\(Self.device) Connected=true", "\(Self.device) Connected=false",
        ]
      )
    }
  }

  @Test func aDropBeforeTheReply() async throws {
    try await withTrusted { stage in
      try await stage.perform("drop BallMachine at connecting")
      #expect(await connectFailure(stage) == bluezError("Failed", "br-connection-canceled"))
      try await stage.client.device("Connect")
    }
  }

  @Test func theConnectedSignalIsMissing() async throws {
    try await withTrusted { stage in
      try await stage.perform("omit-connected-signal BallMachine")
      try await stage.client.device("Connect")
      await stage.client.sees("\(Self.device) ServicesResolved=true")
      #expect(await !stage.client.lines().contains("\(Self.device) Connected=true"))
      #expect(try await stage.client.get("Connected") == .boolean(true))
    }
  }

  // MARK: Resolving

  @Test func resolvingFailsWithTheLinkUp() async throws {
    try await withTrusted { stage in
      try await stage.perform("resolve-fails BallMachine")
      try await stage.client.device("Connect")
      await stage.client.sees("\(Self.device) ServicesResolved=true")
      let objects = try await stage.client.objects()
      #expect(objects.keys.allSatisfy { !$0.contains("service") })
      #expect(try await stage.client.get("Connected") == .boolean(true))
    }
  }

  @Test func resolvingHangsUntilATTGivesUp() async throws {
    try await withTrusted { stage in
      try await stage.perform("resolve-hangs BallMachine")
      try await stage.client.device("Connect")
      stage.clock.advance(by: .seconds(30))
      // Nothing was discovered, and so it says all the same.
      await stage.client.sees("\(Self.device) ServicesResolved=true")
      #expect(try await stage.client.objects().keys.allSatisfy { !$0.contains("service") })
      await stage.client.sees("\(Self.device) Connected=false ServicesResolved=false")
    }
  }

  @Test func aDropWhileResolving() async throws {
    try await withTrusted { stage in
      try await stage.perform("drop BallMachine at resolving")
      try await stage.client.device("Connect")
      await stage.client.sees("\(Self.device) Connected=false")
      #expect(await !stage.client.lines().contains("\(Self.device) ServicesResolved=true"))
    }
  }

  // MARK: Links

  @Test func aVanishedMachineTimesOut() async throws {
    var timings = MockTimings.instant
    timings.supervision = .milliseconds(420)
    try await withStage(timings: timings) { stage in
      try await stage.client.connectAndResolve()
      try await stage.perform("vanish BallMachine")
      let write = Task { try await stage.client.write("1") }
      await stage.called("WriteValue")
      stage.clock.advance(by: .milliseconds(420))
      await #expect(throws: bluezError("Failed", "Operation failed with ATT error: 0x0e")) {
        try await write.value
      }
      await stage.event(
        .disconnected(machine: Self.address, adapter: "hci0", reason: .timeout)
      )
      #expect(await stage.mock.received(by: Self.address) == [])
    }
  }

  @Test func aDropAndReturnInOneSignal() async throws {
    try await withStage { stage in
      try await stage.client.connectAndResolve()
      try await stage.perform("coalesce-drop BallMachine")
      await stage.client.sees("\(Self.device) ServicesResolved=true")
      let lines = await stage.client.lines(
        since: "\(Self.device) Connected=true ServicesResolved=false"
      )
      #expect(lines.last == "\(Self.device) ServicesResolved=true")
    }
  }

  @Test func aLinkThatIsThereAlready() async throws {
    try await withStage { stage in
      try await stage.perform("link BallMachine")
      let objects = try await stage.client.objects()
      #expect(objects[Client.devicePath]?["org.bluez.Device1"]?["Connected"] == .boolean(true))
      #expect(objects[Client.commandPath] != nil)
      try await stage.client.write("1")
      // It does not advertise while it is connected.
      await #expect(throws: MockVerbError.self) { try await stage.perform("link BallMachine") }
    }
  }

  @Test func anObjectVanishesWithItsCalls() async throws {
    try await withStage { stage in
      try await stage.client.connectAndResolve()
      try await stage.perform("hang-writes BallMachine")
      let write = Task { try await stage.client.write("1") }
      await stage.called("WriteValue")
      try await stage.perform("remove-object BallMachine")
      await stage.client.sees("- \(Self.device)")
      let again = await failure { () throws(DBusError) in try await stage.client.write("2") }
      #expect(again.name == DBusError.unknownObject)
      write.cancel()
      await #expect(throws: DBusError.self) { try await write.value }
    }
  }

  @Test func aNewAddressIsANewDevice() async throws {
    try await withStage { stage in
      try await stage.client.connectAndResolve()
      try await stage.perform("new-address BallMachine F0:00:00:00:00:01")
      await stage.client.sees("\(Self.device) Connected=false ServicesResolved=false")
      try await stage.client.adapter("StartDiscovery")
      await stage.client.sees("+ hci0/dev_F0_00_00_00_00_01")
      #expect(await stage.mock.received(by: "F0:00:00:00:00:01").isEmpty)
    }
  }

  // MARK: GATT tables

  @Test func aToldTableChangeReplacesTheObjects() async throws {
    try await withStage { stage in
      try await stage.client.connectAndResolve()
      try await stage.perform("hang-writes BallMachine")
      let write = Task { try await stage.client.write("1") }
      await stage.called("WriteValue")
      try await stage.perform("change-table BallMachine profile 5")
      await stage.client.sees("+ \(Self.device)/service000b/char000e/desc0010")
      // The services that stayed the same are left alone; the write is never answered.
      let lines = await stage.client.lines(since: "- \(Self.device)/service000b/char000c")
      #expect(
        lines == [
          "- \(Self.device)/service000b/char000c", "- \(Self.device)/service000b",
          "\(Self.device) UUIDs=…", "+ \(Self.device)/service000b",
          "+ \(Self.device)/service000b/char000c", "+ \(Self.device)/service000b/char000e",
          "+ \(Self.device)/service000b/char000e/desc0010",
        ]
          || lines.contains("+ \(Self.device)/service000b/char000e")
      )
      try await stage.client.write("2")
      write.cancel()
      await #expect(throws: DBusError.self) { try await write.value }
    }
  }

  @Test func anUntoldTableChangeLeavesStaleObjects() async throws {
    try await withStage { stage in
      try await stage.client.connectAndResolve()
      try await stage.client.set("Trusted", .boolean(true))
      try await stage.perform("silent-table-change BallMachine profile empty")
      try await stage.perform("drop BallMachine")
      try await stage.client.device("Connect")
      await stage.client.sees("\(Self.device) ServicesResolved=true")
      let error = await failure { () throws(DBusError) in try await stage.client.write("1") }
      #expect(error == bluezError("Failed", "Operation failed with ATT error: 0x01"))
      // RemoveDevice clears the cache.
      let path = try ObjectPath(Client.devicePath)
      try await stage.client.adapter("RemoveDevice", [.objectPath(path)])
      await stage.client.sees("- \(Self.device)")
      try await stage.client.discover()
      try await stage.client.device("Connect")
      await stage.client.sees("+ \(Self.device)/service0008/char0009", times: 2)
      #expect(try await stage.client.objects()[Client.commandPath] == nil)
    }
  }

  // MARK: Any method

  @Test func anyMethodFailsHangsOrIsLate() async throws {
    try await withStage { stage in
      try await stage.perform("fail StartDiscovery org.bluez.Error.InProgress \"In Progress\"")
      let error = await failure { () throws(DBusError) in
        try await stage.client.adapter("StartDiscovery")
      }
      #expect(error == bluezError("InProgress", "In Progress"))
      try await stage.perform("delay StartDiscovery 3")
      let start = Task { try await stage.client.adapter("StartDiscovery") }
      await stage.called("StartDiscovery", times: 2)
      #expect(
        try await stage.client.get("Discovering", "org.bluez.Adapter1", "/org/bluez/hci0")
          == .boolean(false)
      )
      stage.clock.advance(by: .seconds(3))
      _ = try await start.value
      try await stage.perform("hang StopDiscovery")
      let stop = Task { try await stage.client.adapter("StopDiscovery") }
      await stage.called("StopDiscovery")
      try await stage.client.adapter("StopDiscovery")
      stop.cancel()
      await #expect(throws: DBusError.self) { try await stop.value }
    }
  }

  @Test func theStandardMethodsFailAndHangToo() async throws {
    try await withStage { stage in
      try await stage.perform("fail GetManagedObjects org.freedesktop.DBus.Error.NoReply late")
      let error = await failure { () throws(DBusError) in _ = try await stage.client.objects() }
      #expect(error == DBusError(name: DBusError.noReply, message: "late"))
      try await stage.perform("hang Get")
      let hung = Task { try await stage.client.get("Powered", "org.bluez.Adapter1", adapter) }
      // The next one is answered, and so the first was taken.
      let second = Task { try await stage.client.get("Powered", "org.bluez.Adapter1", adapter) }
      await stage.client.sees("reply Get")
      hung.cancel()
      second.cancel()
      let results = [try? await hung.value, try? await second.value]
      #expect(results.count { $0 == .boolean(true) } == 1)
      try await stage.perform("delay GetManagedObjects 2")
      let late = Task { try await stage.client.objects() }
      await stage.clock.sleepers(atLeast: 1)
      stage.clock.advance(by: .seconds(2))
      #expect(try await late.value["/org/bluez"] != nil)
    }
  }

  @Test func aFloodReachesClientsAndLeavesNothingBehind() async throws {
    try await withStage { stage in
      try await stage.perform("advertise-flood 1000")
      for _ in 1...100 {
        stage.clock.advance(by: .milliseconds(20))
        try await stage.perform("clear-faults")
      }
      await stage.client.log.wait { $0.count >= 1500 }
      let phones = try await stage.client.objects().count { $0.key.contains("dev_2A") }
      #expect(phones > 32 && phones <= 64)
      try await stage.perform("advertise-flood 0")
      await stage.client.sees("hci0 Discovering=false")
      let objects = try await stage.client.objects()
      #expect(objects.keys.allSatisfy { !$0.contains("dev_2A") })
    }
  }

  @Test func aVerbThatCannotBeDoneSaysWhy() async throws {
    try await withStage { stage in
      for (line, message) in [
        ("drop BallMachine", "F0:F1:F2:F3:F4:F5 is not connected"),
        ("vanish Nobody", "there is no machine \"Nobody\""),
        ("vanish F0:00:00:00:00:09", "there is no machine F0:00:00:00:00:09"),
        ("power hci3 on", "there is no hci3"),
        ("up", "bluetoothd is up already"),
        ("add-adapter hci0 AA:BB:CC:DD:EE:09", "there is a hci0 already"),
        ("add-adapter hci1 aa:bb:cc:dd:ee:01", "hci0 has the address AA:BB:CC:DD:EE:01"),
      ] {
        let error = await #expect(throws: MockVerbError.self) { try await stage.perform(line) }
        #expect(error?.message == message)
      }
    }
  }
}
