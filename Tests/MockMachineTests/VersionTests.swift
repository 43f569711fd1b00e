import DBus
import MockMachine
import TestSupport
import Testing

/// What differs between the versions of BlueZ that the mock plays, as recorded on each.
@Suite(.mustEnd)
struct VersionTests {
  private static let device = "hci0/dev_F0_F1_F2_F3_F4_F5"
  private static let unresolved = "\(device) ServicesResolved=false"
  private static let disconnected = "\(device) Connected=false"
  private static let both = "\(device) Connected=false ServicesResolved=false"

  /// What 5.87 says of the reason.
  private static func told(_ name: String, _ message: String) -> [String] {
    ["org.bluez.Bearer.LE1", "org.bluez.Device1"].map {
      "\($0) Disconnected org.bluez.Reason.\(name), \(message)"
    }
  }

  private static let local = told("Local", "Connection terminated by local host")

  @Test(arguments: [
    (MockVersion.v5_66, [unresolved, "reply Disconnect", disconnected]),
    (.v5_82, [both, "reply Disconnect"]),
    (.v5_87, [unresolved] + local + [disconnected, "reply Disconnect"]),
  ])
  func aDisconnect(version: MockVersion, lines: [String]) async throws {
    try await withSetup(version: version) { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.device("Disconnect")
      #expect(try await setup.after(lines[0]) == lines)
    }
  }

  @Test(arguments: [
    (MockVersion.v5_66, [unresolved, "reply RemoveDevice", disconnected]),
    (.v5_82, [both, "reply RemoveDevice"]),
    (.v5_87, [unresolved] + local + [disconnected, "reply RemoveDevice"]),
  ])
  func aRemovalOfWhatIsConnected(version: MockVersion, lines: [String]) async throws {
    try await withSetup(version: version) { setup in
      try await setup.client.connectAndResolve()
      let path = try ObjectPath(Client.devicePath)
      try await setup.client.adapter("RemoveDevice", [.objectPath(path)])
      await setup.client.sees("- \(Self.device)")
      let told = try await setup.after(lines[0])
      #expect(Array(told.prefix(lines.count)) == lines)
    }
  }

  @Test(arguments: [
    (MockVersion.v5_66, [both]), (.v5_82, [both]),
    (
      .v5_87, [unresolved] + told("Remote", "Connection terminated by remote user") + [disconnected]
    ),
  ])
  func aDrop(version: MockVersion, lines: [String]) async throws {
    try await withSetup(version: version) { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform("drop BallMachine")
      #expect(try await setup.after(lines[0]) == lines)
    }
  }

  @Test func aMachineThatFallsSilentTimesOut() async throws {
    try await withSetup(version: .v5_87) { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform("vanish BallMachine")
      let lines = try await setup.after(Self.unresolved)
      #expect(
        lines == [Self.unresolved] + Self.told("Timeout", "Connection timeout") + [
          Self.disconnected
        ]
      )
    }
  }

  @Test(arguments: [
    (MockVersion.v5_66, bluezError("Failed", "Operation already in progress")),
    (.v5_82, bluezError("InProgress", "In Progress")),
    (.v5_87, bluezError("InProgress", "In Progress")),
  ])
  func aSecondConnect(version: MockVersion, error: DBusError) async throws {
    try await withSetup(version: version) { setup in
      try await setup.client.discover()
      try await setup.perform("connect-no-reply BallMachine")
      let connect = Task { try await setup.client.device("Connect") }
      await setup.called("Connect")
      let other = try await setup.anotherClient()
      let second = await failure { () throws(DBusError) in try await other.device("Connect") }
      #expect(second == error)
      try await setup.client.device("Disconnect")
      connect.cancel()
      await other.connection.close()
    }
  }

  @Test(arguments: MockVersion.allCases)
  func genericAccessIsExportedForReadingAlone(version: MockVersion) async throws {
    try await withSetup(version: version) { setup in
      try await setup.client.connectAndResolve()
      let objects = try await setup.client.objects()
      let service = objects.first { $1["org.bluez.GattService1"]?["UUID"] == .string(Self.gap) }
      guard version != .v5_66 else {
        #expect(service == nil)
        return
      }
      let name = try #require(
        objects.first {
          $1["org.bluez.GattCharacteristic1"]?["UUID"]
            == .string("00002a00-0000-1000-8000-00805f9b34fb")
        }
      )
      #expect(name.key.hasPrefix(try #require(service?.key)))
      #expect(name.value["org.bluez.GattCharacteristic1"]?["Handle"]?.uint16 != nil)
      for type in ["request", "command"] {
        let error = await failure { () throws(DBusError) in
          try await setup.client.write("x", type: type, name.key)
        }
        #expect(error == bluezError("NotAuthorized", "Operation Not Authorized"))
      }
    }
  }

  private static let gap = "00001800-0000-1000-8000-00805f9b34fb"

  @Test(arguments: [
    (MockVersion.v5_66, [both, "reply Set", "hci0 Discovering=false Powered=false"]),
    (
      .v5_82,
      [
        "hci0 PowerState=on-disabling", "reply Set", both,
        "hci0 Discovering=false PowerState=off Powered=false",
      ]
    ),
    (
      .v5_87,
      ["hci0 PowerState=on-disabling", unresolved]
        + told("Local", "Connection terminated by local host")
        + [disconnected, "reply Set", "hci0 Discovering=false PowerState=off Powered=false"]
    ),
  ])
  func anAdapterThatIsSwitchedOff(version: MockVersion, lines: [String]) async throws {
    try await withSetup(version: version) { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.set("Trusted", .boolean(true))
      try await setup.client.set(
        "Powered",
        .boolean(false),
        "org.bluez.Adapter1",
        "/org/bluez/hci0"
      )
      await setup.client.sees(lines.last ?? "")
      #expect(try await setup.after(lines[0]) == lines)
    }
  }

  @Test(arguments: [
    (MockVersion.v5_66, "usb:v1D6Bp0246d0542", nil), (.v5_82, "usb:v1D6Bp0246d0552", "on"),
    (.v5_87, "usb:v1D6Bp0246d0557", "on" as String?),
  ])
  func whatAnAdapterShows(version: MockVersion, modalias: String, power: String?) async throws {
    try await withSetup(version: version) { setup in
      let adapter = try await setup.client.objects()["/org/bluez/hci0"]?["org.bluez.Adapter1"]
      #expect(adapter?["Modalias"] == .string(modalias))
      #expect(adapter?["PowerState"]?.string == power)
    }
  }
}

extension Setup {
  /// The replies and signals since this one.
  fileprivate func after(_ first: String) async throws -> [String] {
    await client.sees(first)
    // What was sent before is read before the answer to this.
    try await client.call("/org/bluez/hci0", "org.freedesktop.DBus.Peer", "Ping")
    return await client.lines(since: first).filter { $0 != "reply Ping" }
  }
}
