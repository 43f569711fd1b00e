import CTurboJPEG
import CourtMapping

/// Reads and writes JPEGs with libturbojpeg, whose types stay in this file.
package final class JPEGCodec {
  enum Colours {
    case blueGreenRed
    case grey

    fileprivate var pixelFormat: TJPF { self == .grey ? TJPF_GRAY : TJPF_BGR }
    fileprivate var bytesPerPixel: Int { self == .grey ? 1 : 3 }
  }

  private let reader: tjhandle

  init() {
    guard let reader = tjInitDecompress() else {
      preconditionFailure("no memory for libturbojpeg")
    }
    self.reader = reader
  }

  deinit { tjDestroy(reader) }

  /// Source: jerror.h, JWRN_JPEG_EOF.
  private static let endMissing = "Premature end of JPEG file"

  /// Reads a picture, shrunk on the way, which costs less than the full size.
  ///
  /// After any warning pixels may be missing or made up, as at the cut end of a truncated frame, where
  /// libjpeg fills in grey: such a picture may show a player who isn't there. Only the first warning's
  /// text is known, and even a harmless one, of padding before the end mark, comes first where half of
  /// the picture is missing behind a restart marker.
  ///
  /// - Parameters:
  ///   - divisor: 1, 2, 4 or 8.
  ///   - pixels: room for the shrunk picture; worth nothing after an error.
  func read(
    _ bytes: UnsafeRawBufferPointer,
    _ header: JPEGHeader,
    divisor: Int,
    _ colours: Colours,
    into pixels: inout [UInt8]
  ) throws(PictureProblem) {
    let width = FrameLayout.shrunk(header.size.width, divisor)
    let height = FrameLayout.shrunk(header.size.height, divisor)
    precondition(pixels.count == width * height * colours.bytesPerPixel)
    let status = pixels.withUnsafeMutableBufferPointer { pixels in
      tjDecompress2(
        reader,
        bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
        UInt(bytes.count),
        pixels.baseAddress,
        Int32(width),
        Int32(width * colours.bytesPerPixel),
        Int32(height),
        Int32(colours.pixelFormat.rawValue),
        TJFLAG_FASTDCT | TJFLAG_FASTUPSAMPLE | TJFLAG_LIMITSCANS
      )
    }
    guard status != 0 else { return }
    let text = String(cString: tjGetErrorStr2(reader))
    throw PictureProblem(text == Self.endMissing ? .truncated : .corrupt, text)
  }

  /// - Parameter quality: 1 to 100.
  package static func write(
    _ picture: ColourPicture,
    quality: Int = 90
  ) throws(PictureProblem) -> [UInt8] {
    guard let writer = tjInitCompress() else {
      throw PictureProblem(.unsupported, "no memory for libturbojpeg")
    }
    defer { tjDestroy(writer) }
    var written: UnsafeMutablePointer<UInt8>?
    defer { tjFree(written) }
    var count: UInt = 0
    let status = tjCompress2(
      writer,
      picture.bytes,
      Int32(picture.width),
      0,
      Int32(picture.height),
      Int32(TJPF_BGR.rawValue),
      &written,
      &count,
      Int32(TJSAMP_422.rawValue),
      Int32(quality),
      TJFLAG_ACCURATEDCT
    )
    guard status == 0 else {
      throw PictureProblem(.unsupported, String(cString: tjGetErrorStr2(writer)))
    }
    return Array(UnsafeBufferPointer(start: written, count: Int(count)))
  }
}
