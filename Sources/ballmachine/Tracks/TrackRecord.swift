import ControlProtocol

/// What a recorded file of positions is, and how it is played.
struct TrackRecord: Codable, Hashable, Sendable {
  /// A person in the file.
  struct Person: Codable, Hashable, Sendable {
    /// Their id in the file; absent without one.
    var id: String?
    /// How many positions it has of them.
    var positions: Count
    /// How many of these are used: one person at a time is followed.
    var used: Total
  }

  /// Where the followed one is, as shares from 0 to 1.
  struct Places: Codable, Hashable, Sendable {
    /// Inside the player's half of the singles court.
    var inside: Double
    /// Behind the baseline.
    var behind: Double
    /// Beside a sideline.
    var beside: Double
    /// On the machine's side of the net.
    var otherSide: Double
  }

  /// How fast the followed one is, over half a second each, in metres a second.
  struct Speeds: Codable, Hashable, Sendable {
    /// Half of the time they are slower.
    var median: Double
    /// The greatest.
    var most: Double
  }

  /// A time without a position.
  struct Gap: Codable, Hashable, Sendable {
    /// When it begins, in seconds from the first position.
    var at: Seconds
    /// How long it is, in seconds.
    var seconds: Seconds
  }

  /// The file.
  var file: String
  /// How many positions are used.
  var positions: Count
  /// Lines that can't be used.
  var badLines: Total
  /// From the first position to the last, in seconds.
  var seconds: Seconds
  /// Positions a second; absent for fewer than two.
  var rate: Double?
  /// The people in the file, the most followed one first.
  var people: [Person]
  /// Whether the positions can be metres of this court, with the given options: `good`, `doubtful` or
  /// `impossible`.
  var fit: String
  /// Options that put the player where players are, the likeliest first; empty where it fits as it is.
  var suggestions: [String]
  /// Warnings about the file.
  var hints: [String]
  /// The options that the next members were found with: those that were given, or the first suggestion.
  var shownWith: String
  /// Where the player is; absent without a position.
  var places: Places?
  /// The speeds; absent for less than half a second.
  var speeds: Speeds?
  /// The times of more than a second without a position.
  var gaps: [Gap]
  /// The command that shows its decisions.
  var commandLine: String
}
