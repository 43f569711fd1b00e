/// What the connected feeders send, and what the service makes of it, at one moment.
package struct FeedersRecord: Codable, Hashable, Sendable {
  /// A feeder that is connected.
  package struct Feeder: Codable, Hashable, Sendable {
    /// The feeder's name.
    package var connection: String
    /// The sources of its positions, the oldest first; of more than 16 those that have sent last.
    package var sources: [Source]
    /// Lines that could not be used.
    package var badLines: Total
    /// The last of these; nil when there is none.
    package var lastBadLine: StatusRecord.BadLine?
    /// Positions and lines that the service did not take in time, or that came while it stood still.
    package var droppedPositions: Total

    package init(
      connection: String,
      sources: [Source],
      badLines: Int,
      lastBadLine: StatusRecord.BadLine? = nil,
      droppedPositions: Int
    ) {
      self.connection = connection
      self.sources = sources
      self.badLines = badLines
      self.lastBadLine = lastBadLine
      self.droppedPositions = droppedPositions
    }
  }

  /// All that a feeder has sent with the same `id`, or without one.
  package struct Source: Codable, Hashable, Sendable {
    /// What the feeder calls it; nil where it gives no name.
    package var id: String?
    /// Whether its positions are the player's.
    package var followed = false
    /// The last position, in metres from the left sideline.
    package var x: Double
    /// The last position, in metres from the net.
    package var y: Double
    /// Row and column, such as `1-1`; nil out of court.
    @OrNull package var zone: String?
    /// How long ago that came, in seconds.
    package var age: Seconds
    /// How many positions have come.
    package var positions: Total
    /// How many come a second, over the last 2 to 4; nil in the first second.
    package var perSecond: Double?
    /// What the `t` of its last line is: one of `wallClock` (seconds since 1970, within an hour of the
    /// service's time, or a date with its zone), `other` (of another clock, so that the delay is not known)
    /// and `none` (the line has no `t`).
    package var stamp: String
    /// From the last line's `t` to its arrival, in seconds, below 0 where the feeder's clock is ahead; nil
    /// where it is not known.
    package var delay: Double?
    /// The greatest delay of the last 2 to 4 seconds; nil where it is not known.
    package var greatestDelay: Double?

    package init(x: Double, y: Double, zone: String?, age: Double, positions: Int, stamp: String) {
      self.x = x
      self.y = y
      self.zone = zone
      self.age = age
      self.positions = positions
      self.stamp = stamp
    }
  }

  /// The present time, in seconds on the service's clock: the times of other records compare with
  /// it.
  package var t: Double
  /// `SIM` for a mock machine, `REAL` for one that throws balls; nil while the service doesn't know.
  @OrNull package var mode: String?
  /// Whether balls may fly, and what holds them back.
  package var safety: SafetyRecord
  /// Those that are connected, in the order in which they have come.
  package var feeders: [Feeder]
  /// The last line that can't be used, also of a feeder that has gone; nil when there is none.
  package var lastBadLine: StatusRecord.BadLine?

  package init(t: Double, safety: SafetyRecord, feeders: [Feeder]) {
    self.t = t
    self.safety = safety
    self.feeders = feeders
  }
}
