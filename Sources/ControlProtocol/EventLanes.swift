import Host

/// Events in order of arrival, in bounded memory. A full kind loses its oldest events, and losses
/// are counted.
package struct EventLanes<Event> {
  private var lanes: [BoundedQueue<(number: Int, event: Event)>]
  private var lastNumber = 0
  /// How many have been lost since ``takeLost()``.
  private(set) var lost = 0

  /// - Parameter room: how many events of a kind may wait.
  package init(room: (EventKind) -> Int = \.room) {
    lanes = EventKind.allCases.map { BoundedQueue(capacity: room($0)) }
  }

  package var count: Int { lanes.reduce(0) { $0 + $1.count } }
  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ event: Event, _ kind: EventKind) {
    lastNumber += 1
    if lanes[kind.rawValue].append((lastNumber, event)) { lost += 1 }
  }

  /// Counts events that were lost before they came here.
  package mutating func miss(_ count: Int) { lost += count }

  package mutating func takeLost() -> Int {
    defer { lost = 0 }
    return lost
  }

  package mutating func popFirst() -> Event? {
    let next = lanes.indices.filter { lanes[$0].count > 0 }
      .min { (lanes[$0].first?.number ?? 0) < (lanes[$1].first?.number ?? 0) }
    return next.flatMap { lanes[$0].popFirst()?.event }
  }
}

extension EventLanes: Sendable where Event: Sendable {}
