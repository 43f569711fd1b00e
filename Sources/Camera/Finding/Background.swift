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
  struct Mode {
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

  static let modes = 4

  let width: Int
  let height: Int
  let mask: UnsafeMutablePointer<UInt8>
  /// The share of all pixels that move, 0…1.
  private(set) var moving = 0.0
  /// The share of all pixels that aren't as usual, shaded ones too, 0…1.
  private(set) var unusual = 0.0

  let limits: Limits
  let painted: PaintedPixels
  let used: UnsafeMutablePointer<UInt8>
  let model: UnsafeMutablePointer<Mode>

  /// - Parameter painted: where the court's lines are; nil if they aren't known.
  init(width: Int, height: Int, limits: Limits = Limits(), painted: PaintedPixels? = nil) {
    self.width = width
    self.height = height
    self.limits = limits
    self.painted = painted ?? PaintedPixels(width: width, height: height)
    let count = width * height
    mask = .allocate(capacity: count)
    mask.initialize(repeating: Label.still, count: count)
    used = .allocate(capacity: count)
    used.initialize(repeating: 0, count: count)
    model = .allocate(capacity: count * Self.modes)
    let empty = Mode(weight: 0, variance: 0, blue: 0, green: 0, red: 0)
    model.initialize(repeating: empty, count: count * Self.modes)
  }

  deinit {
    mask.deallocate()
    used.deallocate()
    model.deallocate()
  }

  /// The colour that a pixel has most of the time.
  func usual(_ index: Int) -> Mode { model[index * Self.modes] }

  /// Labels each pixel, and learns it.
  ///
  /// - Parameters:
  ///   - picture: blue, green, red.
  ///   - rate: the weight of this frame, 0…1.
  ///   - kept: where nothing is learnt, so that a player who stands still stays.
  func update(_ picture: UnsafePointer<UInt8>, rate: Float, kept: PixelBox?, _ also: PixelBox?) {
    var (moved, shaded) = (0, 0)
    var index = 0
    var row = 0
    while row < height {
      let first = Self.columns(of: kept, row)
      let second = Self.columns(of: also, row)
      var column = 0
      while column < width {
        let isKept =
          column >= first.left && column <= first.right
          || column >= second.left && column <= second.right
        let label = judge(index, picture + index &* 3, isKept ? 0 : rate)
        mask[index] = label
        if label > Label.faint {
          if label == Label.moving { moved &+= 1 } else { shaded &+= 1 }
        }
        index &+= 1
        column &+= 1
      }
      row &+= 1
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
    guard let box, row >= box.top, row <= box.bottom else { return (0, -1) }
    return (box.left, box.right)
  }

  @inline(__always)
  private func judge(_ index: Int, _ pixel: UnsafePointer<UInt8>, _ rate: Float) -> UInt8 {
    let blue = Float(Int(pixel[0]))
    let green = Float(Int(pixel[1]))
    let red = Float(Int(pixel[2]))
    let mode = model + index &* Self.modes
    let count = used[index]
    // Most pixels have one colour and fit it.
    if count == 1 {
      let db = mode.pointee.blue - blue
      let dg = mode.pointee.green - green
      let dr = mode.pointee.red - red
      let distance = db * db + dg * dg + dr * dr
      let variance = mode.pointee.variance
      if distance < limits.fit * variance {
        mode.pointee.blue -= rate * db
        mode.pointee.green -= rate * dg
        mode.pointee.red -= rate * dr
        var next = variance + rate * (distance - variance)
        if next < limits.leastVariance { next = limits.leastVariance }
        if next > limits.mostVariance { next = limits.mostVariance }
        mode.pointee.variance = next
        return distance < limits.faint * variance ? Label.still : Label.faint
      }
    }
    let colour = (blue, green, red)
    let isBackground = fits(mode, Int(count), colour)
    if rate > 0 { used[index] = learn(mode, Int(count), colour, rate) }
    if isBackground { return count == 1 ? Label.faint : Label.still }
    return isShaded(mode, Int(used[index]), colour) ? Label.shaded : Label.moving
  }
}
