import CJPEG
import CourtMapping

/// Reads and writes JPEGs with libjpeg-turbo, whose types stay in this file.
package enum JPEGCodec {
  enum Colours {
    case blueGreenRed
    case grey

    fileprivate var bytesPerPixel: Int { self == .grey ? 1 : 3 }
  }

  /// So many stray bytes before a marker cost no pixel: Logitech's C270 and C910, for two, have one to nine
  /// before restart markers. More of them, unless they are padding, mean that what was read before has lost
  /// its way. Source: https://github.com/Motion-Project/motion/issues/65
  private static let mostStray: UInt32 = 16

  /// Reads a picture, shrunk on the way, which costs less than the full size.
  ///
  /// Some cameras' pictures begin twice, have stray bytes, or lack the end mark, and nothing else is wrong.
  /// After any other warning pixels may be missing or made up, as at the cut end of a truncated frame, where
  /// libjpeg fills in grey: such a picture may show a player who isn't there.
  ///
  /// - Parameters:
  ///   - divisor: 1, 2, 4 or 8.
  ///   - pixels: room for the shrunk picture; worth nothing after an error.
  /// - Returns: whether it had faults that cost no pixel.
  static func read(
    _ bytes: UnsafeRawBufferPointer,
    _ header: JPEGHeader,
    divisor: Int,
    _ colours: Colours,
    into pixels: inout [UInt8]
  ) throws(PictureProblem) -> Bool {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes[header.start...])
    do throws(PictureProblem) {
      return try readOnce(bytes, header.size, divisor, colours, &pixels) || header.start > 0
    } catch {
      // It may have been cut, and be followed by a whole one.
      guard let begin = lastBegin(of: bytes), begin > 0 else { throw error }
      let last = UnsafeRawBufferPointer(rebasing: bytes[begin...])
      guard (try? JPEGHeader(last))?.size == header.size else { throw error }
      _ = try readOnce(last, header.size, divisor, colours, &pixels)
      return true
    }
  }

  private static func lastBegin(of bytes: UnsafeRawBufferPointer) -> Int? {
    bytes.indices.dropFirst().dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 }
  }

  private static func readOnce(
    _ bytes: UnsafeRawBufferPointer,
    _ size: PictureSize,
    _ divisor: Int,
    _ colours: Colours,
    _ pixels: inout [UInt8]
  ) throws(PictureProblem) -> Bool {
    let width = FrameLayout.shrunk(size.width, divisor)
    let height = FrameLayout.shrunk(size.height, divisor)
    precondition(pixels.count == width * height * colours.bytesPerPixel)
    var reading = jpeg_reading()
    pixels.withUnsafeMutableBufferPointer { pixels in
      jpeg_picture_read(
        bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
        UInt(bytes.count),
        Int32(divisor),
        colours == .grey ? 1 : 0,
        mostStray,
        pixels.baseAddress,
        Int32(width),
        Int32(height),
        &reading
      )
    }
    guard reading.problem.0 != 0 else { return reading.has_faults != 0 }
    let problem = withUnsafeBytes(of: reading.problem) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    throw PictureProblem(reading.is_cut != 0 ? .truncated : .corrupt, problem)
  }

  /// - Parameter quality: 1 to 100.
  package static func write(
    _ picture: ColourPicture,
    quality: Int = 90
  ) throws(PictureProblem) -> [UInt8] {
    var written: UnsafeMutablePointer<UInt8>?
    defer { free(written) }
    var count: UInt = 0
    let status = jpeg_picture_write(
      picture.bytes,
      Int32(picture.width),
      Int32(picture.height),
      Int32(quality),
      2,
      1,
      &written,
      &count
    )
    guard status == 0 else { throw PictureProblem(.unsupported, "libjpeg can't write it") }
    return Array(UnsafeBufferPointer(start: written, count: Int(count)))
  }
}
