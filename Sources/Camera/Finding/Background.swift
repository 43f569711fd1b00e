/// The empty court: what each pixel usually looks like, and which pixels differ from it now.
///
/// Each pixel has a mixture of up to four colours, each with a weight and a variance, heaviest
/// first. What fits one of those that make up most of the weight is background. Leaves and a line
/// under a shaking tripod have two or three colours; plain ground has one.
///
/// Source: Zivkovic, “Improved adaptive Gaussian mixture model for background subtraction” (2004),
/// whose numbers OpenCV's MOG2 has too.
final class Background {
  /// One of a pixel's colours.
  struct Mode: Equatable {
    var weight: Float
    var variance: Float
    var blue: Float
    var green: Float
    var red: Float
  }

  /// What a pixel is now, in ``mask``.
  enum Label {
    static let still: UInt8 = 0
    /// Hardly different from the background: noise, or clothes of the court's colour.
    static let faint: UInt8 = 1
    /// Darker or lighter than the background, and of its colour.
    static let shaded: UInt8 = 127
    static let moving: UInt8 = 255
  }

  /// How a pixel is judged.
  struct Limits: Sendable {
    /// Squared distance from a colour, in its variances, up to which a pixel is background.
    var background: Float = 16
    /// Squared distance, in variances, from which on a pixel of the background is faint.
    var faint: Float = 6
    /// Squared distance, in variances, up to which a pixel is learnt into that colour.
    var fit: Float = 9
    /// The least variance of a colour, for the sensor's noise, so that a dark pixel's doesn't count
    /// as motion.
    var leastVariance: Float = 16
    var mostVariance: Float = 75
    var firstVariance: Float = 15
    /// The heaviest colours that together have this weight are background.
    var share: Float = 0.9
    /// The least brightness of a shadow, as a share of the background's; ``lightest`` is sunlight's
    /// greatest.
    var darkest: Float = 0.45
    var lightest: Float = 1.5
    /// Squared distance, in variances, up to which a shaded pixel still has the background's
    /// colour.
    var shade: Float = 16
  }

  let width: Int
  let height: Int
  let mask: UnsafeMutablePointer<UInt8>
  /// The share of all pixels that move, 0…1.
  private(set) var moving = 0.0
  /// The share of all pixels that aren't as usual, shaded ones too, 0…1.
  private(set) var unusual = 0.0

  let limits: Limits
  let painted: PaintedPixels
  let colours: PixelColours
  /// The colours of the pixel that is judged.
  let modes: UnsafeMutablePointer<Mode>

  /// - Parameter painted: where the court's lines are; nil if they aren't known.
  init(width: Int, height: Int, limits: Limits = Limits(), painted: PaintedPixels? = nil) {
    self.width = width
    self.height = height
    self.limits = limits
    self.painted = painted ?? PaintedPixels(width: width, height: height)
    let count = width * height
    mask = .allocate(capacity: count)
    mask.initialize(repeating: Label.still, count: count)
    colours = PixelColours(pixels: count)
    modes = .allocate(capacity: PixelColours.most)
    let empty = Mode(weight: 0, variance: 0, blue: 0, green: 0, red: 0)
    modes.initialize(repeating: empty, count: PixelColours.most)
  }

  deinit {
    mask.deallocate()
    colours.deallocate()
    modes.deallocate()
  }

  /// The colour that a pixel has most of the time.
  func usual(_ index: Int) -> Mode { colours[index, 0] }

  /// Labels each pixel, and learns it.
  ///
  /// - Parameters:
  ///   - picture: blue, green, red.
  ///   - rate: the weight of this frame, 0…1.
  ///   - kept: where nothing is learnt, so that a player who stands still stays.
  func update(_ picture: UnsafePointer<UInt8>, rate: Float, kept: PixelBox?, _ also: PixelBox?) {
    let (limits, colours, mask) = (self.limits, self.colours, self.mask)
    // The last pixel has none behind it.
    let last = width * height - 1
    var (moved, shaded) = (0, 0)
    func judgeOne(_ index: Int, _ rate: Float) {
      label(index, judge(index, Self.colour(picture + index &* 3), rate))
    }
    func label(_ index: Int, _ label: UInt8) {
      mask[index] = label
      if label > Label.faint {
        if label == Label.moving { moved &+= 1 } else { shaded &+= 1 }
      }
    }
    for row in 0..<height {
      let first = Self.columns(of: kept, row)
      let second = Self.columns(of: also, row)
      func weight(_ column: Int) -> Float {
        let isKept =
          column >= first.left && column <= first.right
          || column >= second.left && column <= second.right
        return isKept ? 0 : rate
      }
      let start = row &* width
      var column = 0
      while column < width {
        let index = start &+ column
        guard index & 3 == 0, column &+ 4 <= width, index &+ 4 <= last else {
          judgeOne(index, weight(column))
          column &+= 1
          continue
        }
        let isKept =
          column &+ 3 >= first.left && column <= first.right
          || column &+ 3 >= second.left && column <= second.right
        if !isKept, judgeUsualFour(index, picture, rate, limits, colours, mask) {
          column &+= 4
          continue
        }
        let rates =
          isKept
          ? SIMD4(weight(column), weight(column &+ 1), weight(column &+ 2), weight(column &+ 3))
          : SIMD4(repeating: rate)
        var (left, unlabelled) = judgeFour(index, picture, rates)
        while left != 0 {
          let lane = left.trailingZeroBitCount
          judgeOne(index &+ lane, rates[lane])
          left &= left &- 1
        }
        while unlabelled != 0 {
          let lane = unlabelled.trailingZeroBitCount
          let place = index &+ lane
          colours.read(place, into: modes)
          let isShaded = isShaded(
            modes,
            Int(colours.used[place]),
            Self.colour(picture + place &* 3)
          )
          label(place, isShaded ? Label.shaded : Label.moving)
          unlabelled &= unlabelled &- 1
        }
        column &+= 4
      }
    }
    moving = Double(moved) / Double(width * height)
    unusual = Double(moved + shaded) / Double(width * height)
  }

  /// Counts what is faint or shaded as moving where a player's body is expected, above the feet.
  func complete(_ body: PixelBox) {
    var above = body
    above.bottom -= body.height * 3 / 10 + 1
    guard let box = above.clipped(width: width, height: height) else { return }
    for row in box.top...box.bottom {
      for index in row * width + box.left...row * width + box.right
      where mask[index] == Label.faint || mask[index] == Label.shaded {
        mask[index] = Label.moving
      }
    }
  }

  private static func columns(of box: PixelBox?, _ row: Int) -> (left: Int, right: Int) {
    guard let box, row >= box.top, row <= box.bottom else { return (.max, -1) }
    return (box.left, box.right)
  }

  private static func colour(_ pixel: UnsafePointer<UInt8>) -> (Float, Float, Float) {
    (Float(Int(pixel[0])), Float(Int(pixel[1])), Float(Int(pixel[2])))
  }

  private func judge(_ index: Int, _ colour: (Float, Float, Float), _ rate: Float) -> UInt8 {
    let before = colours.used[index]
    colours.read(index, into: modes)
    if before == 1 {
      let variance = modes[0].variance
      let off = distance(modes[0], colour)
      if off < limits.fit * variance {
        approach(modes, colour, off, rate)
        colours[index, 0] = modes[0]
        return off < limits.faint * variance ? Label.still : Label.faint
      }
    }
    let isBackground = fits(modes, Int(before), colour)
    var count = before
    if rate > 0 {
      count = learn(modes, Int(before), colour, rate)
      colours.write(index, modes, count: count)
    }
    if isBackground { return before == 1 ? Label.faint : Label.still }
    return isShaded(modes, Int(count), colour) ? Label.shaded : Label.moving
  }
}
