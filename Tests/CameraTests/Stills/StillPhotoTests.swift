import CourtMapping
import Foundation
import Testing

@testable import Camera

@Suite struct StillPhotoTests {
  /// A progressive JPEG of 16 by 16 pixels, the left half black and the right half white: made by
  /// Pillow, not by this program.
  private static let progressive = [UInt8](
    Data(
      base64Encoded: """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZG\
        NywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wgALCAAQABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAABwb/2gAIAQEA\
        AAABl08wT//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEAAQUCH//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAI\
        AQEABj8CH//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEAAT8hH//aAAgBAQAAABCv/8QAFBABAAAAAAAAAAAA\
        AAAAAAAAIP/aAAgBAQABPxAf/9k=
        """
    )!
  )

  private static func withTurn(_ orientation: UInt8, _ jpeg: [UInt8], isLittle: Bool) -> [UInt8] {
    let tiff: [UInt8] =
      isLittle
      ? Array("II*\0".utf8) + [8, 0, 0, 0, 2, 0, 0x0F, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        + [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
      : Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
    let content = Array("Exif\0\0".utf8) + tiff
    return jpeg.prefix(2) + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + jpeg.dropFirst(2)
  }

  /// Brightness of the four corners' squares: upper left, upper right, lower left, lower right.
  private func corners(_ picture: GreyPicture) -> [Int] {
    let (right, low) = (picture.width - 4, picture.height - 4)
    return [(4, 4), (right, 4), (4, low), (right, low)].map { x, y in
      Int(picture.bytes[y * picture.width + x]) / 64
    }
  }

  @Test func aProgressivePictureIsReadAsAStillAlone() throws {
    let photo = try StillPhoto(jpeg: Self.progressive)
    #expect(photo.size == PictureSize(width: 16, height: 16) && photo.turn == .none)
    #expect(corners(photo.picture) == [0, 3, 0, 3])
    let problem = Self.progressive.withUnsafeBytes { bytes in
      do throws(PictureProblem) {
        _ = try JPEGHeader(bytes)
        return nil as PictureProblem.Code?
      } catch {
        return error.code
      }
    }
    #expect(problem == .unsupported)
  }

  /// The orientation, and where the corners of the file's picture are then.
  @Test(
    arguments: [
      (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [3, 2, 1, 0]), (4, [2, 3, 0, 1]),
      (5, [0, 2, 1, 3]), (6, [2, 0, 3, 1]), (7, [3, 1, 2, 0]), (8, [1, 3, 0, 2]),
    ]
  )
  func aPictureIsTurnedAsItsCameraSays(orientation: Int, expected: [Int]) throws {
    var picture = ColourPicture(width: 48, height: 32)
    for y in 0..<32 {
      for x in 0..<48 {
        let level = UInt8((y < 16 ? 0 : 2) + (x < 24 ? 0 : 1)) * 64 + 32
        for colour in 0..<3 { picture.bytes[(y * 48 + x) * 3 + colour] = level }
      }
    }
    let jpeg = try JPEGCodec.write(picture)
    for isLittle in [false, true] {
      let photo = try StillPhoto(
        jpeg: Self.withTurn(UInt8(orientation), jpeg, isLittle: isLittle)
      )
      #expect(corners(photo.picture) == expected)
      #expect(photo.turn.rawValue == orientation)
      let size = PictureSize(width: photo.picture.width, height: photo.picture.height)
      #expect(photo.size == size)
      #expect(photo.size.width == (orientation < 5 ? 48 : 32))
    }
  }

  @Test func anExifThatCanNotBeReadTurnsNothing() throws {
    let jpeg = try JPEGCodec.write(.gradient(width: 48, height: 32))
    for orientation: UInt8 in [0, 9, 255] {
      let photo = try StillPhoto(jpeg: Self.withTurn(orientation, jpeg, isLittle: true))
      #expect(photo.turn == .none)
    }
    let whole = Self.withTurn(6, jpeg, isLittle: true)
    // A directory that lies behind the end.
    var bytes = whole
    bytes[16] = 200
    #expect(try StillPhoto(jpeg: bytes).turn == .none)
    #expect(try StillPhoto(jpeg: whole).turn == .right)
  }

  @Test func aPhotoOfTwelveMegapixelsIsShrunkOnTheWay() throws {
    let photo = try StillPhoto(jpeg: JPEGCodec.write(.init(width: 4032, height: 3024)))
    #expect(photo.size == PictureSize(width: 4032, height: 3024))
    #expect(photo.picture.width == 2016 && photo.picture.height == 1512)
    let size = try #require(PictureSize(width: 2016, height: 1512))
    #expect(size.hasShape(of: photo.size))
  }

  @Test func hostileSizesAreRefusedBeforeMemoryIsReserved() throws {
    var bytes = try JPEGCodec.write(.gradient(width: 48, height: 32))
    let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
    for index in frame + 5..<frame + 9 { bytes[index] = 0x3F }
    #expect(throws: PictureProblem(.badSize, "it claims to be 16191 × 16191")) {
      try StillPhoto(jpeg: bytes)
    }
    let whole = try JPEGCodec.write(.gradient(width: 48, height: 32))
    #expect(throws: PictureProblem.self) { try StillPhoto(jpeg: whole.dropLast(60)) }
  }

  @Test func whatFfmpegPrintsIsRead() throws {
    let head = Array("P5\n17 16\n255\n".utf8)
    let pixels = (0..<272).map { UInt8($0 % 250) }
    let photo = try StillPhoto(pgm: head + pixels)
    #expect(photo.size == PictureSize(width: 17, height: 16) && photo.picture.bytes == pixels)
    for bad in [head + pixels.dropLast(), head + pixels + [1], Array("P5\n17 16\n".utf8), []] {
      #expect(throws: PictureProblem.self) { try StillPhoto(pgm: Array(bad)) }
    }
    #expect(throws: PictureProblem.self) { try StillPhoto(pgm: Array("P5\n9 9\n255\n".utf8)) }
  }

  @Test func kindsAreKnownByTheirFirstBytes() {
    let begins: [([UInt8], ImageKind?)] = [
      ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89] + Array("PNG\r\n".utf8), .png),
      (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .webP), (Array("RIFF\0\0\0\0WAVE".utf8), nil),
      (Array("\0\0\0\u{18}ftypheic".utf8), .heic), (Array("\0\0\0\u{18}ftypmif1".utf8), .heic),
      (Array("\0\0\0\u{18}ftypavif".utf8), .avif), (Array("\0\0\0\u{18}ftypisom".utf8), nil),
      (Array("GIF89a".utf8), .gif), (Array("II*\0".utf8), .tiff), (Array("MM\0*".utf8), .tiff),
      (Array("BM".utf8), .bmp), (Array("these are words".utf8), nil), ([], nil),
    ]
    for (bytes, kind) in begins { #expect(ImageKind(bytes) == kind, "\(bytes)") }
    #expect(ImageKind.png.conversion(of: "a/court.png") == "ffmpeg -i a/court.png court.jpg")
    #expect(ImageKind.heic.conversion(of: "court.heic") == "heif-convert court.heic court.jpg")
  }

  @Test func theSizeOfAHEICIsItsLargestParts() {
    func part(_ width: UInt8, _ height: UInt8) -> [UInt8] {
      Array("ispe\0\0\0\0".utf8) + [0, 0, width, 0, 0, 0, height, 0]
    }
    let bytes = Array("\0\0\0\u{18}ftypheic".utf8) + part(2, 2) + part(15, 11) + part(1, 1)
    #expect(StillPhoto.largestPart(ofHEIC: bytes) == 3840 * 2816)
    #expect(StillPhoto.largestPart(ofHEIC: []) == 0)
  }
}
