/// A position feed that came, went, or sent something that can't be used.
package struct FeedRecord: Codable, Hashable, Sendable {
  /// One of `opened`, `closed`, `badLine` (it sent a line that can't be used), `refused` (too many are
  /// connected), `stoodStill` (the service was stopped or frozen: positions that came meanwhile are not
  /// used), `behindBaseline` (once, when the apron is 0 and a position behind the baseline comes: it is out
  /// of court), `repeats` (the player's position has been the same for a minute: the detector may hang), `hint` (it may
  /// not mean what it says: the reason says more) and `ended`.
  package var state: String
  /// The feeder's name.
  package var connection: String?
  /// The number of a line that can't be used, from 1.
  package var line: Int?
  /// The beginning of that line.
  package var text: String?
  /// How many lines can't be used, if they are several: the others came before that one.
  package var count: Count?
  /// Why it can't be used, or what a hint says.
  package var reason: String?
  /// How many feeders may be connected.
  package var limit: Count?
  /// How long the service stood still, in seconds.
  package var seconds: Seconds?

  package init(state: String, connection: String? = nil) {
    self.state = state
    self.connection = connection
  }
}

/// A position of the player, or of another source.
package struct PositionRecord: Codable, Hashable, Sendable {
  /// The place, in metres from the left sideline.
  package var x: Double
  /// The place, in metres from the net.
  package var y: Double
  /// The detector's confidence, from 0 to 1.
  package var confidence: Double?
  /// The feeder's name.
  package var connection: String
  /// What the feeder calls the source of the position.
  package var id: String?

  package init(x: Double, y: Double, connection: String, id: String?) {
    self.x = x
    self.y = y
    self.connection = connection
    self.id = id
  }
}
