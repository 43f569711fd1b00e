extension Background {
  /// How far outside of a blob its surroundings are looked at, in pixels.
  private static let outside = 2
  /// How much stronger the background's edges are than the picture's, for a ghost.
  private static let ghostly = 2.0
  /// The least sum of edges at both ends of a row, over all channels: less may be noise.
  private static let leastEdges = 60.0

  /// What differs from the background is missing in the picture, not added to it: a place where a
  /// player stood while the empty court was learnt.
  ///
  /// A person has edges in the picture that the background doesn't have. A ghost has them in the
  /// background. Each row has one voice: a person in clothes of the court's colour who hides a line
  /// would be outvoted by that line's strong edges.
  func isGhost(_ box: PixelBox, in picture: UnsafePointer<UInt8>) -> Bool {
    var (ghosts, persons) = (0, 0)
    forEachRow(of: box) { row, columns in
      var (now, usually) = (0.0, 0.0)
      forEachEnd(of: columns, in: row) { inside, outside in
        now += step(picture, inside, outside)
        usually += usualStep(inside, outside)
      }
      if usually > Self.ghostly * now { ghosts += 1 }
      if now > usually { persons += 1 }
    }
    return ghosts > persons
  }

  /// What moves in the box is clearly a person, and nothing of a ghost hangs together with it: most ends
  /// of its rows have their edges in the picture. The feet's have too, since the place is theirs.
  func isPerson(_ box: PixelBox, in picture: UnsafePointer<UInt8>) -> Bool {
    var feet = box
    feet.top = feet.bottom - max(1, feet.height / 4) + 1
    return hasPersonsEdges(box, picture) && hasPersonsEdges(feet, picture)
  }

  private func hasPersonsEdges(_ box: PixelBox, _ picture: UnsafePointer<UInt8>) -> Bool {
    var (ghosts, persons) = (0, 0)
    forEachRow(of: box) { row, columns in
      forEachEnd(of: columns, in: row) { inside, outside in
        let (now, usually) = (step(picture, inside, outside), usualStep(inside, outside))
        guard max(now, usually) > Self.leastEdges / 2 else { return }
        if usually > Self.ghostly * now { ghosts += 1 }
        if now > Self.ghostly * usually { persons += 1 }
      }
    }
    return ghosts < persons
  }

  /// Calls the body with what moves in each row of the box, from the first such pixel to the last.
  private func forEachRow(of box: PixelBox, _ body: (Int, ClosedRange<Int>) -> Void) {
    guard let box = box.clipped(width: width, height: height) else { return }
    for row in box.top...box.bottom {
      let start = row * width
      var (left, right) = (box.left, box.right)
      while left <= right, mask[start + left] != Label.moving { left += 1 }
      while right >= left, mask[start + right] != Label.moving { right -= 1 }
      if left <= right { body(row, left...right) }
    }
  }

  /// Calls the body with the pixels on both sides of each end of a part of a row, where the picture has
  /// both.
  private func forEachEnd(
    of columns: ClosedRange<Int>,
    in row: Int,
    _ body: (_ inside: Int, _ outside: Int) -> Void
  ) {
    let start = row * width
    for (inside, outside) in [
      (columns.lowerBound, columns.lowerBound - Self.outside),
      (columns.upperBound, columns.upperBound + Self.outside),
    ] where 0..<width ~= outside {
      body(start + inside, start + outside)
    }
  }

  /// Whether a part of a row is a ghost's, not a person's.
  ///
  /// Where a person stood on a painted line while the court was learnt, the line's edge is in the picture
  /// and not in the background, as a person's edges are. So it has no voice.
  ///
  /// - Returns: nil if neither the background nor the picture has clear edges at the row's ends.
  func isGhost(
    _ row: Int,
    _ columns: ClosedRange<Int>,
    in picture: UnsafePointer<UInt8>
  ) -> Bool? {
    var (now, usually) = (0.0, 0.0)
    forEachEnd(of: columns, in: row) { inside, outside in
      // Beside a moving pixel there is no edge to judge.
      guard mask[outside] != Label.moving,
        !painted.contains(min(inside, outside)...max(inside, outside))
      else { return }
      now += step(picture, inside, outside)
      usually += usualStep(inside, outside)
    }
    if usually > Self.ghostly * now, usually > Self.leastEdges { return true }
    return now > usually ? false : nil
  }

  /// Takes the picture for the background where something moves in a box.
  func learn(_ box: PixelBox, _ picture: UnsafePointer<UInt8>) {
    guard let box = box.clipped(width: width, height: height) else { return }
    for row in box.top...box.bottom {
      for column in box.left...box.right where mask[row * width + column] == Label.moving {
        learn(row, column...column, picture)
      }
    }
  }

  /// Takes the picture for the background in a pixel that looks as the court around it, or as a mixture
  /// of what is around it: the edge of a painted line.
  func learnAsAround(_ index: Int, _ picture: UnsafePointer<UInt8>) {
    let (row, column) = (index / width, index % width)
    var low = SIMD3<Float>(repeating: .infinity)
    var high = -low
    for near in max(row - 1, 0)...min(row + 1, height - 1) {
      for beside in max(column - 1, 0)...min(column + 1, width - 1) {
        guard mask[near * width + beside] <= Label.faint else { continue }
        let mode = usual(near * width + beside)
        let colour = SIMD3(mode.blue, mode.green, mode.red)
        let reach = SIMD3(repeating: (limits.fit * mode.variance).squareRoot())
        low = pointwiseMin(low, colour - reach)
        high = pointwiseMax(high, colour + reach)
      }
    }
    let pixel = picture + index * 3
    let colour = SIMD3(Float(Int(pixel[0])), Float(Int(pixel[1])), Float(Int(pixel[2])))
    if all(colour .>= low), all(colour .<= high) { learn(row, column...column, picture) }
  }

  /// Takes the picture for the background in a part of a row.
  func learn(_ row: Int, _ columns: ClosedRange<Int>, _ picture: UnsafePointer<UInt8>) {
    let start = row * width
    for index in start + columns.lowerBound...start + columns.upperBound {
      let pixel = picture + index * 3
      let mode = Mode(
        weight: 1,
        variance: limits.firstVariance,
        blue: Float(Int(pixel[0])),
        green: Float(Int(pixel[1])),
        red: Float(Int(pixel[2]))
      )
      colours[index, 0] = mode
      colours.used[index] = 1
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
