import CJPEG

/// Pictures as a camera sends them.
package enum JPEG {
  /// - Parameters:
  ///   - bytes: blue, green, red, row by row.
  ///   - halvesColour: as most cameras do.
  /// - Returns: nil where libjpeg has no memory.
  package static func encode(
    _ bytes: [UInt8],
    width: Int,
    height: Int,
    quality: Int32 = 85,
    halvesColour: Bool = true
  ) -> [UInt8]? {
    var packed: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { free(packed) }
    let share: Int32 = halvesColour ? 2 : 1
    let result =
      jpeg_picture_write(bytes, Int32(width), Int32(height), quality, share, share, &packed, &count)
    guard result == 0, let packed else { return nil }
    return Array(UnsafeBufferPointer(start: packed, count: Int(count)))
  }

  /// Blue, green, red, row by row, of a JPEG of that size.
  static func decode(_ packed: [UInt8], width: Int, height: Int, into bytes: inout [UInt8]) -> Bool
  {
    var reading = jpeg_reading()
    jpeg_picture_read(
      packed,
      UInt(packed.count),
      1,
      0,
      0,
      &bytes,
      Int32(width),
      Int32(height),
      &reading
    )
    return reading.problem.0 == 0
  }
}
