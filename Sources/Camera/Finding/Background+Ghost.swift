extension Background {
  /// How far outside of a blob its surroundings are looked at, in pixels.
  private static let outside = 2
  /// How much stronger the background's edges are than the picture's, for a ghost.
  private static let ghostly = 2.0
  /// Of both ends of a row, all channels: less may be noise.
  private static let leastEdges = 60.0

  /// What differs from the background is missing in the picture, not added to it: a place where a
  /// player stood while the empty court was learnt.
  ///
  /// A person has edges in the picture that the background doesn't have. A ghost has them in the
  /// background. Each row has one voice: a person in clothes of the court's colour who hides a line
  /// would be outvoted by that line's strong edges.
  func isGhost(_ box: PixelBox, in picture: UnsafePointer<UInt8>) -> Bool {
    var (ghosts, persons) = (0, 0)
    for row in max(0, box.top)...min(height - 1, box.bottom) {
      let start = row * width
      var left = max(0, box.left)
      var right = min(width - 1, box.right)
      while left <= right, mask[start + left] != Label.moving { left += 1 }
      while right >= left, mask[start + right] != Label.moving { right -= 1 }
      guard left <= right else { continue }
      var (now, usually) = (0.0, 0.0)
      for (inside, outside) in [(left, left - Self.outside), (right, right + Self.outside)]
      where outside >= 0 && outside < width {
        now += step(picture, start + inside, start + outside)
        usually += usualStep(start + inside, start + outside)
      }
      if usually > Self.ghostly * now { ghosts += 1 }
      if now > usually { persons += 1 }
    }
    return ghosts > persons
  }

  /// Takes the picture for the background in a part of a row, if it is a ghost's.
  func heal(_ row: Int, _ columns: ClosedRange<Int>, _ picture: UnsafePointer<UInt8>) {
    let start = row * width
    var (now, usually) = (0.0, 0.0)
    for (inside, outside) in [
      (columns.lowerBound, columns.lowerBound - Self.outside),
      (columns.upperBound, columns.upperBound + Self.outside),
    ] where outside >= 0 && outside < width {
      now += step(picture, start + inside, start + outside)
      usually += usualStep(start + inside, start + outside)
    }
    guard usually > Self.ghostly * now, usually > Self.leastEdges else { return }
    for index in start + columns.lowerBound...start + columns.upperBound {
      let pixel = picture + index * 3
      model[index * Self.modes] = Mode(
        weight: 1,
        variance: limits.firstVariance,
        blue: Float(Int(pixel[0])),
        green: Float(Int(pixel[1])),
        red: Float(Int(pixel[2]))
      )
      used[index] = 1
      mask[index] = Label.still
    }
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
