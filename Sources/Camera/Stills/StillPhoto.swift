package import CourtMapping

/// A picture of the court from a file, as a person sees it.
package struct StillPhoto: Sendable {
  /// Perhaps smaller than the file's.
  package let picture: GreyPicture
  /// The file's size, turned: that of points which a person reads from it.
  package let size: PictureSize
  package let turn: PictureTurn

  package static let mostPixels = JPEGHeader.Use.mostPixelsOfPhoto

  /// A JPEG, progressive or not.
  package init(jpeg bytes: [UInt8]) throws(PictureProblem) {
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(PictureProblem) in try StillPhoto(bytes) }
    }.get()
  }

  private init(_ bytes: UnsafeRawBufferPointer) throws(PictureProblem) {
    let header = try JPEGHeader(bytes, of: .photo)
    let (width, height) = (header.size.width, header.size.height)
    // One that is larger than any camera's frame is shrunk on the way.
    let divisor =
      [1, 2, 4].first {
        let size = PictureSize(
          width: FrameLayout.shrunk(width, $0),
          height: FrameLayout.shrunk(height, $0)
        )
        return size.map(FrameLayout.mayBe) ?? false
      } ?? 8
    var picture = GreyPicture(
      width: FrameLayout.shrunk(width, divisor),
      height: FrameLayout.shrunk(height, divisor)
    )
    _ = try JPEGCodec.read(bytes, header, divisor: divisor, .grey, into: &picture.bytes)
    turn = PictureTurn(bytes)
    self.picture = turn.applied(to: picture)
    size = turn.isQuarter ? header.size.turned : header.size
  }

  /// A picture in grey as ffmpeg prints it: P5 of the Netpbm formats.
  package init(pgm bytes: [UInt8]) throws(PictureProblem) {
    let parts = bytes.prefix(40).split(maxSplits: 4, omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ")
    }
    let words = parts.prefix(4).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 5, words[0] == "P5", words[3] == "255", let width = Int(words[1]),
      let height = Int(words[2])
    else { throw PictureProblem(.corrupt, "it is no picture in grey") }
    guard let size = PictureSize(width: width, height: height),
      width * height <= Self.mostPixels
    else {
      throw PictureProblem(.badSize, "it claims to be \(width) × \(height)")
    }
    let pixels = bytes[parts[4].startIndex...]
    guard pixels.count == width * height else {
      throw PictureProblem(.truncated, "it has \(pixels.count) of \(width * height) pixels")
    }
    var picture = GreyPicture(width: width, height: height)
    picture.bytes = Array(pixels)
    self.picture = picture
    self.size = size
    turn = .none
  }

  /// The size that a HEIC says of itself: the largest of its parts'. Source: ISO/IEC 23008-12, the box
  /// `ispe`.
  package static func largestPart(ofHEIC bytes: [UInt8]) -> Int {
    let head = bytes.prefix(1 << 16)
    let name = Array("ispe".utf8)
    return head.indices.dropLast(16).reduce(0) { most, place in
      guard head[place] == name[0], head[place...].starts(with: name) else { return most }
      func number(_ at: Int) -> Int {
        head[(place + at)...].prefix(4).reduce(0) { $0 << 8 | Int($1) }
      }
      return max(most, number(8) * number(12))
    }
  }
}

extension PictureSize {
  fileprivate var turned: PictureSize {
    PictureSize(width: height, height: width) ?? self
  }
}
