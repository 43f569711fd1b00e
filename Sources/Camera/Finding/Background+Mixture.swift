/// What one pixel does with its mixture of colours.
extension Background {
  /// A colour that was seen once too rarely is forgotten: Zivkovic's c_T.
  static let pruned: Float = 0.05

  func distance(_ mode: Mode, _ colour: (Float, Float, Float)) -> Float {
    let (db, dg, dr) = (mode.blue - colour.0, mode.green - colour.1, mode.red - colour.2)
    return db * db + dg * dg + dr * dr
  }

  func fits(
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
  func learn(
    _ mode: UnsafeMutablePointer<Mode>,
    _ before: Int,
    _ colour: (Float, Float, Float),
    _ rate: Float
  ) -> UInt8 {
    let prune = rate * Self.pruned
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
      if count < PixelColours.most { count += 1 }
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

  func approach(
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
  func isShaded(
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
