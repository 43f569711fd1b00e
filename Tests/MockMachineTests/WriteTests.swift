import DBus
import MockMachine
import TestSupport
import Testing

@Suite(.mustEnd)
struct WriteTests {
  private static let digits = "105001050012002000"
  private static let address: MockAddress = "F0:F1:F2:F3:F4:F5"

  private func received(_ setup: Setup) async -> [String] {
    await setup.mock.received(by: Self.address).map { "\($0.form) \($0.text ?? "?")" }
  }

  @Test(arguments: [
    (nil, "request"), ("request", "request"), ("command", "command"), ("Request", "request"),
    ("reliable", "long"),
  ])
  func theTypeDecidesHowItIsSent(_ type: String?, _ form: String) async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.write(Self.digits, type: type)
      try await setup.perform("clear-faults")
      #expect(await received(setup) == ["\(form) \(Self.digits)"])
    }
  }

  @Test func withoutATypeTheFlagsDecide() async throws {
    let model = MockModel(peripherals: [MockPeripheral(profile: .commandOnly)])
    try await withSetup(model) { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.write(Self.digits)
      try await setup.perform("clear-faults")
      #expect(await received(setup) == ["command \(Self.digits)"])
    }
  }

  @Test func aRequestAgainstTheFlagsIsRefusedByTheMachine() async throws {
    let model = MockModel(peripherals: [MockPeripheral(profile: .commandOnly)])
    try await withSetup(model) { setup in
      try await setup.client.connectAndResolve()
      let error = await failure { () throws(DBusError) in
        try await setup.client.write(Self.digits, type: "request")
      }
      #expect(error == bluezError("NotPermitted", "Write not permitted"))
      #expect(await received(setup) == [])
    }
  }

  @Test func aCommandAgainstTheFlagsIsLost() async throws {
    let model = MockModel(peripherals: [MockPeripheral(profile: .requestOnly)])
    try await withSetup(model) { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.write(Self.digits, type: "command")
      try await setup.perform("clear-faults")
      #expect(await received(setup) == [])
    }
  }

  @Test func unknownTypesAndWrongOptionsAreRefused() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      let type = await failure { () throws(DBusError) in
        try await setup.client.write(Self.digits, type: "fast")
      }
      #expect(type == bluezError("NotSupported", "Operation is not supported"))
      let options: Value = .properties(["offset": .string("0")])
      let offset = await failure { () throws(DBusError) in
        try await setup.client.characteristic("WriteValue", [.bytes([]), options])
      }
      #expect(offset == bluezError("InvalidArguments", "Invalid arguments in method call"))
      let signature = await failure { () throws(DBusError) in
        try await setup.client.characteristic("WriteValue", [.bytes([])])
      }
      #expect(signature.name == DBusError.unknownMethod)
      let unknownKey: Value = .properties(["mtu": .uint16(23)])
      try await setup.client.characteristic("WriteValue", [.bytes([0x31]), unknownKey])
    }
  }

  @Test func longValues() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      let fits = String(repeating: "1", count: 244)
      try await setup.client.write(fits, type: "command")
      let tooLong = await failure { () throws(DBusError) in
        try await setup.client.write(fits + "2", type: "command")
      }
      #expect(tooLong == bluezError("Failed", "Failed to initiate write"))
      try await setup.client.write(fits + "2")
      let huge = await failure { () throws(DBusError) in
        try await setup.client.write(String(repeating: "1", count: 513))
      }
      #expect(huge == bluezError("InvalidArguments", "Invalid Length"))
      try await setup.perform("clear-faults")
      #expect(await received(setup) == ["command \(fits)", "long \(fits)2"])
    }
  }

  @Test func withoutALinkThereIsNoWriting() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.set("Trusted", .boolean(true))
      try await setup.client.device("Disconnect")
      let error = await failure { () throws(DBusError) in try await setup.client.write(Self.digits)
      }
      #expect(error == bluezError("Failed", "Not connected"))
    }
  }

  @Test func oneRequestIsPendingOnACharacteristic() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform("hang-writes BallMachine")
      let hung = Task { try await setup.client.write(Self.digits) }
      await setup.called("WriteValue")
      // A command waits as well: bluetoothd looks for a pending write before it looks at the type.
      for type in ["request", "command"] {
        let error = await failure { () throws(DBusError) in
          try await setup.client.write("000000000000000000", type: type)
        }
        #expect(error == bluezError("InProgress", "In Progress"))
      }
      // ATT gives up after 30 s and closes the bearer.
      setup.clock.advance(by: .seconds(30))
      await #expect(throws: bluezError("Failed", "Operation failed with ATT error: 0x0e")) {
        try await hung.value
      }
      // And so ends the link.
      await setup.client.sees("hci0/dev_F0_F1_F2_F3_F4_F5 Connected=false ServicesResolved=false")
      #expect(await received(setup) == ["request \(Self.digits)"])
    }
  }

  @Test func aCommandPassesARequestOfAnotherCharacteristic() async throws {
    let model = MockModel(peripherals: [MockPeripheral(profile: .twoWritable)])
    try await withSetup(model) { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform("hang-writes BallMachine lost")
      let hung = Task { try await setup.client.write("1") }
      await setup.called("WriteValue")
      try await setup.client.write("2", Client.devicePath + "/service000b/char000e")
      try await setup.perform("drop BallMachine")
      await #expect(throws: bluezError("Failed", "Operation failed with ATT error: 0x0e")) {
        try await hung.value
      }
      #expect(await received(setup) == ["command 2"])
    }
  }

  @Test func requestsOfOneLinkAreAnsweredInTurn() async throws {
    var timings = MockTimings.instant
    timings.writeRoundTrip = .milliseconds(40)
    let model = MockModel(peripherals: [MockPeripheral(profile: .twoWritable)])
    try await withSetup(model, timings: timings) { setup in
      try await setup.client.connectAndResolve()
      let first = Task { try await setup.client.write("1") }
      await setup.called("WriteValue")
      let other = Client.devicePath + "/service000b/char000e"
      let second = Task { try await setup.client.write("2", type: "request", other) }
      await setup.called("WriteValue", times: 2)
      setup.clock.advance(by: .milliseconds(40))
      try await first.value
      #expect(await received(setup) == ["request 1"])
      setup.clock.advance(by: .milliseconds(40))
      // Its characteristic takes commands only.
      await #expect(throws: bluezError("NotPermitted", "Write not permitted")) {
        try await second.value
      }
    }
  }

  @Test func aCommandIsLostWithItsLink() async throws {
    var timings = MockTimings.instant
    timings.commandDelivery = .milliseconds(20)
    try await withSetup(timings: timings) { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.write("1", type: "command")
      try await setup.perform("drop BallMachine")
      setup.clock.advance(by: .milliseconds(20))
      try await setup.perform("clear-faults")
      #expect(await received(setup) == [])
    }
  }

  @Test func aDropIsToldInOneSignalAndFailsWhatIsPending() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform("drop BallMachine at writing")
      let error = await failure { () throws(DBusError) in try await setup.client.write(Self.digits)
      }
      #expect(error == bluezError("Failed", "Operation failed with ATT error: 0x0e"))
      await setup.client.sees("hci0/dev_F0_F1_F2_F3_F4_F5 Connected=false ServicesResolved=false")
      #expect(await received(setup) == ["request \(Self.digits)"])
    }
  }

  @Test func aPlannedFailure() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform(
        "fail-writes BallMachine org.bluez.Error.NotPermitted \"Write acquired\" times 2"
      )
      for _ in 1...2 {
        let error = await failure { () throws(DBusError) in try await setup.client.write("1") }
        #expect(error == bluezError("NotPermitted", "Write acquired"))
      }
      try await setup.client.write("2")
      #expect(await received(setup) == ["request 2"])
    }
  }

  // MARK: Notifications and reading

  @Test func notificationsReachWhoStartedThem() async throws {
    let model = MockModel(peripherals: [MockPeripheral(profile: .nordicUART)])
    let path = Client.devicePath + "/service000b/char000e"
    try await withSetup(model) { setup in
      try await setup.client.connectAndResolve()
      let none = await failure { () throws(DBusError) in
        try await setup.client.characteristic("StopNotify", [], path)
      }
      #expect(none == bluezError("Failed", "No notify session started"))
      try await setup.client.characteristic("StartNotify", [], path)
      try await setup.perform("notify Nordic_UART ready")
      try await setup.perform("notify Nordic_UART ready")
      await setup.client.sees("\(Client.short(path)) Value=ready", times: 2)
      let unable = await failure { () throws(DBusError) in
        try await setup.client.characteristic("StartNotify", [])
      }
      #expect(unable == bluezError("NotSupported", "Operation is not supported"))
    }
  }

  @Test func readingShowsTheValue() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      let path = Client.devicePath + "/service0005/char0006"
      let options: Value = .properties([:])
      let value = try await setup.client.characteristic("ReadValue", [options], path)
      #expect(value == [.bytes(Array("mock".utf8))])
      let error = await failure { () throws(DBusError) in
        try await setup.client.characteristic("ReadValue", [options])
      }
      #expect(error == bluezError("NotPermitted", "Read not permitted"))
    }
  }
}
