import CourtMapping

@testable import Camera

extension Candidate {
  /// A whole person who stands there.
  static func person(at x: Double, _ y: Double, stir: Double = 0.5) -> Candidate {
    let box = PixelBox(left: 0, right: 9, top: 0, bottom: 29)
    return Candidate(
      court: CourtPoint(x, y),
      shape: 1,
      fit: 1,
      area: 0.3,
      box: box,
      body: box,
      lowest: box,
      stir: stir
    )
  }
}
