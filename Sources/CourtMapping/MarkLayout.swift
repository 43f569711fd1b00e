/// Whether marks can fix a mapping at all, before one is sought.
struct MarkLayout {
  let names: [CourtMark]
  let places: [PicturePoint]
  let size: PictureSize

  /// Marks that are nearer to each other than this share of the picture's width are one tap.
  private static let leastDistance = 0.0015
  /// Twice the least triangle's area of four points, in squares of their greatest distance.
  private static let leastSpread = 0.004

  func check() throws(CalibrationProblem) {
    guard names.count >= 4 else { throw .tooFew(names.count) }
    for (name, place) in zip(names, places) {
      // Not a number is in no range.
      guard (0...Double(size.width)).contains(place.u), (0...Double(size.height)).contains(place.v)
      else { throw .notInPicture(name) }
    }
    let shown = places.map { SIMD2($0.u, $0.v) }
    for second in names.indices {
      for first in 0..<second
      where length(shown[first] - shown[second]) < Self.leastDistance * Double(size.width) {
        throw .doubled(names[first], names[second])
      }
    }
    let ground = names.map { SIMD2($0.point.x, $0.point.y) }
    for points in [ground, shown] where !Self.spreads(points) {
      throw .inLine(Self.longestLine(points).map { names[$0] })
    }
  }

  /// Whether there are four points of which no three are on one line.
  private static func spreads(_ points: [SIMD2<Double>]) -> Bool {
    let least = leastSpread * greatestSquare(points)
    func area(_ a: Int, _ b: Int, _ c: Int) -> Double { twiceArea(points[a], points[b], points[c]) }
    for a in points.indices {
      for b in 0..<a {
        for c in 0..<b where area(a, b, c) > least {
          for d in 0..<c
          where area(a, b, d) > least && area(a, c, d) > least && area(b, c, d) > least {
            return true
          }
        }
      }
    }
    return false
  }

  /// The most points that are on one line.
  private static func longestLine(_ points: [SIMD2<Double>]) -> [Int] {
    let least = leastSpread * greatestSquare(points)
    var longest: [Int] = []
    for a in points.indices {
      for b in 0..<a {
        let on = points.indices.filter {
          $0 == a || $0 == b || twiceArea(points[a], points[b], points[$0]) <= least
        }
        if on.count > longest.count { longest = on }
      }
    }
    return longest
  }

  private static func greatestSquare(_ points: [SIMD2<Double>]) -> Double {
    var greatest = 0.0
    for one in points {
      for other in points { greatest = max(greatest, dot(one - other, one - other)) }
    }
    return greatest
  }

  private static func twiceArea(
    _ a: SIMD2<Double>,
    _ b: SIMD2<Double>,
    _ c: SIMD2<Double>
  ) -> Double {
    abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y))
  }
}
