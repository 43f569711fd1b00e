/// A square of a picture, to be recognised in later ones whatever the light.
struct Patch: Sendable {
  /// Pearson's correlation from which it is recognised.
  private static let leastLikeness: Float = 0.6
  /// The least variance of the pixels; less has nothing to recognise.
  private static let leastVariance: Float = 30

  let u: Int
  let v: Int
  let half: Int
  /// Row by row, mean 0, of length 1.
  private let pattern: [Float]

  /// - Returns: nil if all of it looks alike.
  init?(_ picture: GreyPicture, u: Int, v: Int, half: Int) {
    var pattern: [Float] = []
    for row in v - half..<v + half {
      for column in u - half..<u + half {
        pattern.append(Float(picture.bytes[row * picture.width + column]))
      }
    }
    let mean = pattern.reduce(0, +) / Float(pattern.count)
    for index in pattern.indices { pattern[index] -= mean }
    let square = pattern.reduce(0) { $0 + $1 * $1 }
    guard square > Self.leastVariance * Float(pattern.count) else { return nil }
    let length = square.squareRoot()
    for index in pattern.indices { pattern[index] /= length }
    self.pattern = pattern
    self.u = u
    self.v = v
    self.half = half
  }

  /// By how much it has moved: the most alike place within `reach` of `around`.
  ///
  /// - Returns: nil if no place is like it.
  func find(in picture: GreyPicture, around: (u: Int, v: Int), reach: Int) -> (u: Int, v: Int)? {
    picture.bytes.withUnsafeBufferPointer { bytes in
      pattern.withUnsafeBufferPointer { pattern in
        guard let bytes = bytes.baseAddress, let pattern = pattern.baseAddress else { return nil }
        var best: (u: Int, v: Int)?
        var likeness = Self.leastLikeness
        for dv in around.v - reach...around.v + reach {
          for du in around.u - reach...around.u + reach {
            let top = v + dv - half
            let left = u + du - half
            guard top >= 0, left >= 0, top + 2 * half <= picture.height,
              left + 2 * half <= picture.width
            else { continue }
            let one = self.likeness(bytes + top * picture.width + left, picture.width, pattern)
            if one > likeness { (best, likeness) = ((du, dv), one) }
          }
        }
        return best
      }
    }
  }

  /// Where between the pixels it is, near a place at which it was found.
  func refine(_ place: (u: Int, v: Int), in picture: GreyPicture) -> SIMD2<Double> {
    picture.bytes.withUnsafeBufferPointer { bytes in
      pattern.withUnsafeBufferPointer { pattern in
        let whole = SIMD2(Double(place.u), Double(place.v))
        let (top, left) = (v + place.v - half, u + place.u - half)
        guard let bytes = bytes.baseAddress, let pattern = pattern.baseAddress,
          top > 0, left > 0, top + 2 * half < picture.height, left + 2 * half < picture.width
        else { return whole }
        func at(_ down: Int, _ right: Int) -> Double {
          let corner = bytes + (top + down) * picture.width + left + right
          return Double(likeness(corner, picture.width, pattern))
        }
        let here = at(0, 0)
        return whole
          + SIMD2(Self.peak(at(0, -1), here, at(0, 1)), Self.peak(at(-1, 0), here, at(1, 0)))
      }
    }
  }

  /// Where the parabola through three values has its peak, in steps from the middle one.
  private static func peak(_ before: Double, _ here: Double, _ after: Double) -> Double {
    let bend = before + after - 2 * here
    return bend < 0 ? min(max((before - after) / (2 * bend), -0.5), 0.5) : 0
  }

  private func likeness(
    _ corner: UnsafePointer<UInt8>,
    _ stride: Int,
    _ pattern: UnsafePointer<Float>
  ) -> Float {
    let side = 2 * half
    var (sum, squares) = (0, 0)
    var product: Float = 0
    var row = 0
    while row < side {
      let line = corner + row &* stride
      let model = pattern + row &* side
      var column = 0
      while column < side {
        let value = Int(line[column])
        sum &+= value
        squares &+= value &* value
        product += Float(value) * model[column]
        column &+= 1
      }
      row &+= 1
    }
    let count = Float(side * side)
    let variance = Float(squares) - Float(sum) * Float(sum) / count
    return variance > count ? product / variance.squareRoot() : 0
  }
}
