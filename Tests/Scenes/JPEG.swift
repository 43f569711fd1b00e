import CJPEG

/// Pictures as a camera sends them.
package enum JPEG {
  /// - Parameter bytes: blue, green, red, row by row.
  /// - Returns: nil where libjpeg has no memory.
  package static func encode(_ bytes: [UInt8], width: Int, height: Int, quality: Int32 = 85)
    -> [UInt8]?
  {
    var packed: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { free(packed) }
    let result = jpeg_picture_write(bytes, Int32(width), Int32(height), quality, 1, &packed, &count)
    guard result == 0, let packed else { return nil }
    return Array(UnsafeBufferPointer(start: packed, count: Int(count)))
  }
}
