import Brokers
import Fleet
import TestSupport
import Testing

/// With Debian's broker.
@Suite(.mustEnd) struct FollowedCourtsTests {
  private func message(_ topic: CourtTopic, of court: String, _ text: String) -> MQTTMessage {
    MQTTMessage(topic.path(of: court), Array(text.utf8), isRetained: true)
  }

  private func publish(_ message: MQTTMessage, by court: Party) async throws {
    let number = try #require(await court.connection.publish(message))
    #expect(await court.next()?.arrival == number)
  }

  @Test func onceGivesWhatTheBrokerHasKept() async throws {
    let broker = try await Broker()
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady())
    for number in [10, 2, 1] {
      let name = "court-\(number)"
      try await publish(message(.availability, of: name, "online"), by: court)
      try await publish(message(.state, of: name, #"{"state":"live"}"#), by: court)
    }
    let table = try await FollowedCourts(broker.settings()).once()
    #expect(table.broker == .complete)
    #expect(table.rows.map(\.court) == ["court-1", "court-2", "court-10"])
    #expect(table.rows.allSatisfy { $0.isOnline == true && $0.state?.state == "live" })
  }

  @Test func withoutABrokerOnceSaysWhy() async throws {
    let broker = try await Broker()
    await broker.end()
    let courts = FollowedCourts(broker.settings())
    let failure = await #expect(throws: MQTTFailure.self) { try await courts.once() }
    #expect(failure?.code == .unreachable)
  }

  @Test func itFollowsTheCourtsAndTheBroker() async throws {
    let broker = try await Broker()
    let court = Party(
      "court",
      at: broker.settings(),
      will: message(.availability, of: "court-1", "offline")
    )
    #expect(await court.isReady())
    try await publish(message(.availability, of: "court-1", "online"), by: court)
    try await publish(message(.state, of: "court-1", #"{"state":"live"}"#), by: court)
    let courts = FollowedCourts(broker.settings())
    let following = Task { await courts.run() }
    defer { following.cancel() }
    try await settle(courts) { $0.broker == .complete && $0.rows.first?.state?.state == "live" }
    // The client of its name throws it out: its will is published.
    let other = Party("court", at: broker.settings())
    #expect(await other.isReady())
    try await settle(courts) { $0.rows.first?.isOnline == false }
    #expect(courts.table.rows.first?.offlineSince != nil)
    await broker.end()
    try await settle(courts) { if case .away = $0.broker { true } else { false } }
    #expect(courts.table.rows.count == 1)
    // This broker has forgotten all: so does the table.
    try await broker.restart()
    try await settle(courts) { $0.broker == .complete }
    #expect(courts.table.rows.isEmpty)
  }

  private func settle(
    _ courts: FollowedCourts,
    until isSettled: (CourtTable) -> Bool
  ) async throws {
    while !isSettled(courts.table) { try await Task.sleep(for: .milliseconds(10)) }
  }
}
