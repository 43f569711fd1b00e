import DBus
import MockMachine
import TestSupport
import Testing

/// Machines that take frames and answer them.
///
/// The frames were computed with Python, apart from the mock:
///
///     def modbus(data, crc=0xFFFF):
///         for byte in data:
///             crc ^= byte
///             for _ in range(8):
///                 crc = crc >> 1 ^ 0xA001 if crc & 1 else crc >> 1
///         return crc & 0xFF
///     def xor(data): return functools.reduce(operator.xor, data)
///     def with_check(check, *data): return bytes([*data, check(data)]).hex()
///     with_check(modbus, 0x5A, 0xA5, 0x83, 40, 40, 20, 45, 50, 1), with_check(xor, 0x5A, 0xA5, 0x82, 2), …
@Suite(.mustEnd)
struct FramedTests {
  private static let machine: MockAddress = "F0:F1:F2:F3:F4:F5"
  private static let start = "5aa5832828142d3201d7"
  private static let accepted = "5aa58201a3"
  private static let completed = "5aa58202e3"

  private static func model(
    _ profile: MockProfile = .ballMachine,
    _ checkByte: MockCheckByte = .modbus
  ) -> MockModel {
    MockModel(peripherals: [
      MockPeripheral(profile: profile, encoding: .framed, checkByte: checkByte)
    ])
  }

  /// Runs a test's body with a machine to whose answers the client has subscribed.
  private func withMachine(
    _ model: MockModel = model(),
    timings: MockTimings = .instant,
    _ body: (Setup) async throws -> Void
  ) async throws {
    try await withSetup(model, timings: timings) { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.characteristic("StartNotify", [])
      try await body(setup)
    }
  }

  private func values(_ setup: Setup, _ path: String = Client.commandPath) async -> [String] {
    let prefix = "\(Client.short(path)) Value="
    return await setup.client.lines().filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
  }

  /// The answers that come once a command is written. The one of the notification after it ends them.
  private func answers(_ setup: Setup, to frame: String = start) async throws -> [String] {
    try await setup.client.write(frame: frame)
    try await setup.perform("notify BallMachine end")
    await setup.client.sees("\(Client.short(Client.commandPath)) Value=end")
    return await values(setup).dropLast()
  }

  private func received(_ setup: Setup) async -> [String] {
    await setup.mock.received(by: Self.machine).map { $0.text ?? "?" }
  }

  // MARK: Frames

  @Test(arguments: [
    ("5aa5832828142d3201d7", "5aa5832828142d320176", "40,40,20,45,50"),
    ("5aa58364645a5a640150", "5aa58364645a5a640119", "100,100,90,90,100"),
    ("5aa583000000000000f0", "5aa5830000000000007c", "0,0,0,0,0"),
    // Whatever its fields are, control 0 is a stop.
    ("5aa5832828142d320016", "5aa5832828142d320077", "0,0,0,0,0"),
    ("5aa58300000000000131", "5aa5830000000000017d", "start 0,0,0,0,0"),
  ])
  func aGoodFrameIsACommand(_ modbus: String, _ xor: String, _ text: String) async throws {
    #expect(MockFrame(Client.bytes(modbus), .modbus)?.text == text)
    #expect(MockFrame(Client.bytes(xor), .xor)?.text == text)
    #expect(MockFrame(Client.bytes(modbus), .xor) == nil)
    #expect(MockFrame(Client.bytes(xor), .modbus) == nil)
  }

  /// Frames with a good check byte, unless it is the check byte that is wrong.
  private static let ignored = [
    "", "5a", "5aa5832828142d3201", "5aa5832828142d3201d600", "5aa5832828142d3201d6",
    // The header of an answer.
    "5aa58201a3",
    // 101 % for a wheel, 91° twice, 101 % for the feed, control 2.
    "5aa5836528142d3201d8", "5aa58328285b2d3201c1", "5aa5832828145b320136",
    "5aa5832828142d6501e9", "5aa5832828142d320297",
  ]

  @Test func whatIsNoGoodFrameIsRecordedAndNotAnswered() async throws {
    try await withMachine { setup in
      for frame in Self.ignored { try await setup.client.write(frame: frame) }
      try await setup.client.write("105001050012002000")
      #expect(try await answers(setup) == [Self.accepted, Self.completed])
      let unknown = Self.ignored.map { _ in "?" } + ["?"]
      #expect(await received(setup) == unknown + ["40,40,20,45,50"])
    }
  }

  @Test func aMachineOfDigitsAnswersNoFrame() async throws {
    try await withSetup { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.write(frame: Self.start)
      #expect(await setup.mock.received(by: Self.machine).map(\.text) == [nil])
      let unable = await failure { () throws(DBusError) in
        try await setup.client.characteristic("StartNotify", [])
      }
      #expect(unable == bluezError("NotSupported", "Operation is not supported"))
    }
  }

  // MARK: Answers

  @Test func aStartIsAcceptedAtOnceAndCompletedAfterAWhile() async throws {
    var timings = MockTimings.instant
    timings.answer = .milliseconds(30)
    timings.completion = .milliseconds(300)
    try await withMachine(timings: timings) { setup in
      try await setup.client.write(frame: Self.start)
      for (wait, answers) in [(29, []), (1, [Self.accepted]), (299, [Self.accepted])] {
        setup.clock.advance(by: .milliseconds(wait))
        // A call is answered after what was due before it.
        _ = try await setup.client.get("Connected")
        try await setup.perform("clear-faults")
        #expect(await values(setup) == answers)
      }
      setup.clock.advance(by: .milliseconds(1))
      await setup.client.sees("\(Client.short(Client.commandPath)) Value=\(Self.completed)")
    }
  }

  @Test func aStopIsCompletedSoon() async throws {
    var timings = MockTimings.instant
    timings.answer = .milliseconds(30)
    timings.completion = .seconds(3600)
    try await withMachine(timings: timings) { setup in
      try await setup.client.write(frame: "5aa583000000000000f0")
      setup.clock.advance(by: .milliseconds(60))
      await setup.client.sees("\(Client.short(Client.commandPath)) Value=\(Self.completed)")
      #expect(await values(setup) == [Self.accepted, Self.completed])
    }
  }

  @Test func answersHaveTheMachinesCheckByte() async throws {
    try await withMachine(Self.model(.ballMachine, .xor)) { setup in
      let answers = try await answers(setup, to: "5aa5832828142d320176")
      #expect(answers == ["5aa582017c", "5aa582027f"])
    }
  }

  @Test func aMachineWithACharacteristicForAnswersUsesIt() async throws {
    let notifier = Client.devicePath + "/service000b/char000e"
    try await withSetup(Self.model(.aiThinker)) { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.characteristic("StartNotify", [], notifier)
      try await setup.client.write(frame: Self.start)
      await setup.client.sees("\(Client.short(notifier)) Value=\(Self.completed)")
      #expect(await values(setup, notifier) == [Self.accepted, Self.completed])
    }
  }

  @Test(arguments: [
    ("none", []), ("refused", ["5aa5820062"]), ("incomplete", [accepted]),
    ("wrong-check", ["5aa582015c", "5aa582021c"]), ("other-check", ["5aa582017c", "5aa582027f"]),
    ("doubled", [accepted, accepted, completed, completed]), ("cut", ["5aa582", "5aa582"]),
  ])
  func answersGoWrongAsOftenAsPlanned(_ fault: String, _ wrong: [String]) async throws {
    try await withMachine { setup in
      try await setup.perform("answers BallMachine \(fault) times 1")
      try await setup.client.write(frame: Self.start)
      #expect(try await answers(setup) == wrong + [Self.accepted, Self.completed])
    }
  }

  @Test func answersMayBeLate() async throws {
    try await withMachine { setup in
      try await setup.perform("late-answers BallMachine 2.5")
      #expect(try await answers(setup) == [])
      setup.clock.advance(by: .milliseconds(2500))
      await setup.client.sees("\(Client.short(Client.commandPath)) Value=\(Self.completed)")
    }
  }

  @Test func anAnswerDoesNotOutliveItsLink() async throws {
    var timings = MockTimings.instant
    timings.answer = .milliseconds(30)
    try await withMachine(timings: timings) { setup in
      try await setup.client.set("Trusted", .boolean(true))
      try await setup.client.write(frame: Self.start)
      try await setup.perform("drop BallMachine")
      try await setup.client.device("Connect")
      await setup.client.sees("hci0/dev_F0_F1_F2_F3_F4_F5 ServicesResolved=true")
      setup.clock.advance(by: .seconds(1))
      // The session of the client lasts, as BlueZ has it.
      try await setup.perform("notify BallMachine end")
      await setup.client.sees("\(Client.short(Client.commandPath)) Value=end")
      #expect(await values(setup) == ["end"])
    }
  }

  // MARK: Subscriptions

  @Test func aSubscriptionIsShownAndEndsWithItsClient() async throws {
    try await withSetup(Self.model()) { setup in
      let client = try await setup.anotherClient()
      try await setup.client.connectAndResolve()
      let interface = "org.bluez.GattCharacteristic1"
      func notifying() async throws -> Value? {
        try await setup.client.get("Notifying", interface, Client.commandPath)
      }
      #expect(
        try await setup.client.get("Flags", interface, Client.commandPath)
          == .strings(["write-without-response", "write", "notify"])
      )
      #expect(try await notifying() == .boolean(false))
      // Without a subscription nothing shows.
      try await setup.client.write(frame: Self.start)
      #expect(await values(setup).isEmpty)
      try await client.characteristic("StartNotify", [])
      try await client.characteristic("StartNotify", [])
      #expect(try await notifying() == .boolean(true))
      await client.connection.close()
      await setup.client.sees("\(Client.short(Client.commandPath)) Notifying=false")
    }
  }

  @Test func aSubscriptionMayBeRefusedOrTakeLong() async throws {
    try await withSetup(Self.model()) { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform(
        "fail-notify BallMachine org.bluez.Error.NotPermitted \"Write not permitted\""
      )
      let refused = await failure { () throws(DBusError) in
        try await setup.client.characteristic("StartNotify", [])
      }
      #expect(refused == bluezError("NotPermitted", "Write not permitted"))
      try await setup.perform("slow-notify BallMachine 4")
      let slow = Task { try await setup.client.characteristic("StartNotify", []) }
      await setup.called("StartNotify", times: 2)
      try await setup.client.write(frame: Self.start)
      #expect(await values(setup).isEmpty)
      setup.clock.advance(by: .seconds(4))
      _ = try await slow.value
      #expect(try await answers(setup) == [Self.accepted, Self.completed])
    }
  }

  @Test(arguments: ["drop BallMachine", "vanish BallMachine"])
  func aSubscriptionThatIsUnderWayEndsWithTheLink(_ verb: String) async throws {
    try await withSetup(Self.model()) { setup in
      try await setup.client.connectAndResolve()
      try await setup.perform("slow-notify BallMachine 4")
      let slow = Task { try await setup.client.characteristic("StartNotify", []) }
      await setup.called("StartNotify")
      try await setup.perform(verb)
      await #expect(throws: bluezError("Failed", "Operation failed with ATT error: 0x0e")) {
        try await slow.value
      }
    }
  }

  @Test func withoutALinkASubscriptionWaitsForTheNext() async throws {
    try await withSetup(Self.model()) { setup in
      try await setup.client.connectAndResolve()
      try await setup.client.set("Trusted", .boolean(true))
      try await setup.perform("drop BallMachine")
      try await setup.client.characteristic("StartNotify", [])
      let again = await failure { () throws(DBusError) in
        try await setup.client.characteristic("StartNotify", [])
      }
      #expect(again == bluezError("InProgress", "In Progress"))
      try await setup.client.device("Connect")
      await setup.client.sees("hci0/dev_F0_F1_F2_F3_F4_F5 ServicesResolved=true")
      #expect(try await answers(setup) == [Self.accepted, Self.completed])
    }
  }

  // MARK: What nothing asked for

  @Test func bytesOfAnyKindCanBeSent() async throws {
    try await withMachine { setup in
      try await setup.perform("notify-bytes BallMachine 5aa58201a3")
      try await setup.perform("notify-bytes BallMachine 00ff")
      await setup.client.sees("\(Client.short(Client.commandPath)) Value=00ff")
      #expect(await values(setup) == [Self.accepted, "00ff"])
    }
  }

  @Test func garbageIsTheSameForASeedAndEndsWithTheFaults() async throws {
    try await withMachine { setup in
      var rounds: [[String]] = []
      for seed in [7, 7, 8] {
        let known = await values(setup).count
        try await setup.perform("garbage BallMachine \(seed) 0.5 times 20")
        for _ in 1...20 { setup.clock.advance(by: .milliseconds(500)) }
        try await setup.perform("notify BallMachine \"end of \(rounds.count)\"")
        await setup.client.sees(
          "\(Client.short(Client.commandPath)) Value=end of \(rounds.count)"
        )
        let values = Array(await values(setup).dropFirst(known).dropLast())
        #expect(values.count == 20)
        rounds.append(values)
      }
      #expect(rounds[0] == rounds[1])
      #expect(rounds[0] != rounds[2])
      // The peer of the real stack sends the same: peer-test has these too.
      #expect(
        rounds[0].prefix(4) == [
          "04e695733f775322", "1af5ebdfdd8c", "539ec1ac1b586ce7", "1368e66af80d",
        ]
      )
      #expect(rounds[0].contains { $0.hasPrefix("5aa582") })
      let known = await values(setup).count
      try await setup.perform("garbage BallMachine 1 1 always")
      try await setup.perform("clear-faults")
      setup.clock.advance(by: .seconds(60))
      #expect(try await answers(setup).dropFirst(known) == [Self.accepted, Self.completed])
    }
  }
}
