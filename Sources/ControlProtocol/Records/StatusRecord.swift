package import Host

/// The service at one moment.
package struct StatusRecord: Codable, Hashable, Sendable {
  package struct Court: Codable, Hashable, Sendable {
    /// How far behind and beside the court a player still counts for the nearest zone, in metres.
    package var apron: Double
    /// The edges of the rows of zones, in metres from the net; nil: equal rows.
    package var rows: [Double]?
    /// The edges of the columns, in metres from the left sideline; nil: equal columns.
    package var columns: [Double]?

    package init(apron: Double) { self.apron = apron }
  }

  /// The average of the last second.
  package struct Player: Codable, Hashable, Sendable {
    /// The player's mean place, in metres from the left sideline.
    package var x: Double
    /// The player's mean place, in metres from the net.
    package var y: Double
    /// How many positions the average is of.
    package var samples: Int
    /// Row and column, such as `1-1`; nil out of court.
    @OrNull package var zone: String?
    /// For how many seconds the detector has said the same position: 60 and more, or 10 and more where that
    /// holds balls back; nil for less.
    package var repeats: Seconds?

    package init(x: Double, y: Double, samples: Int, zone: String?, repeats: Double? = nil) {
      self.x = x
      self.y = y
      self.samples = samples
      self.zone = zone
      self.repeats = repeats
    }
  }

  /// Which configuration is in force.
  package struct Configuration: Codable, Hashable, Sendable {
    /// The files that were read; none: the defaults.
    package var files: [String]
    /// When they were read, to the second.
    package var loaded: WallTime
    /// Why a configuration that was read later is not in force; nil when there is none.
    package var reason: String?

    package init(files: [String], loaded: WallTime, reason: String? = nil) {
      self.files = files
      self.loaded = loaded
      self.reason = reason
    }
  }

  /// A line of positions that can't be used.
  package struct BadLine: Codable, Hashable, Sendable {
    /// When it came, in seconds on the service's clock.
    package var t: Double
    /// The feeder's name.
    package var connection: String
    /// From 1.
    package var line: Int
    /// The line's beginning; nil for one that is too long.
    package var text: String?
    /// Why it can't be used.
    package var reason: String

    package init(t: Double, connection: String, line: Int, text: String?, reason: String) {
      self.t = t
      self.connection = connection
      self.line = line
      self.text = text
      self.reason = reason
    }
  }

  /// The program's version.
  package var version: String
  /// The present time, in seconds on the service's clock: the times of other records compare with
  /// it.
  package var t: Double
  /// `SIM` for a mock machine, `REAL` for one that throws balls; nil while the service doesn't know.
  @OrNull package var mode: String?
  /// How long the service has run, in seconds.
  package var uptime: Seconds
  /// Whether balls may fly.
  package var safety: SafetyRecord
  /// The link to the machine.
  package var link: LinkRecord
  /// What is trained; nil: of an older service.
  package var training: TrainingRecord?
  /// The court in force.
  package var court: Court
  /// From one decision to the next, in seconds; nil: 3, of an older service.
  package var interval: Double?
  /// The player's place, the average of the last second; nil when the player is not seen.
  @OrNull package var player: Player?
  /// When the next decision comes, in seconds from now; 0 when it is overdue, nil when none is due.
  @OrNull package var nextDecision: Seconds?
  /// The last automatic command; nil before the first.
  @OrNull package var lastDispatch: DispatchRecord?
  /// The last command by hand; nil before the first.
  @OrNull package var lastManual: TimedManualRecord?
  /// What the service has counted since it began.
  package var counts: CountsRecord
  /// The last line of positions that can't be used, as an event says it; nil when there is none.
  package var lastBadLine: BadLine?
  /// The configuration in force; nil when there is none.
  @OrNull package var configuration: Configuration?

  package init(
    version: String,
    t: Double,
    uptime: Double,
    safety: SafetyRecord,
    link: LinkRecord,
    court: Court,
    counts: CountsRecord
  ) {
    self.version = version
    self.t = t
    self.uptime = uptime
    self.safety = safety
    self.link = link
    self.court = court
    self.counts = counts
  }
}
