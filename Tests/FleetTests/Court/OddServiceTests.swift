import ControlProtocol
import Fleet
import JSON
import Testing

/// A service of a later version, a broken one, and one that means no good.
@Suite struct OddServiceTests {
  @Test func whatALaterVersionAddsIsIgnored() throws {
    var story = CourtStory()
    #expect(try story.event("weather", #""wind":3"#) == [])
    #expect(
      try story.event(
        "safety",
        #""state":"asleep","holds":[{"code":"rain","reason":"it rains","later":1}],"balls":0,"x":[1]"#,
        fitTheSchema: false
      ) == [#"state {"holds":[{"code":"rain","reason":"it rains"}],"state":"asleep"}"#]
    )
    #expect(
      try story.event("link", #""state":"dreaming","later":true"#, fitTheSchema: false) == [
        #"link {"state":"dreaming"}"#
      ]
    )
  }

  private static let names = [
    "safety", "link", "training", "dispatch", "held", "manual", "answer", "stop", "feed",
    "position",
    "dropped", "", "state", "availability",
  ]
  private static let values: [JSONValue?] = [
    nil, .null, .boolean(true), .integer(-1), .integer(.max), .number(-1e300), .string(""),
    .string("ready"), .string("\u{1b}[2J\r\n\u{202e}"), .array([]), .array([.object([:])]),
    .object([:]), .object(["state": .string("live")]),
  ]
  private static let members = [
    "state", "holds", "balls", "code", "reason", "remaining", "stop", "since", "mode", "rssi",
    "notifications", "aim", "interval", "label", "set", "number", "outcome", "x", "connection",
    "count",
  ]

  /// 14 events, each of 20 members with each of 13 values, two members at a time: 10,000 and more.
  @Test func oddEventsBreakNothing() {
    var court = CourtState(.court1(), version: "1.2.3")
    var taken = 0
    for (index, name) in Self.names.enumerated() {
      for (first, member) in Self.members.enumerated() {
        for (second, value) in Self.values.enumerated() {
          for third in 0..<3 {
            let other = Self.members[(first + index + third + 1) % Self.members.count]
            var event: [String: JSONValue] = [
              "event": .string(name), "t": .integer(1), "time": .string("2026-11-21T14:00:00.000Z"),
              "state": .string("live"), "holds": .array([]), "balls": .integer(0),
              "aim": .string("follow"), "interval": .integer(3),
            ]
            event[member] = value
            event[other] = Self.values[(second + third) % Self.values.count]
            let messages = court.receive(event: .object(event))
            #expect(messages.allSatisfy { [.state, .link, .drill].contains($0.topic) })
            taken += 1
          }
        }
      }
    }
    #expect(taken > 10_000)
    for value in Self.values { #expect(court.receive(event: value ?? .null).isEmpty) }
  }

  private static let texts = [
    String(repeating: "x", count: 5000), String(repeating: "\u{1}", count: 5000),
    String(repeating: "\"", count: 5000), String(repeating: "🎾", count: 5000),
    String(repeating: "e\u{301}", count: 5000),
  ]

  @Test(arguments: texts.indices) func aPayloadIsOfBoundedSize(_ index: Int) throws {
    let text = Self.texts[index]
    var story = CourtStory(player: true, session: true)
    var safety = SafetyRecord(state: text)
    safety.reason = text
    safety.holds = Array(repeating: SafetyRecord.Hold(code: text, reason: text), count: 40)
    safety.stop = SafetyRecord.Stop(outcome: text, reason: text)
    var link = LinkRecord(state: "ready")
    (link.reason, link.name, link.mode) = (text, text, text)
    var training = TrainingRecord(aim: text, interval: 3)
    training.drill = text
    let events: [(CourtTopic, EventRecord.Event)] = [
      (.state, .safety(safety)), (.link, .link(link)), (.drill, .training(training)),
    ]
    for (topic, event) in events {
      let line = try JSONEncoding.line(EventRecord(event, t: 1, time: CourtStory.noon))
      let messages = story.court.receive(event: try JSONValue(text: line))
      #expect(messages.contains { $0.topic == topic })
    }
    let finding: JSONValue = .object([
      "event": .string("finding"), "verdict": .string("problem"), "code": .string(text),
      "text": .string(text), "remedy": .string(text),
    ])
    let problems = CourtProblemsRecord(doctor: Array(repeating: finding, count: 40))
    #expect(story.court.receive(problems: problems).count == 1)
    let many = (0..<40).map { ("\($0)", JSONValue.string(text)) }
    let ending = JSONValue.object(Dictionary(uniqueKeysWithValues: many))
    _ = story.court.receive(session: .object(["ending": ending, "mode": .string(text)]))
    _ = story.court.receive(session: .object(["outcomes": .object([text: .integer(1)])]))
    _ = story.court.leave(text, time: CourtStory.noon)
    #expect(story.court.all.map(\.topic) == [.state, .link, .drill, .problem, .session, .version])
    for (topic, payload) in story.court.all {
      #expect(payload.count <= CourtPayload.longest, "\(topic)")
      #expect((try? JSONValue(text: payload)) != nil, "\(topic)")
    }
  }

  @Test func aUsualTextIsNotCut() {
    let record = CourtBoxRecord(box: String(repeating: "x", count: CourtPayload.longest - 10))
    #expect(CourtPayload.bytes(of: record)?.count == CourtPayload.longest)
    let longer = CourtBoxRecord(box: record.box + "x")
    #expect(CourtPayload.bytes(of: longer)?.suffix(5) == Array("…\"}".utf8)[...])
  }
}
