package import CourtLogic

/// A drill at one level, ready to be thrown: which balls, how many, how often, with which rests.
package struct Drill: Hashable, Sendable {
  /// The name by which the drill is loaded: its file's name without `.yaml`.
  package var name: String
  /// Nil: the drill's own values, and the table's plain commands.
  package var level: SkillLevel?
  package var strategy: AimingStrategy
  /// Whether no zone comes twice running in a set.
  package var avoidsRepeats: Bool
  /// From one ball to the next.
  package var interval: Duration
  /// Balls of a set.
  package var balls: Int
  package var sets: Int
  /// From a set's last ball to the next one's first, the countdown included.
  package var rest: Duration
  /// The file's own seed; nil: each session draws another one.
  package var seed: Int?

  package init(
    name: String,
    level: SkillLevel? = nil,
    strategy: AimingStrategy,
    avoidsRepeats: Bool = false,
    interval: Duration,
    balls: Int,
    sets: Int = 1,
    rest: Duration = .zero,
    seed: Int? = nil
  ) {
    self.name = name
    self.level = level
    self.strategy = strategy
    self.avoidsRepeats = avoidsRepeats
    self.interval = interval
    self.balls = balls
    self.sets = sets
    self.rest = rest
    self.seed = seed
  }

  /// What a user may write.
  package static let seeds = 0...999_999_999
  package static let ballCounts = 1...500
  package static let setCounts = 1...50
  package static let rests = 0.0...600.0
  package static let distances = 0.0...15.0
  /// How often an entry of a plan may repeat.
  package static let repeats = 1...50

  package var ballCount: Int { balls * sets }

  /// From the first ball to the last one, if no ball is held back.
  package var length: Duration {
    interval * (sets * (balls - 1)) + max(rest, interval) * (sets - 1)
  }

  /// What the table must have a command for.
  package var strokes: [Stroke] {
    strategy == .follow
      ? Zone.allCases.map { Stroke(zone: $0, level: level) }
      : strategy.targets.map { $0.stroke(at: level) }
  }
}
