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
        let last = around.u + reach
        for dv in around.v - reach...around.v + reach {
          let top = v + dv - half
          guard top >= 0, top + 2 * half <= picture.height else { continue }
          let line = bytes + top * picture.width
          func compare(_ du: Int, _ one: Float) {
            if one > likeness { (best, likeness) = ((du, dv), one) }
          }
          var du = around.u - reach
          while du <= last {
            let left = u + du - half
            if du + 2 <= last, left >= 0, left + 2 * half + 7 <= picture.width {
              let eight = likenesses(line + left, picture.width, pattern)
              for lane in 0..<min(8, last - du + 1) { compare(du + lane, eight[lane]) }
              du += 8
              continue
            }
            if left >= 0, left + 2 * half <= picture.width {
              compare(du, self.likeness(line + left, picture.width, pattern))
            }
            du += 1
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

  /// The likenesses of eight places side by side: the same numbers, bit for bit, as one after the other.
  private func likenesses(
    _ corner: UnsafePointer<UInt8>,
    _ stride: Int,
    _ pattern: UnsafePointer<Float>
  ) -> SIMD8<Float> {
    let side = 2 * half
    var (sums, squares) = (SIMD8<UInt32>(), SIMD8<UInt32>())
    var products = SIMD8<Float>()
    var row = 0
    while row < side {
      let line = UnsafeRawPointer(corner + row &* stride)
      let model = pattern + row &* side
      var column = 0
      while column < side {
        let bytes = line.loadUnaligned(fromByteOffset: column, as: SIMD8<UInt8>.self)
        let values = SIMD8<UInt16>(truncatingIfNeeded: bytes)
        let wide = SIMD8<UInt32>(truncatingIfNeeded: values)
        sums &+= wide
        squares &+= SIMD8<UInt32>(truncatingIfNeeded: values &* values)
        products += SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: wide)) * model[column]
        column &+= 1
      }
      row &+= 1
    }
    var likenesses = SIMD8<Float>()
    for lane in 0..<8 {
      likenesses[lane] = likeness(products[lane], Int(sums[lane]), Int(squares[lane]))
    }
    return likenesses
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
    return likeness(product, sum, squares)
  }

  private func likeness(_ product: Float, _ sum: Int, _ squares: Int) -> Float {
    let count = Float(4 * half * half)
    let variance = Float(squares) - Float(sum) * Float(sum) / count
    return variance > count ? product / variance.squareRoot() : 0
  }
}
