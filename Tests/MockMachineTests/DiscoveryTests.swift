import DBus
import MockMachine
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DiscoveryTests {
  private static let device = "hci0/dev_F0_F1_F2_F3_F4_F5"

  @Test func theMarkerSaysThatThisIsASimulation() async throws {
    try await withStage { stage in
      let objects = try await stage.client.objects()
      #expect(objects["/org/bluez"]?["io.ballmachine.Simulation1"]?["Simulated"] == .boolean(true))
      let adapter = objects["/org/bluez/hci0"]?["org.bluez.Adapter1"]
      #expect(adapter?["Address"]?.string == "AA:BB:CC:DD:EE:01")
      #expect(adapter?["Powered"] == .boolean(true))
    }
  }

  @Test func devicesAppearOnlyWhileSomebodyScans() async throws {
    try await withStage { stage in
      let client = stage.client
      #expect(try await client.objects()[Client.devicePath] == nil)
      try await client.adapter("StartDiscovery")
      await client.sees("+ \(Self.device)")
      let device = try await client.objects()[Client.devicePath]?["org.bluez.Device1"]
      #expect(device?["RSSI"] == .int16(-60))
      #expect(device?["UUIDs"]?.strings == ["12345678-1234-1234-1234-123456789abc"])
      #expect(device?["Name"]?.string == "BallMachine")
      try await client.adapter("StopDiscovery")
      await client.sees("\(Self.device) -RSSI")
      #expect(
        await client.lines() == [
          "reply GetManagedObjects", "reply StartDiscovery", "hci0 Discovering=true",
          "+ \(Self.device)", "reply GetManagedObjects", "reply StopDiscovery",
          "hci0 Discovering=false", "\(Self.device) -RSSI",
        ]
      )
      let error = await #expect(throws: DBusError.self) { _ = try await client.get("RSSI") }
      #expect(error?.name == DBusError.invalidArgs)
    }
  }
}
