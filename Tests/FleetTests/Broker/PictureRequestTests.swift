import Brokers
import Fleet
import Host
import TestSupport
import Testing

/// Requests for a picture at the real broker.
@Suite(.mustEnd) struct PictureRequestTests {
  /// A court's requests, which come in the order of the office's messages.
  private func requests(
    picture: Bool,
    _ messages: [MQTTMessage],
    afterwards later: [MQTTMessage] = []
  ) async throws -> [CourtPublisher.Request] {
    let broker = try await Broker()
    let office = Party("office", at: broker.settings())
    let online = CourtTopic.availability.path(of: "court-1")
    try #require(await office.isReady(online))
    for message in messages { await office.say(message) }
    let (requests, source) = AsyncStream<CourtPublisher.Request>.makeStream()
    let publisher = CourtPublisher(
      .court1 { $0.picture = picture },
      box: String(repeating: "0f", count: 16),
      version: "1.2.3",
      on: broker.settings(),
      executor: LoopExecutor(),
      report: { _ in }
    )
    let running = Task { await publisher.run { source.yield($0) } }
    defer { running.cancel() }
    while let event = await office.next() {
      guard case .message(let message) = event else { continue }
      if message.payload == Array("online".utf8) { break }
    }
    // The broker takes it after the court's own request for this topic.
    if picture { #expect(await broker.hasLogged("court-1/picture/get (QoS")) }
    let end = MQTTMessage(CourtTopic.stop.path(of: "court-1"), Array("end".utf8))
    for message in later + [end] { await office.say(message) }
    var all: [CourtPublisher.Request] = []
    for await request in requests {
      if request == .stop(Array("end".utf8)) { break }
      all.append(request)
    }
    return all
  }

  private static let topic = CourtTopic.pictureRequest.path(of: "court-1")
  private static let request = MQTTMessage(topic, Array("get".utf8))

  @Test func whatTheMessageSaysDoesNotMatter() async throws {
    let empty = MQTTMessage(Self.topic, [])
    let requests = try await requests(picture: true, [], afterwards: [Self.request, empty])
    #expect(requests == [.picture, .picture])
  }

  @Test func oneOfAnEarlierTimeIsIgnored() async throws {
    let kept = MQTTMessage(Self.topic, Array("get".utf8), isRetained: true)
    #expect(try await requests(picture: true, [kept]) == [])
  }

  @Test func withoutLeaveNoneIsTaken() async throws {
    #expect(try await requests(picture: false, [], afterwards: [Self.request]) == [])
  }
}
