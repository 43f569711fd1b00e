/// A position feed that came, went, or sent something that can't be used.
package struct FeedRecord: Codable, Hashable, Sendable {
  /// `opened`, `closed`, `badLine`, `refused`, `stoodStill`, `behindBaseline`, `repeats` or `ended`.
  package var state: String
  /// The feeder's name.
  package var connection: String?
  /// The number of a line that can't be used, from 1.
  package var line: Int?
  /// The beginning of that line.
  package var text: String?
  /// How many lines can't be used, if they are several: the others came before that one.
  package var count: Int?
  /// Why it can't be used.
  package var reason: String?
  /// How many feeders may be connected.
  package var limit: Int?
  /// How long the process stood still, in seconds.
  package var seconds: Double?

  package init(state: String, connection: String? = nil) {
    self.state = state
    self.connection = connection
  }
}

/// A position of the player, or of another source.
package struct PositionRecord: Codable, Hashable, Sendable {
  /// The place in metres: ``x`` from the left sideline, ``y`` from the net.
  package var x: Double
  package var y: Double
  /// From 0 to 1.
  package var confidence: Double?
  /// The feeder's name.
  package var connection: String
  /// What the feeder calls it.
  package var id: String?

  package init(x: Double, y: Double, connection: String, id: String?) {
    self.x = x
    self.y = y
    self.connection = connection
    self.id = id
  }
}
