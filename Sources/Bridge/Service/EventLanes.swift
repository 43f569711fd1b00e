/// What an event is about. Each kind has room of its own wherever events wait, so that none pushes
/// out another.
package enum EventKind: Int, Hashable, Sendable, CaseIterable {
  case safety
  /// Balls, decisions that were held, commands by hand, stops.
  case balls
  case link
  /// Feeders that come and go, lines that can't be read: strangers decide how many there are.
  case feed

  /// How many may wait for a task of this process.
  package var room: Int { self == .balls ? 1024 : 256 }
}

/// Events in the order in which they came, in bounded memory. Each kind loses its own oldest, and
/// what is lost is counted.
struct EventLanes<Event> {
  private var lanes: [BoundedQueue<(number: Int, event: Event)>]
  private var lastNumber = 0
  /// How many have been lost since ``takeLost()``.
  private(set) var lost = 0

  /// - Parameter room: how many of a kind may wait.
  init(room: (EventKind) -> Int = \.room) {
    lanes = EventKind.allCases.map { BoundedQueue(capacity: room($0)) }
  }

  var count: Int { lanes.reduce(0) { $0 + $1.count } }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ event: Event, _ kind: EventKind) {
    lastNumber += 1
    if lanes[kind.rawValue].append((lastNumber, event)) { lost += 1 }
  }

  /// Counts events that were lost before they came here.
  mutating func miss(_ count: Int) { lost += count }

  mutating func takeLost() -> Int {
    defer { lost = 0 }
    return lost
  }

  mutating func popFirst() -> Event? {
    let next = lanes.indices.filter { lanes[$0].count > 0 }
      .min { (lanes[$0].first?.number ?? 0) < (lanes[$1].first?.number ?? 0) }
    return next.flatMap { lanes[$0].popFirst()?.event }
  }
}

extension EventLanes: Sendable where Event: Sendable {}

extension BridgeEvent {
  package var kind: EventKind {
    switch self {
    case .safety: .safety
    case .dispatched, .held, .manual, .stopped: .balls
    case .link: .link
    case .positions, .dropped: .feed
    }
  }

  /// How many events it stands for.
  package var count: Int { if case .dropped(let count) = self { count } else { 1 } }
}
