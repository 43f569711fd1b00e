/// How a lens bends the picture: one radial term, about the picture's middle.
///
/// A point that a perfect lens would show at distance r from the middle is shown at d with
/// r = d / (1 + k d²), both in halves of the picture's diagonal. k is negative for the barrel shape of
/// a wide lens. Both ways are closed forms. Source: Fitzgibbon, “Simultaneous linear estimation of
/// multiple view geometry and lens distortion” (2001).
struct LensTerm: Hashable, Sendable {
  /// What a lens for courts can have. A beginner's fish-eye lens has about -0.4.
  static let range = -0.6...0.3
  static let none = LensTerm(k: 0)

  let k: Double

  /// Where a perfect lens would show what this one shows at `point`.
  func straight(_ point: SIMD2<Double>) -> SIMD2<Double>? {
    let scale = 1 + k * dot(point, point)
    return scale > 0 ? point / scale : nil
  }

  /// Where this lens shows what a perfect one would show at `point`; nil where it shows nothing.
  func bent(_ point: SIMD2<Double>) -> SIMD2<Double>? {
    let root = 1 - 4 * k * dot(point, point)
    return root > 0 ? point * (2 / (1 + root.squareRoot())) : nil
  }

  /// How the shown point moves with the straight one, and with k.
  func derivatives(at point: SIMD2<Double>) -> (jacobian: Jacobian, k: SIMD2<Double>)? {
    let square = dot(point, point)
    let root = 1 - 4 * k * square
    guard root > 0 else { return nil }
    let sine = root.squareRoot()
    let scale = 2 / (1 + sine)
    // The derivative of the scale: with the square of the distance it changes by k × slope, with k
    // by square × slope.
    let slope = 4 / (sine * (1 + sine) * (1 + sine))
    let along = point * (2 * k * slope)
    return (
      Jacobian(
        x: SIMD2(scale, 0) + point * along.x,
        y: SIMD2(0, scale) + point * along.y
      ),
      point * (square * slope)
    )
  }
}
