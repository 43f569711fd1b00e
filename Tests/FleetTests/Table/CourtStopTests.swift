import Brokers
import ControlProtocol
import Fleet
import TestSupport
import Testing

/// With Debian's broker.
@Suite(.mustEnd) struct CourtStopTests {
  private static let online = message(.availability, "online")
  private static let offline = message(.availability, "offline")

  private static func message(
    _ topic: CourtTopic,
    _ text: String,
    isRetained: Bool = true
  ) -> MQTTMessage {
    MQTTMessage(topic.path(of: "court-1"), Array(text.utf8), isRetained: isRetained)
  }

  /// So long that the stop leaves in time, also beside busy tests.
  private static let silence = Duration.seconds(15)

  private func stop(
    at broker: BrokerSettings,
    within timeout: Duration = .seconds(60)
  ) async throws -> CourtStop.Outcome {
    try await CourtStop("court-1", at: broker)
      .perform(within: timeout, timeOfStranger: .seconds(1))
  }

  private func publish(_ message: MQTTMessage, by court: Party) async throws {
    let number = try #require(await court.connection.publish(message))
    #expect(await court.next()?.arrival == number)
  }

  /// A court that is online.
  private func court(at broker: BrokerSettings) async throws -> Party {
    let court = Party("court", at: broker)
    #expect(await court.isReady())
    try await publish(Self.online, by: court)
    let number = await court.connection.subscribe([CourtTopic.stop.path(of: "court-1")])
    #expect(await court.next() == number.map(MQTTConnection.Event.subscribed))
    return court
  }

  /// - Returns: the stop's payload.
  private func takeStop(by court: Party) async throws -> String {
    guard case .message(let message)? = await court.next(), !message.isRetained,
      message.topic == CourtTopic.stop.path(of: "court-1")
    else { throw NoStop() }
    return String(decoding: message.payload, as: UTF8.self)
  }

  private struct NoStop: Error {}

  @Test(arguments: ["confirmed", "notDelivered", "later"])
  func theCourtsAnswerIsTheOutcome(_ word: String) async throws {
    let broker = try await Broker()
    let court = try await court(at: broker.settings())
    async let outcome = stop(at: broker.settings())
    let payload = try await takeStop(by: court)
    // Another one's is not this one's; a court of an earlier version says of whose stop it is none.
    let ours = word == "later" ? "" : #""stops":["a","\#(payload)"],"#
    for (stops, word, reason) in [
      (#""stops":["stop"],"#, "confirmed", "of another one"),
      (#""stops":[],"#, "confirmed", "of another one"), (ours, word, "why"),
    ] {
      let text =
        #"{"outcome":"\#(word)","reason":"\#(reason)\u001b",\#(stops)"time":"2026-11-23T12:00:00Z"}"#
      try await publish(Self.message(.outcome, text, isRetained: false), by: court)
    }
    #expect(try await outcome == .answered(StopRecord(outcome: word, reason: "why?")))
  }

  /// What the broker has kept is of another stop, or made up.
  @Test func anOldOutcomeIsNone() async throws {
    let broker = try await Broker()
    let court = try await court(at: broker.settings())
    try await publish(Self.message(.outcome, #"{"outcome":"confirmed"}"#), by: court)
    #expect(try await stop(at: broker.settings(), within: Self.silence) == .silent)
  }

  @Test(arguments: ["", "confirmed", "{}", #"{"outcome":1}"#, "[]"])
  func whatIsNoOutcomeIsIgnored(_ payload: String) async throws {
    let broker = try await Broker()
    let court = try await court(at: broker.settings())
    async let outcome = stop(at: broker.settings(), within: Self.silence)
    _ = try await takeStop(by: court)
    try await publish(Self.message(.outcome, payload, isRetained: false), by: court)
    #expect(try await outcome == .silent)
  }

  @Test func aCourtThatIsOfflineIsNotReached() async throws {
    let broker = try await Broker()
    let court = try await court(at: broker.settings())
    try await publish(Self.offline, by: court)
    #expect(try await stop(at: broker.settings()) == .offline)
    // It was sent all the same: the broker may be wrong.
    _ = try await takeStop(by: court)
  }

  @Test func anAvailabilityThatCannotBeReadIsNotOffline() async throws {
    let broker = try await Broker()
    let court = try await court(at: broker.settings())
    try await publish(Self.message(.availability, "x"), by: court)
    #expect(try await stop(at: broker.settings()) == .unseen)
    _ = try await takeStop(by: court)
  }

  /// The broker calls it online, and is wrong.
  @Test func aCourtThatIsNotSubscribedIsNotReached() async throws {
    let broker = try await Broker()
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady())
    try await publish(Self.online, by: court)
    #expect(try await stop(at: broker.settings()) == .unheard)
  }

  @Test func aCourtThatTheBrokerDoesNotShowIsUnseen() async throws {
    let broker = try await Broker()
    // It takes the stop, and is no court.
    let office = Party("office", at: broker.settings())
    #expect(await office.isReady("ballmachine/#"))
    #expect(try await stop(at: broker.settings()) == .unseen)
  }

  /// A broker says nothing of what a user may not read, nor over MQTT 3.1.1 of what it may not write.
  @Test(arguments: [
    (MQTTVersion.v5, "topic write ballmachine/+/stop", true),
    (.v311, "topic write ballmachine/+/stop", true),
    (.v311, "topic write else", false),
  ])
  func whatTheBrokerHidesIsNotKnown(
    _ version: MQTTVersion,
    allows access: String,
    reaches: Bool
  ) async throws {
    let broker = try await Broker(
      users: ["court": "secret", "office": "secret"],
      accessList: "user court\ntopic ballmachine/#\nuser office\n\(access)\n"
    )
    let court = try await court(at: broker.settings(user: "court", password: "secret"))
    var settings = broker.settings(user: "office", password: "secret")
    settings.version = version
    #expect(try await stop(at: settings) == .unseen)
    if reaches { _ = try await takeStop(by: court) }
  }

  @Test func theBrokersRefusalIsTheOutcome() async throws {
    let broker = try await Broker(
      users: ["office": "secret"],
      accessList: "user office\ntopic read ballmachine/#\n"
    )
    let settings = broker.settings(user: "office", password: "secret")
    guard case .refused = try await stop(at: settings) else {
      Issue.record("not refused")
      return
    }
  }

  @Test func withoutABrokerNothingIsSent() async throws {
    let broker = try await Broker()
    await broker.end()
    let failure = await #expect(throws: MQTTFailure.self) { try await stop(at: broker.settings()) }
    #expect(failure?.code == .unreachable)
  }
}
