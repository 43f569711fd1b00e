import CTurboJPEG

/// Pictures as a camera sends them.
package enum JPEG {
  /// - Parameters:
  ///   - bytes: blue, green, red, row by row.
  ///   - halvesColour: as most cameras do.
  /// - Returns: nil where libturbojpeg has no memory.
  package static func encode(
    _ bytes: [UInt8],
    width: Int,
    height: Int,
    quality: Int32 = 85,
    halvesColour: Bool = true
  ) -> [UInt8]? {
    guard let encoder = tjInitCompress() else { return nil }
    defer { tjDestroy(encoder) }
    var packed: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(packed) }
    let result = tjCompress2(
      encoder,
      bytes,
      Int32(width),
      0,
      Int32(height),
      Int32(TJPF_BGR.rawValue),
      &packed,
      &count,
      Int32((halvesColour ? TJSAMP_420 : TJSAMP_444).rawValue),
      quality,
      0
    )
    guard result == 0, let packed else { return nil }
    return Array(UnsafeBufferPointer(start: packed, count: Int(count)))
  }

  /// Blue, green, red, row by row, of a JPEG of that size.
  static func decode(_ packed: [UInt8], width: Int, height: Int, into bytes: inout [UInt8]) -> Bool
  {
    guard let decoder = tjInitDecompress() else { return false }
    defer { tjDestroy(decoder) }
    let result = tjDecompress2(
      decoder,
      packed,
      UInt(packed.count),
      &bytes,
      Int32(width),
      0,
      Int32(height),
      Int32(TJPF_BGR.rawValue),
      0
    )
    return result == 0
  }
}
