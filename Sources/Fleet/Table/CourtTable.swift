package import Host

/// All courts of a broker, as their retained messages have them. Pure.
///
/// A connection begins with what the broker has kept. What was known before stays until then, marked
/// as old; what the broker no longer has goes.
package struct CourtTable: Hashable, Sendable {
  package enum Broker: Hashable, Sendable {
    case connecting
    /// What the broker has kept is coming in.
    case filling
    case complete
    case away(MQTTFailure, since: WallTime)
  }

  /// Any client of the broker can invent topics: no more than this is kept.
  package static let mostCourts = CourtIndex.mostCourts
  package private(set) var broker = Broker.connecting
  /// The courts in the order in which people count: court-2 before court-10.
  package private(set) var rows: [CourtRow] = []
  /// Whether there are more courts than it keeps.
  package private(set) var isFull = false
  /// Whether the broker keeps what a court has said.
  package private(set) var keepsMessages = true

  package init() {}

  /// What to subscribe to: no person's place, no summary, no command.
  package static let topics = topics(of: "+")

  package static func topics(of court: String) -> [String] {
    [CourtTopic.availability, .state, .link, .balls, .drill, .problem, .version].map {
      $0.path(of: court)
    }
  }

  /// Those of the index of which the broker has said nothing on this connection.
  package func missing(of index: CourtIndex) -> [String] {
    let known = Set(rows.lazy.filter { !$0.isOld }.map(\.court))
    return index.courts.filter { !known.contains($0) }
  }

  /// Whether there is no connection to the broker, so that all of it is of the past.
  package var isAway: Bool { if case .away = broker { true } else { false } }

  /// Whether a court's row is of a connection that is over.
  package func isOld(_ row: CourtRow) -> Bool { isAway || row.isOld }

  package mutating func connected(keepsMessages: Bool = true) {
    broker = .filling
    self.keepsMessages = keepsMessages
    isFull = false
    for index in rows.indices { rows[index].isOld = true }
  }

  /// All that the broker has kept has come in.
  package mutating func filled() {
    broker = .complete
    rows.removeAll(where: \.isOld)
  }

  package mutating func lost(_ failure: MQTTFailure, at time: WallTime) {
    if case .away(_, let since) = broker {
      broker = .away(failure, since: since)
    } else {
      broker = .away(failure, since: time)
    }
  }

  package mutating func receive(_ message: MQTTMessage, at time: WallTime) {
    guard let (court, topic) = CourtTopic.parse(message.topic), topic.isRetained,
      FleetSettings.isCourt(court)
    else { return }
    let order = CourtRow.order(of: court)
    let index = rows.partitioningIndex { $0.order >= order }
    let isKnown = rows.indices.contains(index) && rows[index].court == court
    if topic == .availability, message.payload.isEmpty {
      // The court is taken off the broker.
      if isKnown { rows.remove(at: index) }
      return
    }
    if !isKnown {
      guard !message.payload.isEmpty else { return }
      guard rows.count < Self.mostCourts else {
        isFull = true
        return
      }
      rows.insert(CourtRow(court: court), at: index)
    } else if rows[index].isOld {
      rows[index] = CourtRow(court: court)
    }
    rows[index].receive(topic, message, at: time)
  }
}

extension Array {
  /// The first index whose element fulfils `isBehind`, which all behind it do too.
  fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
