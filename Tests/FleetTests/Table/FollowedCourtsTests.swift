import Brokers
import Fleet
import Host
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

  /// Also where not all topics have room in one packet.
  @Test(arguments: [[], ["max_packet_size 100"]])
  func onceGivesWhatTheBrokerHasKept(_ settings: [String]) async throws {
    let broker = try await Broker(settings: settings)
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

  @Test func aBrokerThatKeepsNothingIsKnown() async throws {
    let broker = try await Broker(settings: ["retain_available false"])
    #expect(try await !FollowedCourts(broker.settings()).once().keepsMessages)
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

  /// The text of a SUBSCRIBE, and its topics below `ballmachine/`, each with what follows it.
  private static func topics(of packet: [UInt8]) -> (text: String, topics: [Substring]) {
    let text = String(decoding: packet, as: UTF8.self)
    return (text, Array(text.split(separator: "ballmachine/").dropFirst()))
  }

  /// The SUBACK that grants all.
  private static func grant(of topics: Int, to packet: [UInt8]) -> [UInt8] {
    // The number is behind the length, of one or two bytes.
    let start = packet[1] < 0x80 ? 2 : 3
    let codes = [UInt8](repeating: 1, count: topics)
    return [0x90, 3 + UInt8(topics), packet[start], packet[start + 1], 0] + codes
  }

  /// As RabbitMQ does it: what is kept comes for exact topics alone.
  @Test func courtsThatNoWildcardGivesAreAskedForByName() async throws {
    let names = (1...20).map { "court-\($0)" }
    let index = names.reduce(CourtIndex()) { $0.adding($1) }.payload
    let broker = try FakeBroker { packet in
      switch packet[0] >> 4 {
      case 1: return .bytes(FakeBroker.connected)
      case 8:
        let (text, topics) = Self.topics(of: packet)
        let grant = Self.grant(of: topics.count, to: packet)
        var kept: [UInt8] = []
        if text.contains("ballmachine/courts") { kept += Self.kept(CourtIndex.topic, index) }
        for name in names where text.contains("/\(name)/availability") {
          kept += Self.kept(CourtTopic.availability.path(of: name), Array("online".utf8))
        }
        return .bytes(grant + kept)
      default: return .bytes([])
      }
    }
    let table = try await FollowedCourts(BrokerSettings(host: "127.0.0.1", port: broker.port))
      .once()
    #expect(table.rows.map(\.court) == names)
    #expect(table.rows.allSatisfy { $0.isOnline == true })
  }

  /// Any client can write the index, again and again.
  @Test func anIndexOfEverNewNamesIsBounded() async throws {
    let indexes = (0..<4).map { index in
      (0..<400).reduce(CourtIndex()) { $0.adding("c\(index)-\($1)") }.payload
    }
    let asked = Locked<Set<Substring>>([])
    let broker = try FakeBroker { packet in
      switch packet[0] >> 4 {
      case 1: return .bytes(FakeBroker.connected)
      case 8:
        let (text, topics) = Self.topics(of: packet)
        let names = topics.compactMap { $0.split(separator: "/").first }.filter { $0.contains("-") }
        asked.withLock { $0.formUnion(names) }
        let grant = Self.grant(of: topics.count, to: packet)
        guard text.contains("ballmachine/courts") else { return .bytes(grant) }
        return .bytes(indexes.reduce(grant) { $0 + Self.kept(CourtIndex.topic, $1) })
      default: return .bytes([])
      }
    }
    let settings = BrokerSettings(host: "127.0.0.1", port: broker.port)
    #expect(try await FollowedCourts(settings).once().rows.isEmpty)
    #expect(asked.withLock(\.count) == CourtTable.mostCourts)
  }

  /// A kept message as a packet.
  private static func kept(_ topic: String, _ payload: [UInt8]) -> [UInt8] {
    let body = [0, UInt8(topic.utf8.count)] + Array(topic.utf8) + [0] + payload
    return [0x31, UInt8(body.count & 0x7F | 0x80), UInt8(body.count >> 7)] + body
  }

  private func settle(
    _ courts: FollowedCourts,
    until isSettled: (CourtTable) -> Bool
  ) async throws {
    while !isSettled(courts.table) { try await Task.sleep(for: .milliseconds(10)) }
  }
}
