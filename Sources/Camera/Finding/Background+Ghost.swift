extension Background {
  /// How far outside of a blob its surroundings are looked at, in pixels.
  private static let outside = 2
  /// How much stronger the background's edges are than the picture's, for a ghost.
  private static let ghostly = 1.3

  /// What differs from the background is missing in the picture, not added to it: a place where a
  /// player stood while the empty court was learnt.
  ///
  /// A person has edges in the picture that the background doesn't have. A ghost has them in the
  /// background.
  func isGhost(_ box: PixelBox, in picture: UnsafePointer<UInt8>) -> Bool {
    var (now, usually) = (0.0, 0.0)
    for row in max(0, box.top)...min(height - 1, box.bottom) {
      let start = row * width
      var left = max(0, box.left)
      var right = min(width - 1, box.right)
      while left <= right, mask[start + left] != Label.moving { left += 1 }
      while right >= left, mask[start + right] != Label.moving { right -= 1 }
      guard left <= right else { continue }
      for (inside, outside) in [(left, left - Self.outside), (right, right + Self.outside)]
      where outside >= 0 && outside < width {
        now += step(picture, start + inside, start + outside)
        usually += usualStep(start + inside, start + outside)
      }
    }
    return usually > Self.ghostly * now
  }

  private func step(_ picture: UnsafePointer<UInt8>, _ one: Int, _ other: Int) -> Double {
    let (first, second) = (picture + one * 3, picture + other * 3)
    let blue = abs(Int(first[0]) - Int(second[0]))
    let green = abs(Int(first[1]) - Int(second[1]))
    let red = abs(Int(first[2]) - Int(second[2]))
    return Double(blue + green + red)
  }

  private func usualStep(_ one: Int, _ other: Int) -> Double {
    let (first, second) = (usual(one), usual(other))
    let blue = abs(first.blue - second.blue)
    let green = abs(first.green - second.green)
    let red = abs(first.red - second.red)
    return Double(blue + green + red)
  }
}
