package import Clocks
package import CourtLogic

/// What happens on a ``PositionFeed``.
package enum PositionEvent: Hashable, Sendable {
  /// A feeder came. Its name is unique among the present feeders.
  case opened(connection: String)
  /// Stamped with our clock when it was read.
  case position(PlayerPosition, from: SourceID, at: MonotonicInstant, SourceJudgement = .sound)
  case badLine(BadLine, connection: String)
  case hint(FeedHint, connection: String)
  case closed(connection: String)
  /// One or more feeders were refused, because `limit` feeders were connected.
  case clientRefused(limit: Int)
  /// The process stood still for this long: data from that time is of unknown age, and not used.
  case stoodStill(Duration)
  /// The last event: the source has ended.
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
