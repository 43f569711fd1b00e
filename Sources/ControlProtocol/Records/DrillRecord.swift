/// A drill that can be loaded.
package struct DrillRecord: Codable, Hashable, Sendable {
  /// What it is at one level.
  package struct Level: Codable, Hashable, Sendable {
    /// One of `beginner`, `intermediate` and `advanced`; nil: the drill's own values.
    package var level: String?
    /// From one ball to the next, in seconds.
    package var interval: Double
    /// How many balls a set has.
    package var ballsPerSet: Int
    /// How many sets it has.
    package var sets: Int
    /// From a set's last ball to the next set, in seconds, the countdown included.
    package var rest: Seconds
    /// From the first ball to the last one, in seconds.
    package var seconds: Seconds

    package init(
      level: String?,
      interval: Double,
      ballsPerSet: Int,
      sets: Int,
      rest: Double,
      seconds: Double
    ) {
      self.level = level
      self.interval = interval
      self.ballsPerSet = ballsPerSet
      self.sets = sets
      self.rest = rest
      self.seconds = seconds
    }
  }

  /// The name by which the drill is loaded.
  package var name: String
  /// The title that people read; nil: the name.
  package var title: String?
  /// What it is for.
  package var about: String?
  /// How zones are chosen: one of `follow`, `away`, `sides`, `random` and `plan`; nil for a drill that
  /// can't be used.
  package var aim: String?
  /// The drill's file, or `built in`.
  package var source: String?
  /// The drill's own values first, then the levels that it speaks of.
  package var levels: [Level] = []
  /// Why it can't be used: the first problems, a line each.
  package var reason: String?

  package init(name: String) { self.name = name }
}

/// The drills, as `drills` answers and prints them.
package struct DrillsRecord: Codable, Hashable, Sendable {
  /// The drills that can be loaded, and those that can't be used, with a reason.
  package var drills: [DrillRecord]

  package init(drills: [DrillRecord]) { self.drills = drills }
}
