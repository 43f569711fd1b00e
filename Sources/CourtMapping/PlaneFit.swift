/// Finds the mapping of the ground to the picture that fits some points best.
///
/// First the normalised direct linear transform, then Levenberg and Marquardt's steps on the error in
/// the picture. Source: Hartley, Zisserman, “Multiple View Geometry”, §§ 4.4 and 4.8.
struct PlaneFit {
  typealias Point = SIMD2<Double>

  /// From this many points on the lens is estimated too.
  static let pointsForLens = 8
  /// How much a lens's term usually differs from 0, and how exactly a person points, both as standard
  /// deviations: few points must not explain a slip of the hand by a strange lens.
  private static let usualLens = 0.15
  private static let usualError = 0.0027

  let ground: [Point]
  /// The shown points in halves of the picture's diagonal, from its middle.
  let shown: [Point]

  /// - Parameter lens: nil: estimated if there are enough points.
  /// - Returns: nil if no mapping fits.
  func best(lens: LensTerm?) -> (mapping: Homography, lens: LensTerm)? {
    let start = lens ?? .none
    let straight = shown.compactMap(start.straight)
    guard straight.count == shown.count else { return nil }
    let frame = Frame(of: ground)
    let local = ground.map(frame.local)
    guard let first = Self.linear(from: local, to: straight) else { return nil }
    let estimatesLens = lens == nil && shown.count >= Self.pointsForLens
    var state = State(first, start, estimatesLens: estimatesLens)
    if shown.count > 4 { refine(&state, local) }
    return (state.mapping.after(frame.mapping), state.lens)
  }

  /// The direct linear transform; nil if the points fix no mapping.
  private static func linear(from local: [Point], to image: [Point]) -> Homography? {
    let frame = Frame(of: image)
    var sums = SymmetricMatrix(size: 9)
    for (from, to) in zip(local, image.map(frame.local)) {
      sums.add([-from.x, -from.y, -1, 0, 0, 0, to.x * from.x, to.x * from.y, to.x])
      sums.add([0, 0, 0, -from.x, -from.y, -1, to.y * from.x, to.y * from.y, to.y])
    }
    let found = frame.mapping.inverse.after(Homography(sums.leastEigenvector))
    // Before the camera at the points' middle, which is the origin.
    let depth = found.w.z
    guard abs(depth) > 1e-9, depth.isFinite else { return nil }
    return Homography(found.u / depth, found.v / depth, found.w / depth)
  }

  /// Moves points to where their mean is the origin and their mean distance from it √2: without it
  /// the linear system is ill-conditioned.
  private struct Frame {
    let middle: Point
    let scale: Double

    init(of points: [Point]) {
      let middle = points.reduce(Point.zero, +) / Double(points.count)
      let distance = points.map { length($0 - middle) }.reduce(0, +) / Double(points.count)
      self.middle = middle
      scale = 2.0.squareRoot() / max(distance, 1e-12)
    }

    func local(_ point: Point) -> Point { (point - middle) * scale }

    var mapping: Homography {
      Homography(
        SIMD3(scale, 0, -scale * middle.x),
        SIMD3(0, scale, -scale * middle.y),
        SIMD3(0, 0, 1)
      )
    }
  }

  /// The eight entries of a mapping whose ninth is 1, and the lens's term.
  private struct State {
    var values: [Double]
    let lensIsFree: Bool

    init(_ mapping: Homography, _ lens: LensTerm, estimatesLens: Bool) {
      values = [
        mapping.u.x, mapping.u.y, mapping.u.z, mapping.v.x, mapping.v.y, mapping.v.z,
        mapping.w.x, mapping.w.y, lens.k,
      ]
      lensIsFree = estimatesLens
    }

    var mapping: Homography { Homography(values.prefix(8) + [1]) }
    var lens: LensTerm { LensTerm(k: values[8]) }

    func moved(by step: [Double]) -> State {
      var moved = self
      for (index, change) in step.enumerated() { moved.values[index] += change }
      moved.values[8] = min(
        max(moved.values[8], LensTerm.range.lowerBound),
        LensTerm.range.upperBound
      )
      return moved
    }
  }

  private func refine(_ state: inout State, _ local: [Point]) {
    guard var error = error(of: state, local) else { return }
    var damping = 1e-3
    for _ in 0..<30 {
      guard let (sums, right) = normalEquations(of: state, local) else { return }
      var damped = sums
      for index in 0..<sums.size { damped[index, index] *= 1 + damping }
      guard let step = damped.solved(for: right) else { return }
      let next = state.moved(by: step)
      if let nextError = self.error(of: next, local), nextError < error {
        let gain = error - nextError
        state = next
        error = nextError
        damping = max(damping / 10, 1e-12)
        if gain < 1e-12 * error { return }
      } else {
        damping *= 10
        guard damping < 1e6 else { return }
      }
    }
  }

  /// The sum of the squared errors; nil if a point can't be shown.
  private func error(of state: State, _ local: [Point]) -> Double? {
    let (mapping, lens) = (state.mapping, state.lens)
    var sum = state.lensIsFree ? prior(lens.k) * prior(lens.k) : 0
    for (from, to) in zip(local, shown) {
      guard let straight = mapping(from), let image = lens.bent(straight) else { return nil }
      sum += dot(image - to, image - to)
    }
    return sum
  }

  private func prior(_ k: Double) -> Double { k * Self.usualError / Self.usualLens }

  private func normalEquations(
    of state: State,
    _ local: [Point]
  ) -> (SymmetricMatrix, [Double])? {
    let size = state.lensIsFree ? 9 : 8
    var sums = SymmetricMatrix(size: size)
    var right = [Double](repeating: 0, count: size)
    func add(_ row: [Double], _ error: Double) {
      sums.add(row)
      for index in 0..<size { right[index] += row[index] * error }
    }
    let (mapping, lens) = (state.mapping, state.lens)
    for (from, to) in zip(local, shown) {
      let depth = mapping.depth(from)
      guard let straight = mapping(from), let image = lens.bent(straight),
        let (bend, byLens) = lens.derivatives(at: straight)
      else { return nil }
      let (x, y, one) = (from.x / depth, from.y / depth, 1 / depth)
      for axis in 0..<2 {
        let (a, b) = (bend.x[axis], bend.y[axis])
        let c = -(a * straight.x + b * straight.y)
        let row = [a * x, a * y, a * one, b * x, b * y, b * one, c * x, c * y, byLens[axis]]
        add(Array(row.prefix(size)), to[axis] - image[axis])
      }
    }
    if state.lensIsFree {
      add([0, 0, 0, 0, 0, 0, 0, 0, prior(1)], -prior(lens.k))
    }
    return (sums, right)
  }
}
