import Testing

@testable import Fleet

@Suite struct NewestMessagesTests {
  private var messages = NewestMessages()

  private func message(_ topic: String, _ text: String, kept: Bool = true) -> MQTTMessage {
    MQTTMessage(topic, Array(text.utf8), isRetained: kept)
  }

  /// Takes all that may be sent now.
  private mutating func sent(from first: Int = 1) -> [String] {
    var texts: [String] = []
    while let message = messages.next {
      messages.sent(message.topic, as: first + texts.count)
      texts.append("\(message.topic) \(String(decoding: message.payload, as: UTF8.self))")
    }
    return texts
  }

  @Test mutating func oneOfATopicIsOnItsWayAndTheNewestComesNext() {
    messages.set(message("state", "1"))
    messages.set(message("link", "1"))
    #expect(sent() == ["state 1", "link 1"])
    for number in 2...1000 { messages.set(message("state", "\(number)")) }
    #expect(messages.next == nil)
    messages.arrived(1)
    #expect(sent(from: 3) == ["state 1000"])
    #expect(!messages.isDone)
    messages.arrived(2)
    messages.arrived(3)
    #expect(messages.isDone)
  }

  @Test mutating func whatTheBrokerHasIsNotSentAgain() {
    messages.set(message("state", "1"))
    #expect(sent() == ["state 1"])
    messages.arrived(1)
    messages.set(message("state", "1"))
    #expect(sent() == [])
    messages.repeatMessage(of: "state")
    messages.repeatMessage(of: "unknown")
    #expect(sent() == ["state 1"])
  }

  @Test mutating func aNewBrokerGetsAllThatItKeepsAndNothingElse() {
    messages.set(message("state", "1"))
    messages.set(message("availability", "online"))
    messages.set(message("outcome", "confirmed", kept: false))
    #expect(sent() == ["state 1", "availability online", "outcome confirmed"])
    messages.set(message("state", "2"))
    messages.restart(without: "availability")
    #expect(sent() == ["state 2"])
    // An acknowledgement of the connection before.
    messages.arrived(7)
    messages.arrived(1)
    #expect(messages.isDone)
  }

  /// A broker doesn't say that it drops one that goes at most once.
  @Test mutating func theFirstOfATopicOnAConnectionIsAcknowledged() {
    func quality(_ number: Int, of topic: String = "balls") -> MQTTMessage.Quality? {
      var message = message(topic, "\(number)")
      if topic == "balls" { message.quality = .atMostOnce }
      messages.set(message)
      defer {
        messages.sent(topic, as: number)
        messages.arrived(number)
      }
      return messages.next?.quality
    }
    #expect(quality(1) == .atLeastOnce)
    #expect(quality(2) == .atMostOnce)
    #expect(quality(3, of: "state") == .atLeastOnce)
    #expect(quality(4, of: "state") == .atLeastOnce)
    #expect(quality(5) == .atMostOnce)
    messages.restart(without: "state")
    #expect(quality(6) == .atLeastOnce)
    #expect(quality(7) == .atMostOnce)
  }

  @Test mutating func whatIsNotKeptIsSentOnceEach() {
    messages.set(message("outcome", "confirmed", kept: false), isNew: true)
    #expect(sent() == ["outcome confirmed"])
    messages.set(message("outcome", "confirmed", kept: false), isNew: true)
    messages.arrived(1)
    #expect(sent(from: 2) == ["outcome confirmed"])
    messages.arrived(2)
    #expect(messages.isDone)
  }

  @Test mutating func whatAStopAndAReaderNeedIsSentFirst() {
    let device = "homeassistant/device/ballmachine/court-1/config"
    let topics: [CourtTopic] = [.version, .link, .box, .state, .availability]
    let paths = [device] + topics.map { $0.path(of: "court-1") }
    for path in paths { messages.set(message(path, "1")) }
    #expect(sent() == paths.reversed().map { "\($0) 1" })
    messages.restart(without: "none")
    #expect(sent(from: 10) == paths.reversed().map { "\($0) 1" })
  }

  @Test mutating func whatThisBrokerDoesNotTakeIsForTheNext() {
    messages.set(message("state", "1"))
    messages.set(message("link", "1"))
    messages.skip("state")
    #expect(sent() == ["link 1"])
    messages.restart(without: "none")
    #expect(sent(from: 10) == ["link 1", "state 1"])
  }
}
