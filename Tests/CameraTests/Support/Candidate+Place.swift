import CourtMapping

@testable import Camera

extension Candidate {
  /// A person who stands there.
  ///
  /// - Parameters:
  ///   - fit: 1 for a whole one.
  ///   - box: in the picture.
  static func person(
    at x: Double,
    _ y: Double,
    stir: Double = 0.5,
    fit: Double = 1,
    box: PixelBox = PixelBox(left: 0, right: 9, top: 0, bottom: 29)
  ) -> Candidate {
    Candidate(
      court: CourtPoint(x, y),
      shape: fit,
      fit: fit,
      area: 0.3,
      box: box,
      body: box,
      lowest: box,
      stir: stir
    )
  }
}
