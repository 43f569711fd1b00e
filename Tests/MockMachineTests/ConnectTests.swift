import DBus
import MockMachine
import TestSupport
import Testing

@Suite(.mustEnd)
struct ConnectTests {
  private static let device = "hci0/dev_F0_F1_F2_F3_F4_F5"

  @Test func objectsAppearBeforeTheServicesAreResolved() async throws {
    var machine = MockPeripheral()
    machine.gapName = "Ball machine of court 3"
    try await withSetup(MockModel(peripherals: [machine])) { setup in
      try await setup.client.connectAndResolve()
      #expect(
        await setup.client.lines(since: "\(Self.device) Connected=true") == [
          "\(Self.device) Connected=true",
          "reply Connect",
          "+ \(Self.device)/service0001",
          "+ \(Self.device)/service0001/char0002",
          "+ \(Self.device)/service0001/char0002/desc0004",
          "+ \(Self.device)/service0005",
          "+ \(Self.device)/service0005/char0006",
          "+ \(Self.device)/service0008",
          "+ \(Self.device)/service0008/char0009",
          "+ \(Self.device)/service000b",
          "+ \(Self.device)/service000b/char000c",
          "\(Self.device) Alias=Ball machine of court 3 Name=Ball machine of court 3 "
            + "ServicesResolved=true UUIDs=…",
        ]
      )
      let objects = try await setup.client.objects()
      let command = objects[Client.commandPath]?["org.bluez.GattCharacteristic1"]
      #expect(command?["UUID"]?.string == "abcd1234-1234-1234-1234-abcdef123456")
      #expect(command?["Flags"]?.strings == ["write-without-response", "write"])
      #expect(command?["MTU"] == .uint16(247))
      #expect(command?["Service"]?.objectPath?.string == Client.devicePath + "/service000b")
    }
  }

  @Test func aReconnectWithTheCacheOnlyResolves() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.set("Trusted", .boolean(true))
      try await setup.client.device("Disconnect")
      await setup.client.sees("\(Self.device) Connected=false")
      #expect(
        await setup.client.lines().suffix(3) == [
          "\(Self.device) ServicesResolved=false", "reply Disconnect",
          "\(Self.device) Connected=false",
        ]
      )
      #expect(try await setup.client.objects()[Client.commandPath] != nil)
      try await setup.client.device("Connect")
      await setup.client.sees("\(Self.device) ServicesResolved=true")
      let lines = await setup.client.lines(since: "\(Self.device) Connected=true")
      #expect(lines.prefix(2) == ["\(Self.device) Connected=true", "reply Connect"])
      #expect(lines.last == "\(Self.device) ServicesResolved=true")
      #expect(!lines.contains { $0.hasPrefix("+") })
    }
  }

  @Test func itTakesTheTimeThatBlueZTakes() async throws {
    var timings = MockTimings()
    timings.firstReport = .zero
    timings.discoveryReply = .zero
    try await withSetup(timings: timings) { setup in
      try await setup.client.discover()
      let connect = Task { try await setup.client.device("Connect") }
      await setup.called("Connect")
      setup.clock.advance(by: .milliseconds(299))
      try await setup.perform("clear-faults")
      #expect(await !setup.client.lines().contains("reply Connect"))
      setup.clock.advance(by: .milliseconds(1))
      _ = try await connect.value
      setup.clock.advance(by: .milliseconds(250))
      await setup.client.sees("+ \(Client.short(Client.commandPath))")
      let disconnect = Task { try await setup.client.device("Disconnect") }
      await setup.called("Disconnect")
      setup.clock.advance(by: .milliseconds(1999))
      try await setup.perform("clear-faults")
      #expect(await !setup.client.lines().contains("reply Disconnect"))
      setup.clock.advance(by: .milliseconds(1))
      _ = try await disconnect.value
    }
  }

  @Test func aConnectedDeviceConnectsAtOnce() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.device("Connect")
    }
  }

  @Test func disconnectOfAnUnconnectedDeviceSucceeds() async throws {
    try await withSetup { setup in
      try await setup.client.discover()
      try await setup.client.device("Disconnect")
    }
  }

  // MARK: Pending

  @Test func oneConnectIsPendingAtATime() async throws {
    try await withSetup { setup in
      try await setup.client.discover()
      try await setup.perform("vanish BallMachine")
      let connect = Task { try await setup.client.device("Connect") }
      await setup.called("Connect")
      let other = try await setup.anotherClient()
      let second = await failure { () throws(DBusError) in try await other.device("Connect") }
      #expect(second == bluezError("Failed", "Operation already in progress"))
      // Anybody's Disconnect cancels it.
      try await other.device("Disconnect")
      await #expect(throws: bluezError("Failed", "br-connection-canceled")) {
        try await connect.value
      }
    }
  }

  @Test func anAbsentMachineFailsAfterFortyOneSeconds() async throws {
    try await withSetup { setup in
      try await setup.client.discover()
      try await setup.perform("vanish BallMachine")
      let connect = Task { try await setup.client.device("Connect") }
      await setup.called("Connect")
      setup.clock.advance(by: .milliseconds(41_299))
      try await setup.perform("clear-faults")
      #expect(await !setup.client.lines().contains { $0.hasPrefix("error Connect") })
      setup.clock.advance(by: .milliseconds(1))
      await #expect(throws: bluezError("Failed", "le-connection-abort-by-local")) {
        try await connect.value
      }
    }
  }

  @Test func aPendingConnectIsAnsweredWhenTheMachineAppears() async throws {
    try await withSetup { setup in
      try await setup.client.discover()
      try await setup.perform("vanish F0:F1:F2:F3:F4:F5")
      let connect = Task { try await setup.client.device("Connect") }
      await setup.called("Connect")
      setup.clock.advance(by: .seconds(20))
      try await setup.perform("appear F0:F1:F2:F3:F4:F5")
      _ = try await connect.value
      await setup.client.sees("\(Self.device) Connected=true")
    }
  }

  @Test func removeDeviceLeavesAPendingConnectUnanswered() async throws {
    try await withSetup { setup in
      try await setup.client.discover()
      try await setup.perform("vanish BallMachine")
      let connect = Task { try await setup.client.device("Connect") }
      await setup.called("Connect")
      let path = try ObjectPath(Client.devicePath)
      try await setup.client.adapter("RemoveDevice", [.objectPath(path)])
      #expect(await setup.client.lines().suffix(2) == ["- \(Self.device)", "reply RemoveDevice"])
      setup.clock.advance(by: .seconds(100))
      try await setup.perform("clear-faults")
      #expect(await !setup.client.lines().contains { $0.hasSuffix("Connect") })
      connect.cancel()
      await #expect(throws: DBusError.self) { try await connect.value }
    }
  }

  @Test func theLinkOutlivesItsClient() async throws {
    try await withSetup { setup in
      let other = try await setup.anotherClient()
      let listening = Task { await other.listen() }
      try await other.connectAndResolve()
      await other.connection.close()
      await listening.value
      #expect(try await setup.client.get("Connected") == .boolean(true))
      try await setup.client.write("105001050012002000")
      #expect(
        await setup.mock.received(by: "F0:F1:F2:F3:F4:F5").map(\.text) == ["105001050012002000"]
      )
    }
  }

  @Test func aPoweredOffAdapterGivesAnInputOutputError() async throws {
    let machine = MockPeripheral(isTrusted: true)
    let model = MockModel(adapters: [MockAdapter(isPowered: false)], peripherals: [machine])
    try await withSetup(model) { setup in
      let error = await failure { () throws(DBusError) in try await setup.client.device("Connect") }
      #expect(error == bluezError("Failed", "Input/output error"))
    }
  }

  // MARK: Removal

  @Test func anUntrustedDeviceVanishesThirtySecondsAfterItsDisconnect() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      setup.clock.advance(by: .seconds(120))
      try await setup.client.device("Disconnect")
      setup.clock.advance(by: .seconds(30))
      await setup.client.sees("- \(Self.device)")
      // Children go before their parents.
      #expect(
        await setup.client.lines().suffix(4) == [
          "- \(Self.device)/service0008", "- \(Self.device)/service000b/char000c",
          "- \(Self.device)/service000b", "- \(Self.device)",
        ]
      )
      let error = await failure { () throws(DBusError) in try await setup.client.device("Connect") }
      #expect(error.name == DBusError.unknownObject)
    }
  }

  @Test func removeDeviceOfALinkFirstDisconnects() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      let path = try ObjectPath(Client.devicePath)
      try await setup.client.adapter("RemoveDevice", [.objectPath(path)])
      await setup.client.sees("- \(Self.device)")
      let lines = await setup.client.lines(since: "\(Self.device) ServicesResolved=false")
      #expect(lines[1...2] == ["reply RemoveDevice", "\(Self.device) Connected=false"])
      #expect(lines.last == "- \(Self.device)")
    }
  }

  @Test func removeDeviceKnowsItsDevices() async throws {
    try await withSetup { setup in
      let path = try ObjectPath(Client.devicePath)
      let error = await failure { () throws(DBusError) in
        try await setup.client.adapter("RemoveDevice", [.objectPath(path)])
      }
      #expect(error == bluezError("DoesNotExist", "Does Not Exist"))
    }
  }
}
