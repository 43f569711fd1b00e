import CourtMapping

/// A blob that may be a person.
struct Candidate: Hashable, Sendable {
  /// Where it stands.
  var court: CourtPoint
  /// How well the blob has the height and area of a person at that place, 0…1.
  var shape: Double
  /// ``shape``, less for a place beside the court or far behind it: 0…1.
  var fit: Double
  /// The blob's area as a share of a person's height squared.
  var area: Double
  var box: PixelBox
  /// Where a person's body is who stands there.
  var body: PixelBox
  /// The box of the part that stands on the ground.
  var lowest: PixelBox
  /// The share of its pixels that differ from the frame before, 0…1.
  var stir: Double
  /// Two persons side by side, who hang together.
  var isPair = false

  /// Whether the lowest part is at a person's arm, not on the ground: a racket, which may hang
  /// together with a person farther away; or the upper half of that person.
  ///
  /// - Parameter share: of the person's height; what is lower may be on the ground.
  func rests(onArmOf person: PixelBox, above share: Double) -> Bool {
    var feet = lowest
    feet.top = max(feet.top, feet.bottom - feet.height / 4)
    return Double(person.bottom - feet.bottom) > share * Double(person.height)
      && feet.share(in: person.withArms) > 0.5
  }
}
