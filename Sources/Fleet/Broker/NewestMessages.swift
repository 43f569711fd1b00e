/// The newest message of each topic, and which of them the broker doesn't have yet.
///
/// One message of a topic is on its way at a time; what comes meanwhile replaces what waits. So a slow
/// broker costs no more memory than a fast one. What matters most is sent first.
///
/// The first one of a topic on a connection goes at least once, whatever its quality: a broker that
/// forbids the topic says so for such a message alone.
struct NewestMessages: Sendable {
  private var newest: [String: MQTTMessage] = [:]
  /// Topics whose newest message is not on its way, in order.
  private var waiting: [String] = []
  /// The topics on their way, by the publication's number.
  private var underWay: [Int: String] = [:]
  /// The topics of which the broker has acknowledged a message on this connection.
  private var said: Set<String> = []

  var isDone: Bool { waiting.isEmpty && underWay.isEmpty }

  /// - Parameter isNew: nil: if it differs from the newest one.
  mutating func set(_ message: MQTTMessage, isNew: Bool? = nil) {
    guard isNew ?? (newest[message.topic] != message) else { return }
    newest[message.topic] = message
    wait(message.topic)
  }

  /// The broker is to get it once more.
  mutating func repeatMessage(of topic: String) {
    if let message = newest[topic] { set(message, isNew: true) }
  }

  mutating func repeatAll() {
    for topic in newest.keys.sorted() { repeatMessage(of: topic) }
  }

  /// The next one to be sent.
  var next: MQTTMessage? {
    let busy = Set(underWay.values)
    guard let topic = waiting.first(where: { !busy.contains($0) }), var message = newest[topic]
    else { return nil }
    if !said.contains(topic) { message.quality = .atLeastOnce }
    return message
  }

  mutating func sent(_ topic: String, as number: Int) {
    skip(topic)
    underWay[number] = topic
  }

  /// This connection's broker does not get it.
  mutating func skip(_ topic: String) { waiting.removeAll { $0 == topic } }

  /// - Returns: the topic; nil: no such message is on its way.
  @discardableResult
  mutating func arrived(_ number: Int) -> String? {
    guard let topic = underWay.removeValue(forKey: number) else { return nil }
    said.insert(topic)
    if newest[topic]?.isRetained == false, !waiting.contains(topic) { newest[topic] = nil }
    return topic
  }

  /// Prepares for the next connection: of what is known, only the retained messages wait to be
  /// sent.
  mutating func restart(without left: String) {
    newest = newest.filter { $0.value.isRetained && $0.key != left }
    underWay = [:]
    said = []
    waiting = []
    for topic in newest.keys.sorted() { wait(topic) }
  }

  private mutating func wait(_ topic: String) {
    guard !waiting.contains(topic) else { return }
    let rank = CourtTopic.rank(topic)
    waiting.insert(topic, at: waiting.firstIndex { CourtTopic.rank($0) > rank } ?? waiting.endIndex)
  }
}
