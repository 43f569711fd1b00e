/// Four pixels at a time. The numbers are the same, bit for bit, as of one pixel after the other.
extension Background {
  private typealias Mask = SIMDMask<SIMD4<Int32>>

  /// Labels four pixels in a row, and learns them, if each has one colour and fits it: most pixels do.
  ///
  /// - Returns: false if that isn't so: then nothing is done.
  @inline(__always)
  func judgeUsualFour(
    _ index: Int,
    _ picture: UnsafePointer<UInt8>,
    _ rate: Float,
    _ limits: Limits,
    _ colours: PixelColours,
    _ mask: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let used = UnsafeRawPointer(colours.used + index).loadUnaligned(as: UInt32.self)
    guard used == 0x0101_0101 else { return false }
    let off = Distances(Pixels(picture + index &* 3), colours.numbers(index, 0))
    guard Self.bits(off.squares .>= limits.fit * off.variances) == 0 else { return false }
    off.approach(SIMD4(repeating: rate), limits)
    let labels = SIMD4<Int32>().replacing(
      with: Int32(Label.faint),
      where: off.squares .>= limits.faint * off.variances
    )
    Self.write(labels, mask + index)
    return true
  }

  /// Labels four pixels in a row, and learns those that fit one of their colours.
  ///
  /// - Parameter rates: the weight of this frame in each of them.
  /// - Returns: bits of the pixels for which nothing was done, and of those that were learnt and may be shaded.
  @inline(never)
  func judgeFour(
    _ index: Int,
    _ picture: UnsafePointer<UInt8>,
    _ rates: SIMD4<Float>
  ) -> (left: UInt8, unlabelled: UInt8) {
    let limits = self.limits
    let pixels = Pixels(picture + index &* 3)
    let counts = Self.counts(colours.used + index)
    let isSingle = counts .== 1
    let isLearning = rates .> 0
    let first = Distances(pixels, colours.numbers(index, 0))
    let isFirst = first.squares .< limits.fit * first.variances
    let firstFaint = isSingle .& (first.squares .>= limits.faint * first.variances)
    if Self.bits(isFirst) == 0xF {
      let weighed = isLearning .& .!isSingle
      var shares = rates
      if Self.bits(weighed) != 0 {
        shares.replace(with: weigh(index, rates, counts, SIMD4(), weighed).shares, where: weighed)
      }
      first.approach(shares, limits, where: isSingle .| isLearning)
      Self.write(
        SIMD4<Int32>().replacing(with: Int32(Label.faint), where: firstFaint),
        mask + index
      )
      return (0, 0)
    }
    var total = SIMD4<Float>()
    var fitted = SIMD4<Int32>(repeating: -1)
    var isBackground = Mask(repeating: false)
    let most = counts.max()
    var rank: Int32 = 0
    while rank < most {
      let off = Distances(pixels, colours.numbers(index, Int(rank)))
      let isThere = counts .> rank
      let fits = isThere .& (fitted .< 0) .& (off.squares .< limits.fit * off.variances)
      fitted.replace(with: rank, where: fits)
      isBackground =
        isBackground
        .| (isThere .& (total .< limits.share) .& (off.squares .< limits.background * off.variances))
      total += SIMD4(load: colours.weights(index, Int(rank)))
      rank &+= 1
    }
    let isOnly = isSingle .& (fitted .== 0)
    // In a pixel whose one colour doesn't fit, as in one without any that fits, a new one begins.
    var isDone = isOnly
    let weighed = isLearning .& (fitted .>= 0) .& (counts .> 1)
    var shares = rates
    if Self.bits(weighed) != 0 {
      let (kept, heavier) = weigh(index, rates, counts, fitted, weighed)
      isDone = isDone .| (weighed .& .!heavier)
      shares.replace(with: kept, where: weighed)
    }
    let learnt = isDone
    rank = 0
    while rank < most {
      let isThis = learnt .& (fitted .== rank)
      if Self.bits(isThis) != 0 {
        let off = Distances(pixels, colours.numbers(index, Int(rank)))
        off.approach(shares, limits, where: isThis)
      }
      rank &+= 1
    }
    // Where nothing is to be learnt, the background is labelled alone.
    isDone = isDone .| (.!isLearning .& isBackground)
    let labels = SIMD4<Int32>().replacing(with: Int32(Label.faint), where: firstFaint)
    Self.write(labels, mask + index)
    return (~Self.bits(isDone) & 0xF, Self.bits(isDone .& .!isOnly .& .!isBackground))
  }

  /// Learns the weights of pixels that have several colours and fit one.
  ///
  /// - Parameter weighed: of which pixels that is true; the others stay as they are.
  /// - Returns: how much the fitting colour shall approach the picture's; and whether it would become
  ///   heavier than the one before it: then nothing is learnt.
  @inline(never)
  private func weigh(
    _ index: Int,
    _ rates: SIMD4<Float>,
    _ counts: SIMD4<Int32>,
    _ fitted: SIMD4<Int32>,
    _ weighed: SIMDMask<SIMD4<Int32>>
  ) -> (shares: SIMD4<Float>, heavier: SIMDMask<SIMD4<Int32>>) {
    let kept = 1 - rates
    let prune = rates * Self.pruned
    var left = counts
    var shares = rates
    var heavier = Mask(repeating: false)
    var before = SIMD4<Float>(repeating: .infinity)
    var total = SIMD4<Float>()
    func passed(_ rank: Int32) -> SIMD4<Float> {
      var weight = kept * SIMD4(load: colours.weights(index, Int(rank))) - prune
      let isFitted = fitted .== rank
      weight.replace(with: weight + rates, where: isFitted)
      shares.replace(with: rates / weight, where: isFitted)
      let isForgotten = (counts .== rank &+ 1) .& (weight .< prune)
      left.replace(with: rank, where: isForgotten)
      weight.replace(with: 0, where: (counts .<= rank) .| isForgotten .| (weight .< 0))
      heavier = heavier .| (isFitted .& (weight .> before))
      before = weight
      total += weight
      return weight
    }
    let most = counts.max()
    let weights = (
      passed(0), passed(1), most > 2 ? passed(2) : SIMD4(), most > 3 ? passed(3) : SIMD4()
    )
    let isLearnt = weighed .& .!heavier
    func keep(_ rank: Int, _ weights: SIMD4<Float>) {
      let place = colours.weights(index, rank)
      SIMD4(load: place).replacing(with: weights / total, where: isLearnt).store(place)
    }
    keep(0, weights.0)
    keep(1, weights.1)
    if most > 2 { keep(2, weights.2) }
    if most > 3 { keep(3, weights.3) }
    Self.write(counts.replacing(with: left, where: isLearnt), colours.used + index)
    return (shares, heavier)
  }

  private static func counts(_ first: UnsafeMutablePointer<UInt8>) -> SIMD4<Int32> {
    let bytes = UnsafeRawPointer(first).loadUnaligned(as: SIMD4<UInt8>.self)
    return SIMD4<Int32>(truncatingIfNeeded: bytes)
  }

  @inline(__always)
  private static func write(_ values: SIMD4<Int32>, _ place: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(place)
      .storeBytes(of: SIMD4<UInt8>(truncatingIfNeeded: values), as: SIMD4<UInt8>.self)
  }

  /// The lowest bit is of the first pixel.
  @inline(__always)
  private static func bits(_ mask: SIMDMask<SIMD4<Int32>>) -> UInt8 {
    let picked = SIMD4<Int32>().replacing(with: SIMD4(1, 2, 4, 8), where: mask)
    return UInt8(truncatingIfNeeded: picked.wrappedSum())
  }
}

/// Four pixels of a picture.
private struct Pixels {
  let blues: SIMD4<Float>
  let greens: SIMD4<Float>
  let reds: SIMD4<Float>

  /// Reads a byte of the pixel behind them, too.
  @inline(__always)
  init(_ first: UnsafePointer<UInt8>) {
    let bytes = UnsafeRawPointer(first)
    let words = SIMD4(
      Self.word(bytes),
      Self.word(bytes + 3),
      Self.word(bytes + 6),
      Self.word(bytes + 9)
    )
    blues = Self.floats(words)
    greens = Self.floats(words &>> 8)
    reds = Self.floats(words &>> 16)
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawPointer) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
  }

  @inline(__always)
  private static func floats(_ values: SIMD4<UInt32>) -> SIMD4<Float> {
    SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: values & 0xFF))
  }
}

/// How far four pixels are from their colours of a rank.
private struct Distances {
  private let place: UnsafeMutablePointer<Float>
  private let blue: (from: SIMD4<Float>, off: SIMD4<Float>)
  private let green: (from: SIMD4<Float>, off: SIMD4<Float>)
  private let red: (from: SIMD4<Float>, off: SIMD4<Float>)
  let variances: SIMD4<Float>
  let squares: SIMD4<Float>

  /// - Parameter place: of the colours' numbers, see ``PixelColours/numbers(_:_:)``.
  @inline(__always)
  init(_ pixels: Pixels, _ place: UnsafeMutablePointer<Float>) {
    self.place = place
    variances = SIMD4(load: place)
    let (blues, greens, reds) = (
      SIMD4(load: place + 4), SIMD4(load: place + 8), SIMD4(load: place + 12)
    )
    blue = (blues, blues - pixels.blues)
    green = (greens, greens - pixels.greens)
    red = (reds, reds - pixels.reds)
    squares = blue.off * blue.off + green.off * green.off + red.off * red.off
  }

  @inline(__always)
  private func approached(_ shares: SIMD4<Float>, _ limits: Background.Limits) -> SIMD4<Float> {
    var next = variances + shares * (squares - variances)
    next.replace(with: limits.leastVariance, where: next .< limits.leastVariance)
    next.replace(with: limits.mostVariance, where: next .> limits.mostVariance)
    return next
  }

  /// Moves the colours towards the pixels.
  @inline(__always)
  func approach(_ shares: SIMD4<Float>, _ limits: Background.Limits) {
    approached(shares, limits).store(place)
    (blue.from - shares * blue.off).store(place + 4)
    (green.from - shares * green.off).store(place + 8)
    (red.from - shares * red.off).store(place + 12)
  }

  /// Moves some of the colours towards the pixels.
  @inline(__always)
  func approach(
    _ shares: SIMD4<Float>,
    _ limits: Background.Limits,
    where mask: SIMDMask<SIMD4<Int32>>
  ) {
    func moved(_ one: (from: SIMD4<Float>, off: SIMD4<Float>)) -> SIMD4<Float> {
      one.from.replacing(with: one.from - shares * one.off, where: mask)
    }
    variances.replacing(with: approached(shares, limits), where: mask).store(place)
    moved(blue).store(place + 4)
    moved(green).store(place + 8)
    moved(red).store(place + 12)
  }
}

extension SIMD4<Float> {
  @inline(__always)
  fileprivate init(load place: UnsafeMutablePointer<Float>) {
    self = UnsafeRawPointer(place).loadUnaligned(as: Self.self)
  }

  @inline(__always)
  fileprivate func store(_ place: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(place).storeBytes(of: self, as: Self.self)
  }
}
