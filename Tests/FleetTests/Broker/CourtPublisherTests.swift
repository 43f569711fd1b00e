import Brokers
import ControlProtocol
import Fleet
import Host
import TestSupport
import Testing

/// One court and an office on Debian's mosquitto.
@Suite(.mustEnd) struct CourtPublisherTests {
  private static let box = String(repeating: "0f", count: 16)
  private static let other = String(repeating: "e1", count: 16)

  /// A publisher that runs until ``end()``.
  private final class Court: Sendable {
    let publisher: CourtPublisher
    private let news: AsyncStream<CourtPublisher.News>
    private let stops: AsyncStream<Void>
    private let running: Task<Void, Never>
    private let told = Locked<[CourtPublisher.News]>([])

    init(
      _ broker: BrokerSettings,
      box: String = box,
      former: FormerOwner = .unknown,
      timeToReturn: Duration = CourtPublisher.timeToReturn
    ) {
      let (news, newsSource) = AsyncStream<CourtPublisher.News>.makeStream()
      let (stops, stopSource) = AsyncStream<Void>.makeStream()
      let told = told
      let publisher = CourtPublisher(
        .court1(),
        box: box,
        former: former,
        version: "1.2.3",
        on: broker,
        timeToReturn: timeToReturn,
        executor: LoopExecutor(),
        report: { news in
          told.withLock { $0.append(news) }
          newsSource.yield(news)
        }
      )
      self.publisher = publisher
      self.news = news
      self.stops = stops
      running = Task { await publisher.run { _ in stopSource.yield() } }
    }

    deinit { running.cancel() }

    func has(_ wanted: (CourtPublisher.News) -> Bool) async -> Bool {
      for await one in news where wanted(one) { return true }
      return false
    }

    func allNews() -> [CourtPublisher.News] { told.withLock(\.self) }

    func nextStop() async { for await _ in stops { return } }

    func end() async {
      running.cancel()
      await running.value
    }
  }

  private static func text(_ message: MQTTMessage) -> String {
    let text = String(decoding: message.payload, as: UTF8.self)
    return "\(message.topic.split(separator: "/").dropFirst(2).joined(separator: "/")) \(text)"
  }

  /// What the office hears, until one is this.
  private func heard(_ office: Party, until last: String) async -> [String] {
    var all: [String] = []
    while let event = await office.next() {
      guard case .message(let message) = event else { continue }
      all.append(Self.text(message))
      if all.last == last { break }
    }
    return all
  }

  private func office(_ broker: Broker) async throws -> Party {
    let office = Party("office", at: broker.settings())
    try #require(await office.isReady("ballmachine/#"))
    return office
  }

  @Test func aCourtIsOnlineOnceAStopWouldComeThroughAndOfflineAtItsEnd() async throws {
    let broker = try await Broker()
    let office = try await office(broker)
    let court = Court(broker.settings())
    await court.publisher.set(.state, Array("live".utf8))
    let first = await heard(office, until: "availability online")
    // The question, the claim, and the claim of the connection that has a will.
    let claim = "box {\"box\":\"\(Self.box)\"}"
    #expect(first == ["box ", claim, "state live", claim, "availability online"])
    await court.publisher.set(.state, Array("paused".utf8))
    #expect(await heard(office, until: "state paused") == ["state paused"])
    await court.end()
    #expect(await heard(office, until: "availability offline") == ["availability offline"])

    // Who comes later has it all.
    let late = try await self.office(broker)
    let kept = await heard(late, until: "state paused")
    #expect(
      Set(kept).isSubset(of: [
        "availability offline", "box {\"box\":\"\(Self.box)\"}", "state paused",
      ])
    )
    // And so has the same box.
    let again = Court(broker.settings())
    #expect(await heard(late, until: "availability online").contains("availability online"))
    await again.end()
  }

  @Test func whatTheNextOneReplacesIsNotAcknowledged() async throws {
    let broker = try await Broker()
    let office = try await office(broker)
    let court = Court(broker.settings())
    _ = await heard(office, until: "availability online")
    func qualities(of topic: CourtTopic) async -> [MQTTMessage.Quality] {
      var all: [MQTTMessage.Quality] = []
      for number in 1...3 {
        await court.publisher.set(topic, Array("\(number)".utf8))
        if case .message(let message) = await office.next() { all.append(message.quality) }
      }
      return all
    }
    for topic in [CourtTopic.balls, .drill, .player] {
      #expect(await qualities(of: topic) == [.atLeastOnce, .atMostOnce, .atMostOnce])
    }
    for topic in [CourtTopic.state, .link, .problem, .version, .outcome] {
      #expect(await qualities(of: topic) == [.atLeastOnce, .atLeastOnce, .atLeastOnce])
    }
    await court.end()
  }

  @Test func anotherBoxPublishesNothing() async throws {
    let broker = try await Broker()
    let office = try await office(broker)
    let owner = Court(broker.settings())
    _ = await heard(office, until: "availability online")
    let late = Court(broker.settings(), box: Self.other)
    await late.publisher.set(.state, Array("wrong".utf8))
    #expect(await late.has { $0 == .taken(by: Self.box) })
    await late.end()
    await owner.publisher.set(.state, Array("right".utf8))
    #expect(await heard(office, until: "state right") == ["state right"])
    await owner.end()
  }

  @Test func whatIsNoClaimIsWrittenAnewByTheOwnerAlone() async throws {
    let broker = try await Broker()
    let office = try await office(broker)
    let box = CourtTopic.box.path(of: "court-1")
    await office.say(MQTTMessage(box, [1], isRetained: true))
    let newcomer = Court(broker.settings(), box: Self.other)
    #expect(await newcomer.has { $0 == .unreadable(bytes: 1, isMended: false) })
    let owner = Court(broker.settings(), former: .this)
    #expect(await newcomer.has { $0 == .taken(by: Self.box) })
    _ = await heard(office, until: "availability online")
    _ = await office.connection.publish(MQTTMessage(box, Array("{}".utf8), isRetained: true))
    #expect(await heard(office, until: "box {\"box\":\"\(Self.box)\"}").count == 2)
    #expect(await owner.has { $0 == .unreadable(bytes: 2, isMended: true) })
    await owner.end()
    await newcomer.end()
  }

  @Test func aLiveCourtThatAnotherBoxTakesLeavesOffline() async throws {
    let broker = try await Broker()
    let office = try await office(broker)
    let court = Court(broker.settings())
    _ = await heard(office, until: "availability online")
    let claim = MQTTMessage(
      CourtTopic.box.path(of: "court-1"),
      Array(#"{"box":"f00"}"#.utf8),
      isRetained: true
    )
    await office.say(claim)
    #expect(await court.has { $0 == .taken(by: "f00") })
    #expect(
      await heard(office, until: "availability offline")
        == [#"box {"box":"f00"}"#, "availability offline"]
    )
    await court.end()
  }

  /// As the will of an earlier connection, or of the box before, that the broker publishes late; and what says
  /// nothing, or is removed while the box is there.
  @Test(arguments: ["offline", "x", ""])
  func aWrongAvailabilityIsCorrected(_ wrong: String) async throws {
    let broker = try await Broker()
    let office = try await office(broker)
    let court = Court(broker.settings())
    _ = await heard(office, until: "availability online")
    let message = MQTTMessage(
      CourtTopic.availability.path(of: "court-1"),
      Array(wrong.utf8),
      isRetained: true
    )
    _ = await office.connection.publish(message)
    #expect(
      await heard(office, until: "availability online")
        == ["availability \(wrong)", "availability online"]
    )
    await court.end()
    #expect(await heard(office, until: "availability offline").count == 1)
  }

  @Test func anOwnerIsFoundWhereTheBrokerKeepsNothing() async throws {
    let broker = try await Broker(settings: ["retain_available false"])
    let owner = Court(broker.settings())
    #expect(await owner.has { $0 == .connected })
    let late = Court(broker.settings(), box: Self.other)
    #expect(await late.has { $0 == .taken(by: Self.box) })
    await owner.end()
    // It comes back, and asks: the other one leaves it its court.
    let returned = Court(broker.settings(), former: .this)
    #expect(await returned.has { $0 == .connected })
    #expect(await late.has { $0 == .taken(by: Self.box) })
    await returned.end()
    await late.end()
  }

  @Test(arguments: [
    ["max_packet_size 1000"], ["retain_available false"], ["max_qos 0"],
    ["max_packet_size 600", "retain_available false", "max_qos 0"],
  ])
  func aBrokerThatGrantsLessHasTheCourtAndItsStop(_ settings: [String]) async throws {
    let broker = try await Broker(settings: settings)
    let office = try await office(broker)
    let court = Court(broker.settings())
    let reason = String(repeating: "a", count: 3_000)
    await court.publisher.set(.state, Array(#"{"reason":"\#(reason)","state":"live"}"#.utf8))
    let all = await heard(office, until: "availability online")
    let state = try #require(all.first { $0.hasPrefix("state ") })
    let isShort = settings[0].hasPrefix("max_packet_size")
    #expect(state.hasSuffix(#""state":"live"}"#))
    #expect(state.contains("…") == isShort)
    let sender = CourtStop("court-1", at: broker.settings())
    async let outcome = sender.perform(within: .seconds(60), timeOfStranger: .seconds(50))
    await court.nextStop()
    await court.publisher.set(.outcome, Array(#"{"outcome":"confirmed"}"#.utf8))
    #expect(
      try await outcome == .answered(StopRecord(outcome: "confirmed", reason: "confirmed"))
    )
    await court.end()
    let news = court.allNews()
    let lacks = news.filter { if case .lacking = $0 { true } else { false } }
    #expect(!lacks.isEmpty)
    let device = "homeassistant/device/ballmachine/court-1/config"
    let tooLong = news.compactMap {
      if case .tooLong(let topic, _, _, let isCut) = $0 {
        isCut ? "\(topic), cut" : topic
      } else {
        nil
      }
    }
    #expect(
      Set(tooLong) == (isShort ? [CourtTopic.state.path(of: "court-1") + ", cut", device] : [])
    )
    #expect(!news.contains { if case .failed = $0 { true } else { false } })
  }

  /// Here the broker keeps this user's `box` to itself.
  /// RabbitMQ hangs up at what it forbids. Mosquitto does at a long packet, of which it says nothing with
  /// MQTT 3.1.1.
  @Test func aBrokerThatHangsUpAtAConvenienceHasTheCourtAndItsStop() async throws {
    let broker = try await Broker(settings: ["max_packet_size 2000"])
    var settings = broker.settings()
    settings.version = .v311
    let court = Court(settings)
    #expect(await court.has { $0 == .lacking(.endsConnections) })
    // Its will has made it offline.
    #expect(await heard(try await office(broker), until: "availability online").count > 0)
    let sender = CourtStop("court-1", at: settings)
    async let outcome = sender.perform(within: .seconds(60), timeOfStranger: .seconds(50))
    await court.nextStop()
    await court.publisher.set(.outcome, Array(#"{"outcome":"confirmed"}"#.utf8))
    #expect(
      try await outcome == .answered(StopRecord(outcome: "confirmed", reason: "confirmed"))
    )
    await court.end()
    let failures = court.allNews().count { if case .failed = $0 { true } else { false } }
    #expect(failures == 2)
  }

  @Test func whereWildcardsGiveNothingTheCourtIsInTheIndex() async throws {
    let broker = try await Broker(
      users: ["court-1": "secret", "office": "secret"],
      accessList: """
        user court-1
        topic write ballmachine/court-1/#
        topic readwrite ballmachine/courts
        user office
        topic readwrite ballmachine/courts
        """
    )
    let office = Party("office", at: broker.settings(user: "office", password: "secret"))
    try #require(await office.isReady(CourtIndex.topic))
    await office.say(
      MQTTMessage(CourtIndex.topic, Array(#"{"courts":["b"]}"#.utf8), isRetained: true)
    )
    let court = Court(broker.settings(user: "court-1", password: "secret"))
    #expect(
      await office.hears(CourtIndex.topic) { $0.contains("court-1") }
        == #"{"courts":["b","court-1"]}"#
    )
    await court.end()
  }

  @Test func anIndexThatTheCourtMayNotWriteIsSaid() async throws {
    let broker = try await Broker(
      users: ["court-1": "secret"],
      accessList: "user court-1\ntopic write ballmachine/court-1/#\n"
    )
    let court = Court(broker.settings(user: "court-1", password: "secret"))
    let isSaid = await court.has {
      if case .forbidden(CourtIndex.topic, _) = $0 { true } else { false }
    }
    #expect(isSaid)
    await court.end()
  }

  @Test func whereWildcardsWorkThereIsNoIndex() async throws {
    let broker = try await Broker()
    let court = Court(broker.settings())
    #expect(await broker.hasLogged("Received UNSUBSCRIBE from ballmachine-court-1"))
    await court.end()
    #expect(!broker.log.contains(CourtIndex.topic))
  }

  @Test func aCourtWhoseBoxIsForgottenIsFree() async throws {
    let broker = try await Broker()
    let office = try await office(broker)
    let box = CourtTopic.box.path(of: "court-1")
    _ = await office.connection.publish(
      MQTTMessage(box, Array(#"{"box":"f00"}"#.utf8), isRetained: true)
    )
    _ = await heard(office, until: #"box {"box":"f00"}"#)
    let court = Court(broker.settings())
    #expect(await court.has { $0 == .taken(by: "f00") })
    _ = await office.connection.publish(MQTTMessage(box, [], isRetained: true))
    #expect(await heard(office, until: "availability online").contains("availability online"))
    // While it is there, it keeps its court.
    _ = await office.connection.publish(MQTTMessage(box, [], isRetained: true))
    #expect(
      await heard(office, until: "box {\"box\":\"\(Self.box)\"}")
        == ["box ", "availability online", "box {\"box\":\"\(Self.box)\"}"]
    )
    await court.end()
  }

  @Test func aCourtWhoseOwnerTheBrokerHasLostIsFree() async throws {
    let broker = try await Broker()
    let owner = Court(broker.settings())
    #expect(await owner.has { $0 == .connected })
    let other = Court(broker.settings(), box: Self.other, timeToReturn: .seconds(2))
    #expect(await other.has { $0 == .taken(by: Self.box) })
    await owner.end()
    await broker.end()
    try await broker.restart()
    #expect(await other.has { $0 == .connected })
    await other.end()
  }

  @Test func anOwnerThatComesBackAfterABrokersRestartKeepsItsCourt() async throws {
    let broker = try await Broker()
    let owner = Court(broker.settings())
    #expect(await owner.has { $0 == .connected })
    let other = Court(broker.settings(), box: Self.other)
    #expect(await other.has { $0 == .taken(by: Self.box) })
    await owner.end()
    await broker.end()
    try await broker.restart()
    #expect(await broker.hasLogged("Received SUBSCRIBE from ballmachine-court-1-e1"))
    let returned = Court(broker.settings())
    #expect(await returned.has { $0 == .connected })
    #expect(await other.has { $0 == .taken(by: Self.box) })
    await returned.end()
    await other.end()
  }

  @Test func ofTwoBoxesThatComeAtOnceOneGivesWay() async throws {
    let broker = try await Broker()
    let courts = [Court(broker.settings()), Court(broker.settings(), box: Self.other)]
    let loser = await withTaskGroup(of: Int?.self) { group in
      for (index, court) in courts.enumerated() {
        group.addTask {
          await court.has { if case .taken = $0 { true } else { false } } ? index : nil
        }
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    #expect(loser != nil)
    for court in courts { await court.end() }
  }

  @Test func onlyNewShortMessagesStop() async throws {
    let broker = try await Broker()
    let office = try await office(broker)
    let stop = CourtTopic.stop.path(of: "court-1")
    func send(_ payload: [UInt8], kept: Bool = false) async {
      _ = await office.connection.publish(MQTTMessage(stop, payload, isRetained: kept))
    }
    await send(Array("stop".utf8), kept: true)
    let court = Court(broker.settings())
    _ = await heard(office, until: "availability online")
    #expect(await court.has { $0 == .ignored("it is of an earlier time (retained)", count: 1) })
    await send([UInt8](repeating: 0x20, count: 257))
    #expect(await court.has { $0 == .ignored("it has 257 bytes", count: 2) })
    for payload in [Array("stop".utf8), [], [UInt8](repeating: 0, count: 256)] {
      await send(payload)
      await court.nextStop()
    }
    await court.end()
  }

  @Test func afterABrokersRestartItHasTheNewestAgain() async throws {
    let broker = try await Broker()
    let court = Court(broker.settings())
    await court.publisher.set(.state, Array("live".utf8))
    #expect(await court.has { $0 == .connected })
    await broker.end()
    #expect(await court.has { if case .failed = $0 { true } else { false } })
    for number in 1...10_000 { await court.publisher.set(.balls, Array("\(number)".utf8)) }
    await court.publisher.set(.outcome, Array("lost".utf8))
    try await broker.restart()
    let office = try await office(broker)
    // The office may come after the question for the owner, and then gets in any order what is kept.
    var all: Set<String> = []
    while all.count < 4, let event = await office.next() {
      if case .message(let message) = event { all.insert(Self.text(message)) }
      all.remove("box ")
    }
    #expect(
      all == [
        "state live", "box {\"box\":\"\(Self.box)\"}", "balls 10000", "availability online",
      ]
    )
    await court.end()
  }

  /// A packet to the fake broker as text, and what it usually answers.
  ///
  /// - Parameter birth: the answer for Home Assistant's topic.
  private static func read(
    _ packet: [UInt8],
    birth: UInt8 = 1
  ) -> (text: String, answer: [UInt8]) {
    switch packet[0] >> 4 {
    case 1: return ("connect", FakeBroker.connected)
    case 3:
      // Behind the topic comes the number, and a byte for properties.
      let end = 4 + Int(packet[3])
      let topic = String(decoding: packet[4..<end], as: UTF8.self)
      let message = MQTTMessage(topic, Array(packet[(end + 3)...]))
      return (text(message), [0x40, 2, packet[end], packet[end + 1]])
    case 8:
      let topics = ["availability": UInt8(1), "box": 1, "stop": 1, "status": birth].filter {
        topic,
        _ in
        String(decoding: packet, as: UTF8.self).contains("/\(topic)")
      }.sorted { $0.key > $1.key }
      let answer = [0x90, 3 + UInt8(topics.count), packet[2], packet[3], 0] + topics.map(\.value)
      return ("subscribe \(topics.map(\.key).joined(separator: " "))", answer)
    case 14: return ("disconnect", [])
    default: return ("", [])
    }
  }

  /// As EMQX and mosquitto's plugin for dynamic security answer, and its acl_file does not.
  @Test func aBrokerThatForbidsHomeAssistantsTopicHasTheCourt() async throws {
    let (received, source) = AsyncStream<String>.makeStream()
    let broker = try FakeBroker { packet in
      let (text, answer) = Self.read(packet, birth: 0x87)
      source.yield(text)
      return .bytes(answer)
    }
    let court = Court(BrokerSettings(host: "127.0.0.1", port: broker.port))
    #expect(await court.has { $0 == .forbidden(topic: "homeassistant/status", "Not authorized") })
    await court.publisher.set(.state, Array("live".utf8))
    var all: [String] = []
    for await text in received {
      all.append(text)
      if text == "state live" { break }
    }
    let connection = all.split(separator: "connect").last ?? []
    #expect(connection.contains("availability online"), "\(all)")
    await court.end()
  }

  @Test func afterAGapThePlayerIsSaidAgain() async throws {
    let (received, source) = AsyncStream<String>.makeStream()
    let broker = try FakeBroker { packet in
      let (text, answer) = Self.read(packet)
      source.yield(text)
      return text == "state cut" ? .last([]) : .bytes(answer)
    }
    let court = Court(BrokerSettings(host: "127.0.0.1", port: broker.port))
    #expect(await court.has { $0 == .connected })
    await court.publisher.set(.player, Array("here".utf8))
    await court.publisher.set(.state, Array("cut".utf8))
    #expect(await court.has { if case .failed = $0 { true } else { false } })
    await court.publisher.set(.player, Array("gone".utf8))
    await court.publisher.set(.state, Array("back".utf8))
    var connection: [String] = []
    for await text in received {
      if text == "connect" { connection = [] }
      connection.append(text)
      if text == "player gone", connection.contains("state back") { break }
    }
    #expect(connection.contains("availability online"))
    await court.end()
  }

  @Test(arguments: [true, false])
  func anEndWhileItComesOnlineLeavesOffline(isAcknowledged: Bool) async throws {
    let received = Locked<[String]>([])
    let held = Locked<[UInt8]>([])
    let broker = try FakeBroker { packet in
      let (text, answer) = Self.read(packet)
      received.withLock { $0.append(text) }
      switch text {
      case "subscribe stop":
        held.withLock { $0 = answer }
        return .bytes([])
      case "availability offline":
        return .bytes(held.withLock(\.self) + (isAcknowledged ? answer : []))
      default: return .bytes(answer)
      }
    }
    let court = Court(BrokerSettings(host: "127.0.0.1", port: broker.port))
    #expect(await court.has { $0 == .connected })
    await court.end()
    let last = received.withLock { $0.split(separator: "connect").last ?? [] }
    #expect(last.contains("availability offline"))
    #expect(!last.contains("availability online"))
    // Without a farewell, the broker publishes the will. That of the connection before may come late.
    if !isAcknowledged { #expect(last.last == "availability offline") }
  }

  /// A broker may send what it keeps before it grants the question. Source: MQTT 5, 3.8.4.
  @Test func theGrantOfAnotherQuestionMakesNoCourtOnline() async throws {
    let (received, source) = AsyncStream<String>.makeStream()
    let topic = CourtTopic.box.path(of: "court-1")
    let length = UInt8(topic.utf8.count)
    let body = [0, length] + Array("\(topic)\0{\"box\":\"\(Self.box)\"}".utf8)
    let broker = try FakeBroker { packet in
      let (text, answer) = Self.read(packet)
      source.yield(text)
      switch text {
      case "subscribe box": return .bytes([0x31, UInt8(body.count)] + body + answer)
      case "subscribe stop": return .bytes([])
      default: return .bytes(answer)
      }
    }
    let court = Court(BrokerSettings(host: "127.0.0.1", port: broker.port))
    #expect(await court.has { $0 == .connected })
    // Sent after the grant of the owner's question has come.
    for number in 1...3 {
      await court.publisher.set(.state, Array("\(number)".utf8))
      for await text in received {
        #expect(text != "availability online")
        if text == "state \(number)" { break }
      }
    }
    await court.end()
  }

  @Test func aBrokerThatStandsStillGetsTheNewestLater() async throws {
    let broker = try await Broker()
    let office = try await office(broker)
    let court = Court(broker.settings())
    _ = await heard(office, until: "availability online")
    broker.freeze()
    await court.publisher.count(balls: 10_000)
    broker.thaw()
    let all = await heard(office, until: "balls 10000")
    #expect(all == ["balls 1", "balls 10000"])
    await court.end()
  }

  @Test func homeAssistantGetsTheCourtAgainWhenItStarts() async throws {
    let broker = try await Broker()
    let assistant = Party("assistant", at: broker.settings())
    try #require(await assistant.isReady("homeassistant/device/#"))
    let court = Court(broker.settings())
    func next() async -> MQTTMessage? {
      while let event = await assistant.next() {
        if case .message(let message) = event { return message }
      }
      return nil
    }
    let device = HomeAssistantDevice(.court1(), version: "1.2.3").payload
    #expect(await next()?.payload == device)
    // One that starts before gets what the broker keeps.
    #expect(await broker.hasLogged("homeassistant/status (QoS"))
    _ = await assistant.connection.publish(
      MQTTMessage("homeassistant/status", Array("offline".utf8))
    )
    _ = await assistant.connection.publish(
      MQTTMessage("homeassistant/status", Array("online".utf8))
    )
    #expect(await next()?.payload == device)
    await court.end()
  }

  @Test func whatTheBrokerForbidsIsSaid() async throws {
    let broker = try await Broker(
      users: ["court-1": "secret"],
      accessList:
        "user court-1\ntopic readwrite ballmachine/court-1/#\ntopic read homeassistant/status\n"
    )
    var settings = broker.settings(user: "court-1", password: "secret")
    // If the broker is slow to answer, the client falls back to 3.1.1, where a refusal is silent.
    settings.version = .v5
    let court = Court(settings)
    let isSaid = await court.has {
      if case .forbidden("homeassistant/device/ballmachine/court-1/config", _) = $0 {
        true
      } else {
        false
      }
    }
    #expect(isSaid)
    await court.end()
  }
}

extension CourtPublisher {
  /// In one visit: each would wait for its turn among the other tests.
  fileprivate func count(balls: Int) {
    for number in 1...balls { set(.balls, Array("\(number)".utf8)) }
  }
}
