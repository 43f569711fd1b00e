package import CourtLogic

/// Why the player may not be where a detector says.
package enum SourceDoubt: Hashable, Sendable {
  /// It repeats itself: the player may be gone.
  case repeats
  /// Its positions can't be metres of this court.
  case notMetres(FrameMisfit)
}
