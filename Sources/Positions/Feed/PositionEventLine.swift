import Host

/// Events of many connections in order of arrival, in bounded memory. The cost of an event does not
/// depend on the number of connections.
///
/// Each connection has a share of the line. If events are not taken, it loses its own oldest
/// positions and bad lines. Openings and closings are never lost; a connection counts until its
/// closing is taken.
struct PositionEventLine: Sendable {
  /// How many positions and bad lines of a connection may wait: over 15 s of a camera's.
  static let capacity = 512

  /// Identifies a connection; never used again.
  struct ConnectionID: Hashable, Sendable {
    /// The later connection has the greater one.
    let number: Int
  }

  private struct Connection: Sendable {
    let name: String
    /// How many of its positions and bad lines wait, without lost ones.
    var waiting = 0
    /// How many of its positions and bad lines were lost before the waiting ones.
    var lost = 0
  }

  private struct Entry: Sendable {
    let connection: ConnectionID
    let event: PositionEvent

    var canBeLost: Bool {
      switch event {
      case .position, .badLine: true
      case .hint, .opened, .closed, .clientRefused, .stoodStill, .ended: false
      }
    }
  }

  private var connections: [ConnectionID: Connection] = [:]
  private var entries: [Entry] = []
  /// How many entries at the beginning have been taken.
  private var taken = 0
  /// How many of the other entries are lost.
  private var lost = 0
  private var lastNumber = 0

  /// How many connections are open or have waiting events.
  var connectionCount: Int { connections.count }

  mutating func open(_ name: String) -> ConnectionID {
    lastNumber += 1
    let id = ConnectionID(number: lastNumber)
    connections[id] = Connection(name: name)
    entries.append(Entry(connection: id, event: .opened(connection: name)))
    return id
  }

  mutating func close(_ id: ConnectionID) {
    guard let name = name(of: id) else { return }
    entries.append(Entry(connection: id, event: .closed(connection: name)))
  }

  /// Nil once its closing has been taken.
  func name(of id: ConnectionID) -> String? { connections[id]?.name }

  /// Adds a position or a bad line; the connection's oldest ones make room. Hints are few, and none is lost.
  ///
  /// - Returns: how many are lost.
  mutating func append(_ event: PositionEvent, to id: ConnectionID) -> Int {
    guard var connection = connections[id] else { return 0 }
    let entry = Entry(connection: id, event: event)
    entries.append(entry)
    guard entry.canBeLost else { return 0 }
    connection.waiting += 1
    let surplus = max(connection.waiting - Self.capacity, 0)
    connection.waiting -= surplus
    connection.lost += surplus
    connections[id] = connection
    lost += surplus
    tidy()
    return surplus
  }

  mutating func popFirst() -> PositionEvent? {
    while taken < entries.count {
      let entry = entries[taken]
      taken += 1
      if drops(entry) { continue }
      if entry.canBeLost { connections[entry.connection]?.waiting -= 1 }
      if case .closed = entry.event { connections[entry.connection] = nil }
      tidy()
      return entry.event
    }
    return nil
  }

  /// Whether the entry is lost. A connection's first entries are lost, so call this in the line's
  /// order.
  private mutating func drops(_ entry: Entry) -> Bool {
    guard entry.canBeLost, let connection = connections[entry.connection], connection.lost > 0
    else { return false }
    connections[entry.connection]?.lost -= 1
    lost -= 1
    return true
  }

  /// Makes the line shorter once most of it is taken or lost.
  private mutating func tidy() {
    guard taken + lost > max(entries.count / 2, 64) else { return }
    let rest = entries[taken...]
    entries = []
    taken = 0
    entries = rest.filter { !drops($0) }
  }
}
