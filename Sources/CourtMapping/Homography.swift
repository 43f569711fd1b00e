/// The mapping of one plane to another as a camera sees it: straight lines stay straight.
struct Homography: Hashable, Sendable {
  typealias Point = SIMD2<Double>

  /// The rows of its matrix: u and v of the image, both times the depth, and the depth.
  let u: SIMD3<Double>
  let v: SIMD3<Double>
  let w: SIMD3<Double>

  init(_ u: SIMD3<Double>, _ v: SIMD3<Double>, _ w: SIMD3<Double>) {
    self.u = u
    self.v = v
    self.w = w
  }

  /// - Parameter entries: nine, row by row.
  init(_ entries: [Double]) {
    self.init(
      SIMD3(entries[0], entries[1], entries[2]),
      SIMD3(entries[3], entries[4], entries[5]),
      SIMD3(entries[6], entries[7], entries[8])
    )
  }

  /// Positive before the camera if the matrix has the right sign, 0 on the horizon.
  func depth(_ point: Point) -> Double { dot(w, homogeneous(point)) }

  /// Nil on the horizon.
  func callAsFunction(_ point: Point) -> Point? {
    let from = homogeneous(point)
    let depth = dot(w, from)
    guard depth != 0 else { return nil }
    return Point(dot(u, from), dot(v, from)) / depth
  }

  /// How the image moves with the point, which is not on the horizon.
  func jacobian(at point: Point) -> Jacobian {
    let depth = depth(point)
    let image = Point(dot(u, homogeneous(point)), dot(v, homogeneous(point))) / depth
    return Jacobian(
      x: (Point(u.x, v.x) - image * w.x) / depth,
      y: (Point(u.y, v.y) - image * w.y) / depth
    )
  }

  /// The mapping back. Its depth is positive for the image of what lies before the camera.
  var inverse: Homography {
    let columns = (cross(v, w), cross(w, u), cross(u, v))
    let sign: Double = dot(u, columns.0) < 0 ? -1 : 1
    return Homography(
      SIMD3(columns.0.x, columns.1.x, columns.2.x) * sign,
      SIMD3(columns.0.y, columns.1.y, columns.2.y) * sign,
      SIMD3(columns.0.z, columns.1.z, columns.2.z) * sign
    )
  }

  /// The mapping that does `first` and then this one.
  func after(_ first: Homography) -> Homography {
    func row(_ row: SIMD3<Double>) -> SIMD3<Double> {
      first.u * row.x + first.v * row.y + first.w * row.z
    }
    return Homography(row(u), row(v), row(w))
  }

  private func homogeneous(_ point: Point) -> SIMD3<Double> { SIMD3(point, 1) }
}

/// The derivative of a mapping of the plane: how the image moves with x, and with y.
struct Jacobian {
  let x: SIMD2<Double>
  let y: SIMD2<Double>

  /// Negative: the mapping mirrors.
  var determinant: Double { x.x * y.y - x.y * y.x }

  /// How far the point moves at most if its image moves by 1: the inverse of the least singular
  /// value.
  var greatestInverse: Double {
    let trace = dot(x, x) + dot(y, y)
    let determinant = determinant
    let discriminant = max(trace * trace - 4 * determinant * determinant, 0)
    // The greater singular value is the stable one: their product is the determinant.
    return ((trace + discriminant.squareRoot()) / 2).squareRoot() / abs(determinant)
  }
}

func dot<Vector: SIMD>(_ one: Vector, _ other: Vector) -> Vector.Scalar
where Vector.Scalar: FloatingPoint {
  (one * other).sum()
}

func length(_ vector: SIMD2<Double>) -> Double { dot(vector, vector).squareRoot() }

func cross(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(
    one.y * other.z - one.z * other.y,
    one.z * other.x - one.x * other.z,
    one.x * other.y - one.y * other.x
  )
}
