import CourtMapping

/// Makes pictures of frames. Give it the same picture again and again, and it allocates nothing.
package final class FrameDecoder {
  /// How many small pictures were made of frames with faults that cost no pixel.
  package private(set) var forgiven = 0
  /// Whether the last JPEG had such faults.
  private var isForgiving = false

  package init() {}

  /// The small picture that the player is searched in, see ``FrameLayout/divisor``.
  ///
  /// - Parameter picture: replaced if it has another size; worth nothing after an error.
  package func readSmall(
    _ frame: borrowing Frame,
    into picture: inout ColourPicture
  ) throws(PictureProblem) {
    try read(frame, divisor: frame.layout.divisor, into: &picture)
    if isForgiving { forgiven += 1 }
  }

  /// The whole picture in grey.
  ///
  /// - Parameter picture: replaced if it has another size; worth nothing after an error.
  package func readGrey(
    _ frame: borrowing Frame,
    into picture: inout GreyPicture
  ) throws(PictureProblem) {
    let size = frame.layout.size
    if picture.width != size.width || picture.height != size.height {
      picture = GreyPicture(width: size.width, height: size.height)
    }
    if let header = try header(frame) {
      try read(frame.bytes, header, divisor: 1, .grey, into: &picture.bytes)
    } else if let samples = frame.layout.samples {
      YUVPicture.luma(
        frame.bytes,
        samples,
        width: size.width,
        height: size.height,
        into: &picture.bytes
      )
    }
  }

  /// The whole picture as a JPEG that any program can show: a camera's own, if it is complete.
  package func still(_ frame: borrowing Frame) throws(PictureProblem) -> [UInt8] {
    var picture = ColourPicture(width: 0, height: 0)
    // Reading it shows whether it is good.
    try read(frame, divisor: 1, into: &picture)
    if !isForgiving, try header(frame)?.hasHuffmanTables == true { return Array(frame.bytes) }
    return try JPEGCodec.write(picture)
  }

  /// A small picture as a JPEG: as large and as good as it may be, and with nothing of the camera's own
  /// file but its pixels.
  ///
  /// - Parameter longest: the bytes that it may have.
  package func smallStill(
    _ frame: borrowing Frame,
    longest: Int
  ) throws(PictureProblem) -> [UInt8] {
    var picture = ColourPicture(width: 0, height: 0)
    for divisor in [1, 2, 4, 8] {
      guard divisor == 8 || frame.layout.size.width / divisor <= 1000 else { continue }
      try read(frame, divisor: divisor, into: &picture)
      for quality in [80, 60, 40] {
        let still = try JPEGCodec.write(picture, quality: quality)
        if still.count <= longest { return still }
      }
    }
    throw PictureProblem(.unsupported, "it can't be made as short as \(longest) bytes")
  }

  private func read(
    _ frame: borrowing Frame,
    divisor: Int,
    into picture: inout ColourPicture
  ) throws(PictureProblem) {
    let header = try header(frame)
    let width = FrameLayout.shrunk(frame.layout.size.width, divisor)
    let height = FrameLayout.shrunk(frame.layout.size.height, divisor)
    if picture.width != width || picture.height != height {
      picture = ColourPicture(width: width, height: height)
    }
    if let header {
      try read(frame.bytes, header, divisor: divisor, .blueGreenRed, into: &picture.bytes)
    } else if let samples = frame.layout.samples {
      YUVPicture.shrink(
        frame.bytes,
        samples,
        width: frame.layout.size.width,
        height: frame.layout.size.height,
        divisor: divisor,
        into: &picture.bytes
      )
    }
  }

  /// Reads a JPEG, with faults that cost no pixel, too.
  private func read(
    _ bytes: UnsafeRawBufferPointer,
    _ header: JPEGHeader,
    divisor: Int,
    _ colours: JPEGCodec.Colours,
    into pixels: inout [UInt8]
  ) throws(PictureProblem) {
    isForgiving = try JPEGCodec.read(bytes, header, divisor: divisor, colours, into: &pixels)
  }

  /// Checks a frame before memory is reserved for its picture.
  ///
  /// - Returns: nil of a frame that is no JPEG.
  private func header(_ frame: borrowing Frame) throws(PictureProblem) -> JPEGHeader? {
    guard frame.layout.pixelFormat == .mjpeg else {
      guard frame.bytes.count >= frame.layout.leastBytes else {
        throw PictureProblem(
          .truncated,
          "it has \(frame.bytes.count) of \(frame.layout.leastBytes) bytes"
        )
      }
      return nil
    }
    let header = try JPEGHeader(frame.bytes)
    guard header.size == frame.layout.size else {
      throw PictureProblem(
        .otherSize,
        "it is \(header.size.width) × \(header.size.height), not "
          + "\(frame.layout.size.width) × \(frame.layout.size.height)"
      )
    }
    return header
  }
}

extension GreyPicture {
  /// Decodes a still picture.
  package init(jpeg bytes: [UInt8]) throws(PictureProblem) {
    var picture = GreyPicture(width: 0, height: 0)
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(PictureProblem) in
        let header = try JPEGHeader(bytes)
        picture = GreyPicture(width: header.size.width, height: header.size.height)
        _ = try JPEGCodec.read(bytes, header, divisor: 1, .grey, into: &picture.bytes)
      }
    }.get()
    self = picture
  }
}
