import CourtMapping

/// Pictures of frames in YUYV: BT.601 in the video range, 16 to 235, as cameras deliver.
enum YUYVPicture {
  /// Averages squares of `divisor` by `divisor` pixels into one of blue, green and red.
  static func shrink(
    _ bytes: UnsafeRawBufferPointer,
    _ layout: FrameLayout,
    divisor: Int,
    into pixels: inout [UInt8]
  ) {
    let (width, height) = (layout.size.width, layout.size.height)
    precondition(bytes.count >= layout.leastBytes)
    let shrunk = FrameLayout.shrunk(width, divisor) * FrameLayout.shrunk(height, divisor)
    precondition(pixels.count == shrunk * 3)
    pixels.withUnsafeMutableBufferPointer { pixels in
      var place = 0
      for top in stride(from: 0, to: height, by: divisor) {
        for left in stride(from: 0, to: width, by: divisor) {
          var sum = Sum()
          for row in top..<min(top + divisor, height) {
            sum.add(bytes, layout.bytesPerRow * row, left..<min(left + divisor, width))
          }
          sum.write(to: pixels, place)
          place += 3
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

/// The colour of some pixels.
private struct Sum {
  private var luma: Int32 = 0
  private var blueness: Int32 = 0
  private var redness: Int32 = 0
  private var count: Int32 = 0

  /// Pixels of one row.
  mutating func add(_ bytes: UnsafeRawBufferPointer, _ row: Int, _ columns: Range<Int>) {
    var column = columns.lowerBound
    while column < columns.upperBound {
      // Two pixels share their colour.
      let pair = row + (column & ~1) * 2
      luma += Int32(bytes[row + column * 2])
      blueness += Int32(bytes[pair + 1])
      redness += Int32(bytes[pair + 3])
      column += 1
    }
    count += Int32(columns.count)
  }

  /// Source: ITU-R BT.601, in 256ths.
  func write(to pixels: UnsafeMutableBufferPointer<UInt8>, _ place: Int) {
    let c = 298 * (luma - 16 * count) / count
    let d = (blueness - 128 * count) * 256 / count
    let e = (redness - 128 * count) * 256 / count
    pixels[place] = UInt8(clamping: (c + (516 * d) >> 8 + 128) >> 8)
    pixels[place + 1] = UInt8(clamping: (c - (100 * d + 208 * e) >> 8 + 128) >> 8)
    pixels[place + 2] = UInt8(clamping: (c + (409 * e) >> 8 + 128) >> 8)
  }
}
