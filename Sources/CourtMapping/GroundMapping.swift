import CourtLogic

/// Maps the ground to a camera's picture and back, lens included.
struct GroundMapping: Hashable, Sendable {
  private let middle: SIMD2<Double>
  /// Half of the picture's diagonal, in pixels: the unit of the lens's term.
  let unit: Double
  let lens: LensTerm
  let toPicture: Homography
  private let toCourt: Homography

  /// Fits a mapping to marks.
  ///
  /// - Parameter lens: nil: estimated if there are enough marks.
  /// - Returns: nil if none fits.
  init?(ground: [CourtPoint], shown: [PicturePoint], size: PictureSize, lens: LensTerm?) {
    let middle = SIMD2(Double(size.width), Double(size.height)) / 2
    let unit = length(middle)
    let fit = PlaneFit(
      ground: ground.map { SIMD2($0.x, $0.y) },
      shown: shown.map { (SIMD2($0.u, $0.v) - middle) / unit }
    )
    guard let (mapping, lens) = fit.best(lens: lens) else { return nil }
    self.middle = middle
    self.unit = unit
    self.lens = lens
    toPicture = mapping
    toCourt = mapping.inverse
  }

  /// Nil at and above the horizon.
  func court(_ point: PicturePoint) -> CourtPoint? {
    guard let straight = lens.straight((SIMD2(point.u, point.v) - middle) / unit),
      toCourt.depth(straight) > 0, let place = toCourt(straight), place.x.isFinite,
      place.y.isFinite
    else { return nil }
    return CourtPoint(place.x, place.y)
  }

  /// Nil behind the camera, and where the lens shows nothing.
  func picture(_ point: CourtPoint) -> PicturePoint? {
    let place = SIMD2(point.x, point.y)
    guard toPicture.depth(place) > 0, let straight = toPicture(place) else { return nil }
    return shown(straight)
  }

  /// Where the lens shows what a perfect one would show there.
  func shown(_ straight: SIMD2<Double>) -> PicturePoint? {
    guard let bent = lens.bent(straight) else { return nil }
    let pixels = middle + bent * unit
    return PicturePoint(pixels.x, pixels.y)
  }

  func depth(_ point: CourtPoint) -> Double { toPicture.depth(SIMD2(point.x, point.y)) }

  /// Whether the ground there is seen from below, or in a mirror.
  func isMirrored(at point: CourtPoint) -> Bool {
    toPicture.jacobian(at: SIMD2(point.x, point.y)).determinant <= 0
  }

  /// How far a place on the ground moves at most when its image moves by a pixel.
  func metresPerPixel(at point: CourtPoint) -> Double? {
    let place = SIMD2(point.x, point.y)
    guard toPicture.depth(place) > 0, let straight = toPicture(place),
      let (bend, _) = lens.derivatives(at: straight)
    else { return nil }
    let plane = toPicture.jacobian(at: place)
    let whole = Jacobian(
      x: bend.x * plane.x.x + bend.y * plane.x.y,
      y: bend.x * plane.y.x + bend.y * plane.y.y
    )
    return whole.greatestInverse / unit
  }
}
