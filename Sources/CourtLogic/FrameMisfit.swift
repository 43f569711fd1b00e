/// Why positions can't be metres of this court, wherever the player is.
package enum FrameMisfit: Hashable, Sendable {
  /// All lie within 0 … 1, and not all are whole numbers: parts of a picture or of a court.
  case fractions
  /// All lie more than 10 m from the half.
  case farAway
}
