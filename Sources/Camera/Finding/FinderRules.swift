/// What a person may set of the finder.
package struct FinderRules: Hashable, Sendable {
  /// How far outside the singles court a player plays, in metres.
  package struct Reach: Hashable, Sendable {
    package var aside: Double
    package var behind: Double

    package init(aside: Double, behind: Double) {
      self.aside = aside
      self.behind = behind
    }
  }

  /// A new track begins only inside this; one that has begun there is followed a little farther. On real
  /// footage players were up to 2.1 m aside, and what was wrongly named was 3 to 4 m aside.
  package var reach = Reach(aside: 2.5, behind: 6)
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
