import CourtMapping

/// Pictures of frames in YUYV: BT.601 in the video range, 16 to 235, as cameras deliver.
enum YUYVPicture {
  /// Averages squares of `divisor` by `divisor` pixels into one of blue, green and red.
  ///
  /// - Parameter divisor: 1 or even.
  static func shrink(
    _ bytes: UnsafeRawBufferPointer,
    _ layout: FrameLayout,
    divisor: Int,
    into pixels: inout [UInt8]
  ) {
    let (width, height) = (layout.size.width, layout.size.height)
    let shrunk = FrameLayout.shrunk(width, divisor) * FrameLayout.shrunk(height, divisor)
    precondition(bytes.count >= layout.leastBytes && pixels.count == shrunk * 3)
    pixels.withUnsafeMutableBufferPointer { pixels in
      var place = 0
      for top in stride(from: 0, to: height, by: divisor) {
        let rows = top..<min(top + divisor, height)
        var left = 0
        while left < width {
          let columns = left..<min(left + divisor, width)
          var sum = ColourSum()
          for row in rows {
            sum.add(bytes, layout.bytesPerRow * row + (left & ~1) * 2, columns)
          }
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
    _ layout: FrameLayout,
    into pixels: inout [UInt8]
  ) {
    let width = layout.size.width
    precondition(bytes.count >= layout.leastBytes && pixels.count == width * layout.size.height)
    pixels.withUnsafeMutableBufferPointer { pixels in
      for row in 0..<layout.size.height {
        for column in 0..<width {
          let luma = Int32(bytes[layout.bytesPerRow * row + column * 2])
          pixels[row * width + column] = UInt8(clamping: (298 * (luma - 16) + 128) >> 8)
        }
      }
    }
  }
}

/// The colour of some pixels. Two in a row share theirs.
struct ColourSum {
  var luma: Int32 = 0
  var blueness: Int32 = 0
  var redness: Int32 = 0

  /// Pixels of one row.
  ///
  /// - Parameter first: where the pair of the first one is.
  mutating func add(_ bytes: UnsafeRawBufferPointer, _ first: Int, _ columns: Range<Int>) {
    var pair = first
    for _ in 0..<columns.count / 2 {
      luma &+= Int32(bytes[pair]) &+ Int32(bytes[pair + 2])
      blueness &+= Int32(bytes[pair + 1]) &* 2
      redness &+= Int32(bytes[pair + 3]) &* 2
      pair += 4
    }
    // One of a pair: a divisor of 1, or the end of an odd row.
    if columns.count & 1 == 1 {
      luma &+= Int32(bytes[pair + ((columns.upperBound - 1) & 1) * 2])
      blueness &+= Int32(bytes[pair + 1])
      redness &+= Int32(bytes[pair + 3])
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
