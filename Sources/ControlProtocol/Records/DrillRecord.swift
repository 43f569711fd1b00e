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
    /// With the aim `plan`: the shots of a set in order, from the first again after the last. Nil: as the
    /// drill's own values have them, or of another aim.
    package var shots: [Shot]?
    /// With the aim `random`: the zones that are drawn. Nil: as the drill's own values have them, or of
    /// another aim.
    package var drawn: [WeightedZone]?

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

  /// One entry of a plan.
  package struct Shot: Codable, Hashable, Sendable {
    /// Its zone; more than one: alternatives, of which each ball draws one.
    package var alternatives: [WeightedZone]
    /// How often it comes before the next shot, or at least so often.
    package var times: Count
    /// How often it comes at most; nil: always the same.
    package var mostTimes: Count?

    package init(alternatives: [WeightedZone], times: ClosedRange<Int>) {
      self.alternatives = alternatives
      self.times = times.lowerBound
      mostTimes = times.count > 1 ? times.upperBound : nil
    }
  }

  /// A zone, and how often it is drawn.
  package struct WeightedZone: Codable, Hashable, Sendable {
    /// The zone, such as `3-0`: row and column.
    package var zone: String
    /// How often it is drawn, against the others' weights.
    package var weight: Count

    package init(zone: String, weight: Int) {
      self.zone = zone
      self.weight = weight
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
