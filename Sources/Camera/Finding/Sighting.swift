package import CourtMapping

/// What a frame says about the player.
package enum Sighting: Hashable, Sendable {
  /// - Parameters:
  ///   - foot: between the player's feet, in the calibration's pixels.
  ///   - confidence: 0.5…1.
  case player(foot: PicturePoint, confidence: Double)
  /// Nothing may be sent.
  case nothing(Doubt)
}
