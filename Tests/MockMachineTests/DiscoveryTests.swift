import DBus
import MockMachine
import TestSupport
import Testing

@Suite(.mustEnd)
struct DiscoveryTests {
  private static let device = "hci0/dev_F0_F1_F2_F3_F4_F5"

  @Test func theMarkerSaysThatThisIsASimulation() async throws {
    try await withSetup { setup in
      let objects = try await setup.client.objects()
      #expect(objects["/org/bluez"]?["io.ballmachine.Simulation1"]?["Simulated"] == .boolean(true))
      let adapter = objects["/org/bluez/hci0"]?["org.bluez.Adapter1"]
      #expect(adapter?["Address"]?.string == "AA:BB:CC:DD:EE:01")
      #expect(adapter?["Powered"] == .boolean(true))
    }
  }

  @Test func devicesAppearOnlyWhileSomebodyScans() async throws {
    try await withSetup { setup in
      let client = setup.client
      #expect(try await client.objects()[Client.devicePath] == nil)
      try await client.adapter("StartDiscovery")
      await client.sees("+ \(Self.device)")
      let device = try await client.objects()[Client.devicePath]?["org.bluez.Device1"]
      #expect(device?["RSSI"] == .int16(-60))
      #expect(device?["UUIDs"]?.strings == ["12345678-1234-1234-1234-123456789abc"])
      #expect(device?["Name"]?.string == "BallMachine")
      #expect(device?["Alias"]?.string == "BallMachine")
      #expect(device?["AddressType"]?.string == "random")
      try await client.adapter("StopDiscovery")
      await client.sees("\(Self.device) -RSSI")
      #expect(
        await client.lines() == [
          "reply GetManagedObjects", "reply StartDiscovery", "hci0 Discovering=true",
          "+ \(Self.device)", "reply GetManagedObjects", "reply StopDiscovery",
          "hci0 Discovering=false", "\(Self.device) -RSSI",
        ]
      )
      let error = await failure { () throws(DBusError) in _ = try await client.get("RSSI") }
      #expect(error.name == DBusError.invalidArgs)
    }
  }

  @Test func aFilteredScanSignalsEachReport() async throws {
    try await withSetup { setup in
      let client = setup.client
      try await client.adapter("SetDiscoveryFilter", [.properties(["Transport": .string("le")])])
      try await client.adapter("StartDiscovery")
      await client.sees("+ \(Self.device)")
      setup.clock.advance(by: .seconds(1))
      await client.sees("\(Self.device) RSSI=-59")
      setup.clock.advance(by: .seconds(1))
      await client.sees("\(Self.device) RSSI=-60")
    }
  }

  // MARK: Sessions

  @Test func aClientHasOneSession() async throws {
    try await withSetup { setup in
      let client = setup.client
      try await client.adapter("StartDiscovery")
      let second = await failure { () throws(DBusError) in
        try await client.adapter("StartDiscovery")
      }
      #expect(second == bluezError("InProgress", "Operation already in progress"))
      try await client.adapter("StopDiscovery")
      let third = await failure { () throws(DBusError) in try await client.adapter("StopDiscovery")
      }
      #expect(third == bluezError("Failed", "No discovery started"))
    }
  }

  @Test func nobodyStopsTheScanOfAnother() async throws {
    try await withSetup { setup in
      let other = try await setup.anotherClient()
      try await other.adapter("StartDiscovery")
      await setup.client.sees("hci0 Discovering=true")
      let error = await failure { () throws(DBusError) in
        try await setup.client.adapter("StopDiscovery")
      }
      #expect(error == bluezError("Failed", "No discovery started"))
      try await setup.client.adapter("StartDiscovery")
      try await other.adapter("StopDiscovery")
      // The other's end leaves our session alone.
      #expect(
        try await setup.client.get("Discovering", "org.bluez.Adapter1", "/org/bluez/hci0")
          == .boolean(true)
      )
    }
  }

  @Test func aSessionEndsWhenItsClientLeavesTheBus() async throws {
    try await withSetup { setup in
      let other = try await setup.anotherClient()
      try await other.adapter("StartDiscovery")
      await setup.client.sees("hci0 Discovering=true")
      let name = other.connection.uniqueName
      await other.connection.close()
      await setup.client.sees("hci0 Discovering=false")
      await setup.event(.discoveryStopped(adapterName: "hci0", client: name))
    }
  }

  // MARK: Filters

  @Test(arguments: [
    ["Frequency": Value.int16(1)], ["RSSI": .int32(-70)], ["RSSI": .int16(-128)],
    ["UUIDs": .string("ffe0")], ["UUIDs": .strings(["ballmachine"])],
    ["Transport": .string("wifi")],
    ["Pathloss": .uint16(200)], ["RSSI": .int16(-70), "Pathloss": .uint16(20)],
    ["AutoConnect": .boolean(true)], ["DuplicateData": .uint32(1)],
  ])
  func aWrongFilterIsRefused(_ filter: [String: Value]) async throws {
    try await withSetup { setup in
      let error = await failure { () throws(DBusError) in
        try await setup.client.adapter("SetDiscoveryFilter", [.properties(filter)])
      }
      #expect(error == bluezError("InvalidArguments", "Invalid arguments in method call"))
    }
  }

  @Test(arguments: [
    (["UUIDs": Value.strings(["ffe0", "0000ABCD"])], ["F0:00:00:00:00:02"]),
    (["UUIDs": .strings([])], ["F0:00:00:00:00:01", "F0:00:00:00:00:02", "F0:00:00:00:00:03"]),
    (["Pattern": .string("Ball")], ["F0:00:00:00:00:01"]),
    (["Pattern": .string("F0:00:00:00:00:03")], ["F0:00:00:00:00:03"]),
    (["Pattern": .string("f0")], []),
    (["Transport": .string("bredr")], []),
  ])
  func onlyWhatTheFilterWantsAppears(_ filter: [String: Value], _ expected: [String]) async throws {
    let model = MockModel(peripherals: [
      MockPeripheral("F0:00:00:00:00:01"),
      MockPeripheral("F0:00:00:00:00:02", profile: .hm10),
      MockPeripheral("F0:00:00:00:00:03", profile: .nordicUART),
    ])
    try await withSetup(model) { setup in
      try await setup.client.adapter("SetDiscoveryFilter", [.properties(filter)])
      try await setup.client.adapter("StartDiscovery")
      // All first reports are over when a verb comes through after them.
      await setup.event(
        .discoveryStarted(adapterName: "hci0", client: setup.client.connection.uniqueName)
      )
      setup.clock.advance(by: .milliseconds(1))
      try await setup.perform("clear-faults")
      let found = try await setup.client.objects().values
        .compactMap { $0["org.bluez.Device1"]?["Address"]?.string }
      #expect(found.sorted() == expected)
    }
  }

  @Test func anUnfilteredScanShowsEverythingToEverybody() async throws {
    let model = MockModel(peripherals: [MockPeripheral("F0:00:00:00:00:02", profile: .hm10)])
    try await withSetup(model) { setup in
      let filter: Value = .properties(["UUIDs": .strings(["ffff"])])
      try await setup.client.adapter("SetDiscoveryFilter", [filter])
      try await setup.client.adapter("StartDiscovery")
      let other = try await setup.anotherClient()
      try await other.adapter("StartDiscovery")
      await setup.client.sees("+ hci0/dev_F0_00_00_00_00_02")
    }
  }

  // MARK: How long devices stay

  @Test func anUnknownDeviceVanishesThirtySecondsAfterItWasSeen() async throws {
    try await withSetup { setup in
      try await setup.client.discover()
      setup.clock.advance(by: .milliseconds(29_999))
      try await setup.perform("clear-faults")
      #expect(try await setup.client.objects()[Client.devicePath] != nil)
      setup.clock.advance(by: .milliseconds(1))
      await setup.client.sees("- \(Self.device)")
    }
  }

  @Test func aTrustedDeviceStays() async throws {
    try await withSetup { setup in
      try await setup.client.discover()
      try await setup.client.set("Trusted", .boolean(true))
      #expect(await setup.client.lines().suffix(2) == ["\(Self.device) Trusted=true", "reply Set"])
      setup.clock.advance(by: .seconds(3600))
      try await setup.perform("clear-faults")
      #expect(try await setup.client.objects()[Client.devicePath] != nil)
    }
  }

  @Test func aPrivateAddressIsForgottenWhateverIsTrusted() async throws {
    let path = "/org/bluez/hci0/dev_4A_00_00_00_00_01"
    try await withSetup(MockModel(peripherals: [MockPeripheral("4A:00:00:00:00:01")])) { setup in
      try await setup.client.discover(path)
      try await setup.client.set("Trusted", .boolean(true), "org.bluez.Device1", path)
      setup.clock.advance(by: .seconds(30))
      await setup.client.sees("- \(Client.short(path))")
    }
  }

  @Test func theAliasCanBeSetAndReset() async throws {
    try await withSetup { setup in
      try await setup.client.discover()
      try await setup.client.set("Alias", .string("Court 2"))
      #expect(try await setup.client.get("Alias")?.string == "Court 2")
      try await setup.client.set("Alias", .string(""))
      #expect(try await setup.client.get("Alias")?.string == "BallMachine")
    }
  }
}
