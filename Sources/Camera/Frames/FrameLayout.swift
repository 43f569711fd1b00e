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
  /// The distance from one row to the next; only of ``PixelFormat/yuyv``.
  let bytesPerRow: Int

  /// - Parameter bytesPerRow: of YUYV; by default, rows without padding.
  /// - Returns: nil if the picture is larger than any camera's, or its rows are too short.
  package init?(_ pixelFormat: PixelFormat, _ size: PictureSize, bytesPerRow: Int = 0) {
    guard Self.mayBe(size) else { return nil }
    self.pixelFormat = pixelFormat
    self.size = size
    let least = Self.bytes(ofRow: size.width)
    self.bytesPerRow = bytesPerRow == 0 ? least : bytesPerRow
    guard pixelFormat != .yuyv || self.bytesPerRow >= least else { return nil }
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

  /// How many bytes a frame of YUYV has at least: the last row may lack its padding.
  var leastBytes: Int { bytesPerRow * (size.height - 1) + Self.bytes(ofRow: size.width) }

  /// The bytes of a row of YUYV, which has two pixels in four bytes: an odd row ends with a whole
  /// pair.
  private static func bytes(ofRow width: Int) -> Int { (width + 1) / 2 * 4 }
}
