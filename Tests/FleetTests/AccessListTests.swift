import Brokers
import Fleet
import Foundation
import TestSupport
import Testing

/// The access list that is shipped, at the real broker.
@Suite(.mustEnd)
struct AccessListTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "tools/examples/mosquitto")
  private static let courts = ["court-1", "court-2"]
  private static let users = courts + ["office", "homeassistant", "guest"]

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
  }

  private func broker() async throws -> Broker {
    let users = Dictionary(uniqueKeysWithValues: Self.users.map { ($0, "secret") })
    // As Fleet.md's steps add them.
    let courts = Self.courts.map { "user \($0)\ntopic read homeassistant/status\n" }
    return try await Broker(users: users, accessList: try text("acl") + courts.joined())
  }

  private func settings(_ user: String, at broker: Broker) -> BrokerSettings {
    broker.settings(user: user, password: "secret")
  }

  /// Those of the topics on which the broker takes this user's messages.
  private func taken(
    _ topics: [String],
    by user: String,
    at broker: Broker
  ) async throws -> [String] {
    let party = Party(user, at: settings(user, at: broker))
    try #require(await party.isReady())
    var taken: [String] = []
    for topic in topics {
      let message = MQTTMessage(topic, Array("x".utf8))
      let number = try #require(await party.connection.publish(message))
      if await party.next()?.arrival == number { taken.append(topic) }
    }
    return taken
  }

  private static let requests: [CourtTopic] = [.stop, .pictureRequest]

  private func topics(of court: String) -> [String] {
    CourtTopic.allCases.filter { !Self.requests.contains($0) }.map { $0.path(of: court) }
      + [HomeAssistantDevice(.court1 { $0.court = court }, version: "").topic]
  }

  @Test func aCourtPublishesWhatIsItsOwnAndNothingElse() async throws {
    let broker = try await broker()
    let own = topics(of: "court-1")
    let others =
      topics(of: "court-2") + [
        "ballmachine/court-1/stop", "ballmachine/court-2/stop", "ballmachine/court-1/arm",
        "ballmachine/court-1/picture/get", "ballmachine/court-2/picture/get",
        "ballmachine/court-1", "ballmachine", "homeassistant/status",
        "homeassistant/switch/ballmachine_court-1/config", "x",
      ]
    #expect(try await taken(others + own, by: "court-1", at: broker) == own)
  }

  @Test(arguments: ["office", "homeassistant"])
  func whoSeesTheCourtsStopsThemAsksForPicturesAndNothingElse(_ user: String) async throws {
    let broker = try await broker()
    let requests = ["court-1", "court-2"].flatMap { court in
      Self.requests.map { $0.path(of: court) }
    }
    let birth =
      user == "homeassistant" ? [HomeAssistantDevice(.court1(), version: "").birthTopic] : []
    let others = topics(of: "court-1") + ["ballmachine/court-1/arm", "homeassistant/x/y/config"]
    #expect(try await taken(others + requests + birth, by: user, at: broker) == requests + birth)
  }

  @Test func aCourtReadsItsOwnRequestsAlone() async throws {
    let broker = try await broker()
    let court = Party("2", at: settings("court-2", at: broker))
    try #require(
      await court.isReady(
        "#",
        "ballmachine/+/stop",
        "ballmachine/court-1/stop",
        "ballmachine/+/picture/get",
        "ballmachine/court-1/picture/get"
      )
    )
    _ = try await taken(topics(of: "court-1"), by: "court-1", at: broker)
    let requests = ["court-1", "court-2"].flatMap { court in
      Self.requests.map { $0.path(of: court) }
    }
    _ = try await taken(requests, by: "office", at: broker)
    // What comes until the last one is all that comes: a broker passes on in order, for each subscription.
    var heard: Set<String> = []
    while !heard.contains(requests[3]), case .message(let message)? = await court.next() {
      heard.insert(message.topic)
    }
    #expect(heard == Set(requests.suffix(2)))
  }

  @Test func aCourtLearnsWhenHomeAssistantHasStartedAndNoOtherUserDoes() async throws {
    let broker = try await broker()
    let court = Party("court-1", at: settings("court-1", at: broker))
    let guest = Party("guest", at: settings("guest", at: broker))
    for party in [court, guest] { try #require(await party.isReady("#")) }
    let birth = HomeAssistantDevice(.court1(), version: "").birthTopic
    #expect(try await taken([birth], by: "homeassistant", at: broker) == [birth])
    // What comes first is all that comes: a broker passes on in order.
    let stops = ["court-1", "guest"].map { CourtTopic.stop.path(of: $0) }
    #expect(try await taken(stops, by: "office", at: broker) == stops)
    #expect(await court.next() == .message(MQTTMessage(birth, Array("x".utf8))))
    #expect(await guest.next() == .message(MQTTMessage(stops[1], Array("x".utf8))))
  }

  @Test func theOfficeReadsAllCourts() async throws {
    let broker = try await broker()
    let office = Party("office", at: settings("office", at: broker))
    try #require(await office.isReady("ballmachine/#"))
    let own = CourtTopic.allCases.filter { !Self.requests.contains($0) }
      .map { $0.path(of: "court-1") }
    #expect(try await taken(own, by: "court-1", at: broker) == own)
    for topic in own {
      #expect(await office.next() == .message(MQTTMessage(topic, Array("x".utf8))))
    }
  }

  /// Where the broker drops what a user may not do, as it does with MQTT 3.1.1, silence has two causes.
  @Test(arguments: ["status", "stop"])
  func whoMayReadNothingIsToldWhatToAllow(_ subcommand: String) async throws {
    let broker = try await broker()
    let court = Party("1", at: settings("court-1", at: broker))
    try #require(await court.isReady("ballmachine/court-1/stop"))
    for (topic, text) in [(CourtTopic.availability, "online"), (.state, #"{"state":"live"}"#)] {
      let path = topic.path(of: "court-1")
      await court.say(MQTTMessage(path, Array(text.utf8), isRetained: true))
    }
    let password = try broker.file("password", "secret\n")
    // The court court-2 reads and stops nothing of another one.
    let result = try await BuiltProgram.run(
      [subcommand] + (subcommand == "stop" ? ["court-1"] : []) + [
        "--broker", "127.0.0.1:\(broker.port)", "--user", "court-2", "--password-file", password,
      ],
      script: #"chmod 600 "${@: -1}"; "$1-mqtt" "${@:2}""#
    )
    #expect(result.code == (subcommand == "stop" ? 77 : 69), "\(result)")
    #expect(result.errors.contains("`topic read ballmachine/#'"), "\(result)")
    #expect(result.errors.contains("for the user court-2 "), "\(result)")
  }

  @Test func aCourtTriesTheBrokerOnATopicOfItsOwnAlone() async throws {
    let broker = try await broker()
    let court = Party("1", at: settings("court-1", at: broker))
    try #require(await court.isReady("ballmachine/+/doctor"))
    let topics = ["court-2", "court-1"].map { "ballmachine/\($0)/doctor" }
    _ = try await taken(topics, by: "court-2", at: broker)
    _ = try await taken(topics, by: "court-1", at: broker)
    #expect(await court.next() == .message(MQTTMessage(topics[1], Array("x".utf8))))
  }

  /// After a power failure, a broker that has kept messages on disk calls courts online that aren't there.
  @Test func theBrokerOfTheConfigurationKeepsNothingOnDisk() async throws {
    let folder = try TemporaryDirectory()
    let own = try text("mosquitto-2.0.conf").split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("persistence") }
    // As Debian's, but sooner.
    let debian = [
      "persistence true", "persistence_location \(folder.path)/", "autosave_on_changes true",
      "autosave_interval 1",
    ]
    let broker = try await Broker(settings: debian + own)
    let court = Party("court", at: broker.settings())
    try #require(await court.isReady())
    let availability = CourtTopic.availability.path(of: "court-1")
    for _ in 0..<2 {
      await court.say(MQTTMessage(availability, Array("online".utf8), isRetained: true))
    }
    await broker.end()
    try await broker.restart()
    let table = try await FollowedCourts(broker.settings()).once()
    #expect(table.rows.isEmpty)
  }

  @Test func withoutAUserThereIsNothing() async throws {
    let broker = try await broker()
    let party = Party("nobody", at: broker.settings())
    #expect(await party.end()?.code == .refused)
  }

  private func lines(_ name: String) throws -> [String] {
    try text(name).split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }

  /// Its paths, and its listener with TLS, are the test's broker's own.
  @Test func theConfigurationIsOneOfMosquitto() async throws {
    let lines = try lines("mosquitto-2.0.conf")
    #expect(lines.contains("allow_anonymous false"))
    #expect(lines.count { $0.hasPrefix("listener ") } == 1)
    let own = ["allow_anonymous", "password_file", "acl_file", "listener"]
    let rest = lines.filter { line in
      !own.contains { line.hasPrefix($0) } && !line.contains("file ")
    }
    #expect(!rest.isEmpty)
    let broker = try await Broker(users: ["a": "b"], tls: Broker.TLS(), settings: rest)
    let party = Party("a", at: broker.settings(user: "a", password: "b"))
    #expect(await party.isReady())
  }

  /// `tools/bench/fleet --brokers' tries both with the brokers that they are for.
  @Test func theConfigurationForNewerOnesHasPluginsForTheSameFiles() throws {
    let newer = try lines("mosquitto-2.1.conf")
    let plugins = newer.filter { $0.hasPrefix("plugin /usr/$LIB/mosquitto/mosquitto_") }
    #expect(plugins.count == 2)
    let rest = newer.filter { !plugins.contains($0) }
      .map { $0.replacing("plugin_opt_", with: "") }
    #expect(rest == (try lines("mosquitto-2.0.conf")))
  }
}
