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
    /// Darker or lighter than the background, and of its colour.
    static let shaded: UInt8 = 127
    static let moving: UInt8 = 255
  }

  /// How a pixel is judged.
  struct Limits: Sendable {
    /// Squared distance from a colour, in its variances, up to which a pixel is background.
    var background: Float = 16
    /// The same, up to which it is learnt into that colour.
    var fit: Float = 9
    /// Of the sensor's noise, so that a dark pixel's doesn't count as motion.
    var leastVariance: Float = 16
    var mostVariance: Float = 75
    var firstVariance: Float = 15
    /// The heaviest colours that together have this weight are background.
    var share: Float = 0.9
    /// Of the background's brightness: a shadow is not darker, and sunlight not lighter.
    var darkest: Float = 0.45
    var lightest: Float = 1.5
    /// As ``background``, for the colour of what is shaded.
    var shade: Float = 16
  }

  static let modes = 4

  let width: Int
  let height: Int
  let mask: UnsafeMutablePointer<UInt8>
  /// Of all pixels, 0…1: those that move.
  private(set) var moving = 0.0
  /// Of all pixels, 0…1: those that aren't as usual, shaded ones too.
  private(set) var unusual = 0.0

  private let limits: Limits
  private let used: UnsafeMutablePointer<UInt8>
  private let model: UnsafeMutablePointer<Mode>

  init(width: Int, height: Int, limits: Limits = Limits()) {
    self.width = width
    self.height = height
    self.limits = limits
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
        if label != Label.still {
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
        return Label.still
      }
    }
    let colour = (blue, green, red)
    let isBackground = fits(mode, Int(count), colour)
    if rate > 0 { used[index] = learn(mode, Int(count), colour, rate) }
    if isBackground { return Label.still }
    return isShaded(mode, Int(used[index]), colour) ? Label.shaded : Label.moving
  }

  private func distance(_ mode: Mode, _ colour: (Float, Float, Float)) -> Float {
    let (db, dg, dr) = (mode.blue - colour.0, mode.green - colour.1, mode.red - colour.2)
    return db * db + dg * dg + dr * dr
  }

  private func fits(
    _ mode: UnsafeMutablePointer<Mode>,
    _ count: Int,
    _ colour: (Float, Float, Float)
  ) -> Bool {
    var total: Float = 0
    var at = 0
    while at < count, total < limits.share {
      if distance(mode[at], colour) < limits.background * mode[at].variance { return true }
      total += mode[at].weight
      at &+= 1
    }
    return false
  }

  /// - Returns: how many colours the pixel has now.
  private func learn(
    _ mode: UnsafeMutablePointer<Mode>,
    _ before: Int,
    _ colour: (Float, Float, Float),
    _ rate: Float
  ) -> UInt8 {
    // A colour that was seen once too rarely is forgotten: Zivkovic's c_T of 0.05.
    let prune = rate * 0.05
    var count = before
    var fitted = -1
    var total: Float = 0
    var at = 0
    while at < count {
      var weight = (1 - rate) * mode[at].weight - prune
      if fitted < 0 {
        let off = distance(mode[at], colour)
        if off < limits.fit * mode[at].variance {
          fitted = at
          weight += rate
          approach(mode + at, colour, off, rate / weight)
        }
      }
      if weight < prune, at == count - 1 {
        count -= 1
        break
      }
      mode[at].weight = max(weight, 0)
      total += mode[at].weight
      at &+= 1
    }
    if fitted < 0 {
      if count < Self.modes { count += 1 }
      fitted = count - 1
      mode[fitted] = Mode(
        weight: count == 1 ? 1 : rate,
        variance: limits.firstVariance,
        blue: colour.0,
        green: colour.1,
        red: colour.2
      )
    }
    // Heaviest first, and together 1.
    while fitted > 0, mode[fitted].weight > mode[fitted - 1].weight {
      (mode[fitted], mode[fitted - 1]) = (mode[fitted - 1], mode[fitted])
      fitted -= 1
    }
    total = 0
    for at in 0..<count { total += mode[at].weight }
    if total > 0 { for at in 0..<count { mode[at].weight /= total } }
    return UInt8(count)
  }

  private func approach(
    _ mode: UnsafeMutablePointer<Mode>,
    _ colour: (Float, Float, Float),
    _ off: Float,
    _ share: Float
  ) {
    mode.pointee.blue += share * (colour.0 - mode.pointee.blue)
    mode.pointee.green += share * (colour.1 - mode.pointee.green)
    mode.pointee.red += share * (colour.2 - mode.pointee.red)
    let variance = mode.pointee.variance + share * (off - mode.pointee.variance)
    mode.pointee.variance = min(max(variance, limits.leastVariance), limits.mostVariance)
  }

  /// In a shadow, or in sunlight that moved: darker or lighter, of the same colour.
  ///
  /// Source: Prati and others, “Detecting moving shadows” (2003). Without it half of the players are
  /// lost, as the prototype has measured.
  private func isShaded(
    _ mode: UnsafeMutablePointer<Mode>,
    _ count: Int,
    _ colour: (Float, Float, Float)
  ) -> Bool {
    var total: Float = 0
    var at = 0
    while at < count, total <= limits.share {
      let one = mode[at]
      let along = colour.0 * one.blue + colour.1 * one.green + colour.2 * one.red
      let square = one.blue * one.blue + one.green * one.green + one.red * one.red
      if square > 0, along <= limits.lightest * square, along >= limits.darkest * square {
        let light = along / square
        let db = light * one.blue - colour.0
        let dg = light * one.green - colour.1
        let dr = light * one.red - colour.2
        let off = db * db + dg * dg + dr * dr
        if off < limits.shade * one.variance * light { return true }
      }
      total += one.weight
      at &+= 1
    }
    return false
  }
}
