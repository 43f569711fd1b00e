package import CourtLogic

/// What happens on a ``PositionFeed``.
package enum PositionEvent: Hashable, Sendable {
  /// A feeder came. Its name is unique among those that are there.
  case opened(connection: String)
  /// Stamped with our clock when it was read.
  case position(PlayerPosition, from: SourceID, at: MonotonicInstant)
  case badLine(BadLine, connection: String)
  case closed(connection: String)
  /// So many feeders were there already that one or more were sent away.
  case clientRefused(limit: Int)
  /// The process stood still for so long: what came meanwhile is of unknown age, and not used.
  case stoodStill(Duration)
  /// The source can give no more: the last event.
  case ended
}

/// What a ``PositionFeed`` has seen so far.
package struct PositionFeedStatistics: Hashable, Sendable {
  package var positions = 0
  package var badLines = 0
  /// Positions and bad lines that were not taken in time.
  package var dropped = 0
  package var refusedClients = 0

  package init() {}
}
