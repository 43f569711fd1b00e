/// What is trained: the drill, how far it is, and for whom.
package struct TrainingRecord: Codable, Hashable, Sendable {
  /// How zones are chosen: one of `follow`, `away`, `sides`, `random` and `plan`.
  package var aim: String
  /// The drill's name, that of its file; nil without a drill.
  package var drill: String?
  /// One of `beginner`, `intermediate` and `advanced`; nil: none is set.
  package var level: String?
  /// From one ball to the next, in seconds.
  package var interval: Double
  /// Gives the same shots again; nil where nothing is drawn.
  package var seed: Int?
  /// The player's name, as the coach has given it for this arming; nil: none.
  package var label: String?
  /// The set of a drill that is thrown, from 1; nil while none is.
  package var set: Int?
  /// How many sets the drill has.
  package var sets: Int?
  /// How many balls of this set have left.
  package var ball: Int?
  /// How many balls a set has.
  package var ballsPerSet: Int?
  /// The zone that the next ball is for, such as `3-0`; nil where it depends on the player.
  package var next: String?

  package init(aim: String, interval: Double) {
    self.aim = aim
    self.interval = interval
  }
}
