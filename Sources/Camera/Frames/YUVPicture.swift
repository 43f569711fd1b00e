/// Pictures of frames in any layout of brightness and colours: the maths of ``YUYVPicture``.
enum YUVPicture {
  /// Averages squares of `divisor` by `divisor` pixels into one of blue, green and red.
  ///
  /// - Parameter divisor: 1 or even.
  static func shrink(
    _ bytes: UnsafeRawBufferPointer,
    _ samples: YUVLayout,
    width: Int,
    height: Int,
    divisor: Int,
    into pixels: inout [UInt8]
  ) {
    let shrunk = FrameLayout.shrunk(width, divisor) * FrameLayout.shrunk(height, divisor)
    precondition(bytes.count >= samples.leastBytes && pixels.count == shrunk * 3)
    pixels.withUnsafeMutableBufferPointer { pixels in
      var place = 0
      for top in stride(from: 0, to: height, by: divisor) {
        let rows = top..<min(top + divisor, height)
        var left = 0
        while left < width {
          let columns = left..<min(left + divisor, width)
          var sum = ColourSum()
          for row in rows { sum.add(bytes, samples, row: row, columns) }
          sum.write(to: pixels, place, of: Int32(rows.count * columns.count))
          place += 3
          left += divisor
        }
      }
    }
  }

  /// The brightness alone, stretched to 0 to 255 as in JPEG.
  static func luma(
    _ bytes: UnsafeRawBufferPointer,
    _ samples: YUVLayout,
    width: Int,
    height: Int,
    into pixels: inout [UInt8]
  ) {
    precondition(bytes.count >= samples.leastBytes && pixels.count == width * height)
    pixels.withUnsafeMutableBufferPointer { pixels in
      for row in 0..<height {
        var at = samples.luma.start(ofRow: row)
        for column in 0..<width {
          let luma = Int32(bytes[at])
          pixels[row * width + column] = UInt8(clamping: (298 * (luma - 16) + 128) >> 8)
          at += samples.luma.step
        }
      }
    }
  }
}

extension YUVLayout.Channel {
  fileprivate func start(ofRow row: Int) -> Int { first + bytesPerRow * row }
}

extension ColourSum {
  /// Pixels of one row: a single one, or whole pairs and perhaps one more.
  fileprivate mutating func add(
    _ bytes: UnsafeRawBufferPointer,
    _ samples: YUVLayout,
    row: Int,
    _ columns: Range<Int>
  ) {
    let (colourRow, pair) = (row / samples.rowsOfColour, columns.lowerBound / 2)
    var luma = samples.luma.start(ofRow: row) + columns.lowerBound * samples.luma.step
    var blueness = samples.blueness.start(ofRow: colourRow) + pair * samples.blueness.step
    var redness = samples.redness.start(ofRow: colourRow) + pair * samples.redness.step
    for _ in 0..<columns.count / 2 {
      self.luma &+= Int32(bytes[luma]) &+ Int32(bytes[luma + samples.luma.step])
      self.blueness &+= Int32(bytes[blueness]) &* 2
      self.redness &+= Int32(bytes[redness]) &* 2
      luma += samples.luma.step * 2
      blueness += samples.blueness.step
      redness += samples.redness.step
    }
    if columns.count & 1 == 1 {
      self.luma &+= Int32(bytes[luma])
      self.blueness &+= Int32(bytes[blueness])
      self.redness &+= Int32(bytes[redness])
    }
  }
}
