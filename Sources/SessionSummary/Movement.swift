/// Where a player was and how far he ran while balls could fly.
package struct Movement: Hashable, Sendable {
  /// A square of 0.5 m of the ground.
  package struct Cell: Hashable, Sendable {
    /// Metres from side to side.
    package static let size = 0.5

    /// Counts from the left sideline; below 0 left of it.
    package var column: Int
    /// Counts from the net.
    package var row: Int
    /// How long the player was there.
    package var seconds: Double

    /// Its left side, in metres from the left sideline.
    package var x: Double { Double(column) * Self.size }
    /// Its side nearest to the net, in metres from the net.
    package var y: Double { Double(row) * Self.size }
  }

  /// How long the player was seen, in seconds.
  package var seen: Double
  /// How far the player ran, in metres.
  package var distance: Double
  /// The mean speed in metres a second, of the time in which the player was seen.
  package var meanSpeed: Double
  /// The greatest speed that was kept up for a second; nil: never seen for so long.
  package var greatestSpeed: Double?
  /// The median time from a ball's command until the player was a step away; nil: never seen.
  package var firstStep: Double?
  /// After how many balls a first step was seen; nil where the balls follow the player.
  package var firstSteps: Int?
  /// The places where the player stood, by row, then by column.
  package var stood: [Cell]
}
