/// What an event is about. Each kind has its own room in every queue, so that no kind displaces
/// another.
package enum EventKind: Int, Hashable, Sendable, CaseIterable {
  case safety
  /// The drill and its progress.
  case training
  /// Balls, decisions that were held, commands by hand, stops.
  case balls
  case link
  /// Feeders that come and go, lines that can't be read: other programs decide their number.
  case feed

  /// How many events may wait for a task of this process.
  package var room: Int { self == .balls ? 1024 : 256 }
}

extension EventKind {
  /// - Parameter name: of an ``EventRecord``.
  init(event name: String?) {
    switch name {
    case "safety": self = .safety
    case "training": self = .training
    case "link": self = .link
    case "feed", "position", "dropped": self = .feed
    default: self = .balls
    }
  }
}
