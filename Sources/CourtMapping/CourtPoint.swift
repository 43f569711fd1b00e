/// A place on the court's ground, or anywhere beside it, in the metres of `Court`.
package struct CourtPoint: Hashable, Sendable {
  /// Metres to the right of the net's left corner.
  package var x: Double
  /// Metres from the net towards the player's baseline; negative on the machine's half.
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}
