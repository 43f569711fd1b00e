/// Pictures of frames that are not compressed: BT.601 in the video range, 16 to 235, as cameras deliver.
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

/// The colour of some pixels.
private struct ColourSum {
  var luma: Int32 = 0
  var blueness: Int32 = 0
  var redness: Int32 = 0

  /// Pixels of one row: a single one, or whole pairs and perhaps one more.
  mutating func add(
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

  /// Source: ITU-R BT.601, in 256ths.
  func write(to pixels: UnsafeMutableBufferPointer<UInt8>, _ place: Int, of count: Int32) {
    let c = 298 &* (luma &- 16 &* count) / count
    let d = (blueness &- 128 &* count) &* 256 / count
    let e = (redness &- 128 &* count) &* 256 / count
    pixels[place] = UInt8(clamping: (c &+ (516 &* d) >> 8 &+ 128) >> 8)
    pixels[place + 1] = UInt8(clamping: (c &- (100 &* d &+ 208 &* e) >> 8 &+ 128) >> 8)
    pixels[place + 2] = UInt8(clamping: (c &+ (409 &* e) >> 8 &+ 128) >> 8)
  }
}
