/// What a person may set of the finder.
package struct FinderRules: Hashable, Sendable {
  /// Above this share of the picture in motion nothing is believed.
  package var mostMotion = 0.12
  /// A second person inside the player's lines is a doubt.
  package var refusesSecondPerson = true
  /// What hasn't moved at all for so many seconds is no player. People who wait for a ball stir.
  package var longestStill = 60.0
  /// The least brightness of the court, 0…255. Rendered dusk has 29 and is well seen, night 10 and
  /// isn't.
  package var leastBrightness = 18.0

  package init() {}
}
