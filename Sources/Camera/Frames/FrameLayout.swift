package import CourtMapping

/// What all frames of a source have in common.
package struct FrameLayout: Hashable, Sendable {
  /// What no camera exceeds: 4K in either direction. What claims to be larger is refused before
  /// memory is reserved for it.
  package static let longestSide = 4096
  package static let mostPixels = 4096 * 2304
  /// How wide the small picture is at least, where the frame is: narrower ones lose a far player.
  private static let smallWidth = 320

  package let pixelFormat: PixelFormat
  package let size: PictureSize
  /// Where its bytes are; nil of a JPEG.
  let samples: YUVLayout?

  /// - Parameters:
  ///   - bytesPerRow: of brightness; by default, rows without padding.
  ///   - colourBytesPerRow: of colours that come in memory of their own.
  /// - Returns: nil if the picture is larger than any camera's, its rows are too short, or its format
  ///   isn't ``PixelFormat/readable``.
  package init?(
    _ pixelFormat: PixelFormat,
    _ size: PictureSize,
    bytesPerRow: Int = 0,
    colourBytesPerRow: Int = 0
  ) {
    guard Self.mayBe(size) else { return nil }
    self.pixelFormat = pixelFormat
    self.size = size
    samples = YUVLayout(
      pixelFormat,
      size,
      bytesPerRow: bytesPerRow,
      colourBytesPerRow: colourBytesPerRow
    )
    guard pixelFormat == .mjpeg || samples != nil else { return nil }
  }

  static func mayBe(_ size: PictureSize) -> Bool {
    max(size.width, size.height) <= longestSide && size.width * size.height <= mostPixels
  }

  /// By how much a frame is shrunk to the small picture that the player is searched in: a whole
  /// number that JPEG's scaled decoding knows.
  package var divisor: Int {
    [8, 4, 2].first { size.width / $0 >= Self.smallWidth } ?? 1
  }

  /// The small picture's size; what the division leaves over makes a last, narrower column or row.
  package var smallWidth: Int { Self.shrunk(size.width, divisor) }
  package var smallHeight: Int { Self.shrunk(size.height, divisor) }

  static func shrunk(_ side: Int, _ divisor: Int) -> Int { (side + divisor - 1) / divisor }

  /// How many bytes a frame has at least; 0 of a JPEG.
  var leastBytes: Int { samples?.leastBytes ?? 0 }
}
