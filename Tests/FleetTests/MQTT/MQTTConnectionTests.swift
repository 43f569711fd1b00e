import Brokers
import Fleet
import TestSupport
import Testing

/// With Debian's broker.
@Suite(.mustEnd) struct MQTTConnectionTests {
  private let will = MQTTMessage("court/availability", Array("offline".utf8), isRetained: true)

  @Test func aMessageReachesASubscriber() async throws {
    let broker = try await Broker()
    let office = Party("office", at: broker.settings())
    #expect(await office.isReady("court/+"))
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady())
    let message = MQTTMessage("court/state", Array("{}".utf8))
    let number = try #require(await court.connection.publish(message))
    #expect(await court.next() == .published(number))
    #expect(await office.next() == .message(message))
    #expect(await broker.hasLogged("as court (p5"))
  }

  @Test func whatGoesAtMostOnceIsNotAcknowledged() async throws {
    let broker = try await Broker()
    let office = Party("office", at: broker.settings())
    #expect(await office.isReady("court/+"))
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady())
    for quality in [MQTTMessage.Quality.atMostOnce, .atLeastOnce] {
      let message = MQTTMessage("court/balls", Array("{}".utf8), quality: quality)
      let number = try #require(await court.connection.publish(message))
      #expect(await court.next() == .published(number))
      #expect(await office.next() == .message(message))
    }
    #expect(await broker.hasLogged("Received PUBACK from office"))
    #expect(broker.log.split(separator: "\n").count { $0.contains("Sending PUBACK to court") } == 1)
  }

  @Test func theBrokerKeepsWhatIsRetained() async throws {
    let broker = try await Broker()
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady())
    let kept = MQTTMessage("court/state", Array("{}".utf8), isRetained: true)
    let number = try #require(await court.connection.publish(kept))
    #expect(await court.next() == .published(number, hasSubscribers: false))
    let office = Party("office", at: broker.settings())
    #expect(await office.isReady("court/state", "court/link"))
    #expect(await office.next() == .message(kept))
    // For those who listen already, it is new.
    #expect(await court.connection.publish(kept) != nil)
    #expect(await office.next() == .message(MQTTMessage(kept.topic, kept.payload)))
    // Forgotten without a payload.
    let nothing = MQTTMessage(kept.topic, [], isRetained: true)
    #expect(await court.connection.publish(nothing) != nil)
    #expect(await office.next() == .message(MQTTMessage(kept.topic, [])))
  }

  @Test func theWillIsPublishedForALostClient() async throws {
    let broker = try await Broker()
    let office = Party("office", at: broker.settings())
    #expect(await office.isReady(will.topic))
    let court = Party("court", at: broker.settings(), will: will)
    #expect(await court.isReady())
    await court.connection.cut("the box is gone")
    #expect(await court.end()?.code == .lost)
    #expect(await office.next() == .message(MQTTMessage(will.topic, will.payload)))
    let late = Party("late", at: broker.settings())
    #expect(await late.isReady(will.topic))
    #expect(await late.next() == .message(will))
  }

  @Test func aNewerClientOfTheSameNameTakesOver() async throws {
    let broker = try await Broker()
    let office = Party("office", at: broker.settings())
    #expect(await office.isReady(will.topic))
    let court = Party("court", at: broker.settings(), will: will)
    #expect(await court.isReady())
    let other = Party("court", at: broker.settings())
    // Debian 12's mosquitto does not say why.
    #expect(await court.end()?.code == (broker.version == "2.0.11" ? .lost : .takenOver))
    #expect(await office.next() == .message(MQTTMessage(will.topic, will.payload)))
    #expect(await other.isReady())
  }

  @Test func aCancellationSaysFarewell() async throws {
    let broker = try await Broker()
    let office = Party("office", at: broker.settings())
    #expect(await office.isReady("court/+"))
    let court = Party("court", at: broker.settings(), will: will)
    #expect(await court.isReady())
    let last = MQTTMessage("court/state", Array("last".utf8))
    #expect(await court.connection.publish(last) != nil)
    court.cancel()
    #expect(await court.end() == nil)
    #expect(await broker.hasSeenFarewell("court"))
    #expect(await office.next() == .message(last))
    let mark = MQTTMessage("court/mark", [1])
    let number = try #require(await office.connection.publish(mark))
    // No will before it.
    #expect(await Set([office.next(), office.next()]) == [.published(number), .message(mark)])
    #expect(await court.connection.publish(last) == nil)
  }

  @Test func aWrongPasswordIsRefused() async throws {
    let broker = try await Broker(users: ["court": "secret"])
    let right = Party("right", at: broker.settings(user: "court", password: "secret"))
    #expect(await right.isReady())
    for settings in [
      broker.settings(user: "court", password: "other"), broker.settings(user: "other"),
      broker.settings(),
    ] {
      let failure = await Party("wrong", at: settings).end()
      #expect(failure?.code == .refused)
      #expect(failure?.description.contains("see its user and password") == true)
    }
  }

  @Test func aPasswordsFileIsReadAgain() async throws {
    let broker = try await Broker(users: ["court": "secret"])
    var settings = broker.settings(user: "court")
    settings.passwordFile = try broker.secret("password", "other\n")
    #expect(await Party("court", at: settings).end()?.code == .refused)
    _ = try broker.secret("password", "secret\n")
    #expect(await Party("court", at: settings).isReady())
    for (path, text) in [("/no/password", "No such file"), ("/dev/null", "regular file")] {
      settings.passwordFile = path
      let failure = await Party("court", at: settings).end()
      #expect(failure?.code == .system)
      let said = failure?.description ?? ""
      #expect([path, text, "chmod 600"].allSatisfy(said.contains), "\(said)")
    }
  }

  /// A name whose first address is out.
  @Test func aDeadAddressIsPassedOver() async throws {
    let broker = try await Broker()
    var settings = broker.settings()
    settings.host = "broker.example"
    let dead = try Blackhole("127.0.0.2", port: broker.port)
    let chooser = AddressChooser { _ in ["127.0.0.2", "127.0.0.1"] }
    let court = Party("court", at: settings, chooser: chooser)
    #expect(await court.isReady())
    let none = AddressChooser(within: .milliseconds(100)) { _ in ["127.0.0.2", "127.0.0.3"] }
    let failure = await Party("court", at: settings, chooser: none).end()
    #expect(failure?.code == .unreachable)
    #expect(failure?.description.contains("no answer from 127.0.0.2 in") == true)
    withExtendedLifetime(dead) {}
  }

  @Test func aForbiddenTopicIsRefused() async throws {
    let broker = try await Broker(
      users: ["court": "secret"],
      accessList: "user court\ntopic court/#"
    )
    let court = Party("court", at: broker.settings(user: "court", password: "secret"))
    #expect(await court.isReady())
    let number = try #require(await court.connection.publish(MQTTMessage("other/state", [])))
    #expect(await court.next() == .refused(number, "Not authorized"))
    let own = try #require(await court.connection.publish(MQTTMessage("court/state", [])))
    #expect(await court.next() == .published(own, hasSubscribers: false))
  }

  @Test func afterARestartThereIsANewConnection() async throws {
    let broker = try await Broker()
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady())
    await broker.end()
    #expect(await court.end()?.code == .lost)
    let gone = await Party("court", at: broker.settings()).end()
    #expect(gone?.code == .unreachable)
    // libmosquitto 2.1 loses the system's reason.
    let reasons = ["Connection refused", "nothing answers there"]
    let said = try #require(gone?.description)
    #expect(reasons.contains { said.hasSuffix(": \($0)") }, "\(said)")
    try await broker.restart()
    #expect(await Party("court", at: broker.settings()).isReady())
  }

  @Test func whatAFrozenBrokerDoesNotAcknowledgeHasABound() async throws {
    let broker = try await Broker()
    // Busy tests may take longer than a usual one.
    let court = Party("court", at: broker.settings(), keepalive: 3_600)
    #expect(await court.isReady())
    broker.freeze()
    var accepted = 0
    while await court.connection.publish(MQTTMessage("court/state", [])) != nil { accepted += 1 }
    #expect(accepted == 64)
  }

  @Test func aFrozenBrokerIsNoticed() async throws {
    let broker = try await Broker()
    let court = Party("court", at: broker.settings(), keepalive: 5)
    #expect(await court.isReady())
    broker.freeze()
    let new = Party("new", at: broker.settings(), timeToAnswer: .milliseconds(200))
    #expect(await new.end()?.code == .silent)
    #expect(await court.end()?.code == .silent)
  }

  @Test func aFrozenBrokerHoldsUpNoEnd() async throws {
    let broker = try await Broker()
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady())
    let waiting = Party("waiting", at: broker.settings())
    broker.freeze()
    court.cancel()
    waiting.cancel()
    #expect(await court.end() == nil)
    #expect(await waiting.end() == nil)
  }

  @Test func aNameThatLeadsNowhereIsSaid() async throws {
    let failure = await Party("court", at: BrokerSettings(host: "no..host", port: 1883)).end()
    #expect(failure?.code == .unknownHost)
    #expect(failure?.description.hasPrefix("can't look up no..host") == true)
  }

  @Test func aFloodIsTakenInOrder() async throws {
    let broker = try await Broker(settings: ["max_queued_messages 0"])
    let office = Party("office", at: broker.settings())
    #expect(await office.isReady("court/state"))
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady())
    for number in 0..<2_000 {
      let message = MQTTMessage("court/state", Array("\(number)".utf8))
      while await court.connection.publish(message) == nil { _ = await court.next() }
    }
    for number in 0..<2_000 {
      let message = MQTTMessage("court/state", Array("\(number)".utf8))
      guard await office.next() == .message(message) else {
        Issue.record("message \(number) is missing")
        return
      }
    }
  }

  @Test func whatIsTooLongStaysWithTheBroker() async throws {
    let broker = try await Broker()
    let office = Party("office", at: broker.settings())
    #expect(await office.isReady("court/+"))
    let court = Party("court", at: broker.settings())
    #expect(await court.isReady())
    let long = MQTTMessage("court/state", Array(repeating: 0, count: 70_000))
    let short = MQTTMessage("court/state", Array(repeating: 0, count: 60_000))
    #expect(await court.connection.publish(long) != nil)
    #expect(await court.connection.publish(short) != nil)
    #expect(await office.next() == .message(short))
  }
}
