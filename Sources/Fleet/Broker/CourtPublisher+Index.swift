/// Brokers that give subscribers with wildcards nothing that they keep: there the courts keep an index.
extension CourtPublisher {
  /// Whether this connection's broker gives subscribers with wildcards what it keeps.
  enum Wildcards: Hashable {
    case unknown, asked, work, fail
  }

  /// How long a broker may take to send what it keeps.
  private static let timeOfWildcard = Duration.seconds(1)
  /// After how many seconds a court adds itself to the index, so that a hundred don't write at once.
  private static let delays = 0.2...2.0

  var wildcard: String { CourtTopic.box.wildcard(of: court) }

  /// Asks once a connection, when the broker has this court's `box`.
  func testWildcards() {
    guard wildcards == .unknown, grants.keepsMessages, !isLeaving else { return }
    wildcards = .asked
    request(.wildcard)
  }

  func awaitWildcards() {
    after(Self.timeOfWildcard) { publisher in
      guard !publisher.isLeaving else { return }
      publisher.connection?.assumeIsolated { [topic = publisher.wildcard] in $0.unsubscribe(topic) }
      guard publisher.wildcards == .asked else { return }
      publisher.wildcards = .fail
      publisher.report(.lacking(.keepsNothingForWildcards))
      publisher.request(.index)
    }
  }

  /// The broker has granted the index. If it keeps one, that comes at once.
  func awaitIndex() {
    after(Self.patience) { if $0.index.isMissing() { $0.writeIndex() } }
  }

  func receiveIndex(_ payload: [UInt8]) {
    if index.receive(CourtIndex(payload: payload)) { writeIndex() }
  }

  private func writeIndex() {
    after(.seconds(Double.random(in: Self.delays))) { publisher in
      guard !publisher.isLeaving, let index = publisher.index.write() else { return }
      publisher.notify(.index, MQTTMessage(CourtIndex.topic, index.payload, isRetained: true))
    }
  }
}
