import DBus
import MockMachine
import TestSupport
import Testing

@Suite(.mustEnd)
struct AdapterTests {
  private static let device = "hci0/dev_F0_F1_F2_F3_F4_F5"
  private static let address: MockAddress = "F0:F1:F2:F3:F4:F5"

  private func setPowered(_ client: Client, _ isOn: Bool) async throws(DBusError) {
    try await client.set("Powered", .boolean(isOn), "org.bluez.Adapter1", "/org/bluez/hci0")
  }

  @Test func poweringOn() async throws {
    try await withSetup(MockModel(adapters: [MockAdapter(isPowered: false)])) { setup in
      for method in ["StartDiscovery", "StopDiscovery"] {
        let error = await failure { () throws(DBusError) in
          try await setup.client.adapter(method)
        }
        #expect(error == bluezError("NotReady", "Resource Not Ready"))
      }
      try await setPowered(setup.client, true)
      await setup.client.sees("hci0 Powered=true")
      #expect(await setup.client.lines().prefix(2) == ["reply Set", "hci0 Powered=true"])
      // To the current value it succeeds at once, without a signal.
      try await setPowered(setup.client, true)
      try await setup.client.adapter("StartDiscovery")
    }
  }

  @Test func onePowerChangeAtATime() async throws {
    var timings = MockTimings.instant
    timings.power = .milliseconds(150)
    let model = MockModel(adapters: [MockAdapter(isPowered: false)])
    try await withSetup(model, timings: timings) { setup in
      let first = Task { try await setPowered(setup.client, true) }
      await setup.called("Set Powered")
      let second = await failure { () throws(DBusError) in
        try await setPowered(setup.client, true)
      }
      #expect(second.name == "org.bluez.Error.Busy")
      setup.clock.advance(by: .milliseconds(150))
      try await first.value
    }
  }

  @Test func poweringOffDropsLinksAndSessionsAndForgetsStrangers() async throws {
    let model = MockModel(peripherals: [
      MockPeripheral(isTrusted: true), MockPeripheral("F0:00:00:00:00:02", profile: .hm10),
    ])
    try await withSetup(model) { setup in
      try await setup.client.adapter("StartDiscovery")
      await setup.client.sees("+ hci0/dev_F0_00_00_00_00_02")
      try await setup.client.device("Connect")
      await setup.client.sees("+ \(Client.short(Client.commandPath))")
      try await setPowered(setup.client, false)
      await setup.client.sees("hci0 Discovering=false Powered=false")
      let lines = await setup.client.lines(since: "- hci0/dev_F0_00_00_00_00_02")
      #expect(
        lines == [
          "- hci0/dev_F0_00_00_00_00_02",
          "\(Self.device) Connected=false ServicesResolved=false", "reply Set",
          "hci0 Discovering=false Powered=false", "\(Self.device) -RSSI",
        ]
      )
      try await setPowered(setup.client, true)
      // The session is gone with the power.
      let error = await failure { () throws(DBusError) in
        try await setup.client.adapter("StopDiscovery")
      }
      #expect(error == bluezError("Failed", "No discovery started"))
    }
  }

  @Test func rfkill() async throws {
    try await withSetup { setup in
      try await setup.perform("power hci0 blocked")
      await setup.client.sees("hci0 Discovering=false Powered=false")
      let error = await failure { () throws(DBusError) in
        try await setPowered(setup.client, true)
      }
      #expect(error == bluezError("Failed", "Failed"))
      // bluetoothd powers on by itself.
      try await setup.perform("power hci0 unblocked")
      await setup.client.sees("hci0 Powered=true")
    }
  }

  @Test func wrongSettings() async throws {
    try await withSetup { setup in
      let type = await failure { () throws(DBusError) in
        try await setup.client.set(
          "Powered",
          .string("on"),
          "org.bluez.Adapter1",
          "/org/bluez/hci0"
        )
      }
      #expect(type.name == DBusError.invalidSignature)
      let readOnly = await failure { () throws(DBusError) in
        try await setup.client.set("Address", .string("x"), "org.bluez.Adapter1", "/org/bluez/hci0")
      }
      #expect(readOnly.name == DBusError.propertyReadOnly)
    }
  }

  // MARK: Unplugging

  @Test(arguments: [
    ("success", "reply Connect"),
    ("error", "error Connect: org.bluez.Error.Failed: le-connection-abort-by-local"),
  ])
  func unpluggingAnswersAPendingConnect(_ answer: String, _ line: String) async throws {
    let machine = MockPeripheral(isTrusted: true, isAdvertising: false)
    try await withSetup(MockModel(peripherals: [machine])) { setup in
      let connect = Task { try await setup.client.device("Connect") }
      await setup.called("Connect")
      try await setup.perform("remove-adapter hci0 \(answer)")
      await setup.client.sees(line)
      await setup.client.sees("- hci0")
      _ = await connect.result
    }
  }

  @Test func anAdapterComesBackUnderAnotherName() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.set("Trusted", .boolean(true))
      try await setup.perform("remove-adapter hci0 nothing")
      await setup.client.sees("- hci0")
      let lines = await setup.client.lines(
        since: "\(Self.device) Connected=false ServicesResolved=false"
      )
      #expect(
        lines.suffix(3) == ["- \(Self.device)", "hci0 Discovering=false Powered=false", "- hci0"]
      )
      // Its memory goes by its address.
      try await setup.perform("add-adapter hci1 AA:BB:CC:DD:EE:01")
      await setup.client.sees("+ hci1/dev_F0_F1_F2_F3_F4_F5")
      let path = "/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5"
      #expect(try await setup.client.get("Trusted", "org.bluez.Device1", path) == .boolean(true))
      try await setup.client.device("Connect", path)
      await setup.client.sees("+ hci1/dev_F0_F1_F2_F3_F4_F5/service000b/char000c")
    }
  }

  @Test func aLinkHidesTheMachineFromOtherAdapters() async throws {
    let model = MockModel(
      adapters: [MockAdapter(), MockAdapter("hci1", address: "AA:BB:CC:DD:EE:02")],
      peripherals: [
        MockPeripheral(isTrusted: true),
        MockPeripheral("F0:00:00:00:00:02", adapters: ["hci1"]),
      ]
    )
    try await withSetup(model) { setup in
      try await setup.client.device("Connect")
      try await setup.client.adapter("StartDiscovery", on: "hci1")
      await setup.client.sees("+ hci1/dev_F0_00_00_00_00_02")
      // Trusted from the start, so its object is there; but it isn't heard.
      let path = "/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5"
      let error = await failure { () throws(DBusError) in
        _ = try await setup.client.get("RSSI", "org.bluez.Device1", path)
      }
      #expect(error.name == DBusError.invalidArgs)
    }
  }
}
