import Clocks
import CourtMapping
import Foundation

@testable import Camera

/// A frame of these bytes, as if a camera had delivered it.
func withFrame<Result>(
  _ bytes: [UInt8],
  _ layout: FrameLayout,
  _ body: (borrowing Frame) throws -> Result
) rethrows -> Result {
  // Of exactly that length, so that a sanitizer sees a read beyond its end.
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
  defer { copy.deallocate() }
  copy.copyBytes(from: bytes)
  let frame = Frame(
    layout: layout,
    bytes: UnsafeRawBufferPointer(copy),
    time: .start,
    sequence: 0,
    giveBack: {}
  )
  return try body(frame)
}

extension FrameLayout {
  init(_ pixelFormat: PixelFormat, _ width: Int, _ height: Int, bytesPerRow: Int = 0) {
    self.init(pixelFormat, PictureSize(width: width, height: height)!, bytesPerRow: bytesPerRow)!
  }
}

extension FrameFile.Content {
  static func yuyv(_ size: PictureSize) -> Self { .raw(.yuyv, size) }
}

/// Blue, green and red of a pixel.
typealias Colour = [UInt8]

extension ColourPicture {
  subscript(_ column: Int, _ row: Int) -> Colour {
    let place = (row * width + column) * 3
    return Array(bytes[place..<place + 3])
  }

  /// A picture whose colours change from pixel to pixel, slowly enough for JPEG.
  static func gradient(width: Int, height: Int) -> ColourPicture {
    var picture = ColourPicture(width: width, height: height)
    for row in 0..<height {
      for column in 0..<width {
        let place = (row * width + column) * 3
        picture.bytes[place] = UInt8(column * 255 / width)
        picture.bytes[place + 1] = UInt8(row * 255 / height)
        picture.bytes[place + 2] = UInt8(255 - (column + row) * 255 / (width + height))
      }
    }
    return picture
  }

  /// The average of squares of `divisor` pixels.
  func shrunk(_ divisor: Int) -> ColourPicture {
    var small = ColourPicture(
      width: FrameLayout.shrunk(width, divisor),
      height: FrameLayout.shrunk(height, divisor)
    )
    for row in 0..<small.height {
      for column in 0..<small.width {
        for colour in 0..<3 {
          var sum = 0
          var count = 0
          for y in row * divisor..<min((row + 1) * divisor, height) {
            for x in column * divisor..<min((column + 1) * divisor, width) {
              sum += Int(bytes[(y * width + x) * 3 + colour])
              count += 1
            }
          }
          small.bytes[(row * small.width + column) * 3 + colour] = UInt8(sum / count)
        }
      }
    }
    return small
  }

  /// How far the worst colour of a pixel is from the other picture's.
  func worst(against other: ColourPicture) -> Int {
    zip(bytes, other.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}

func differ(_ left: Colour, _ right: Colour, by most: Int) -> Bool {
  zip(left, right).contains { abs(Int($0) - Int($1)) > most }
}

/// Eight squares of 8 pixels, four a row, made by hand from the standard: no encoder of ours, and
/// without Huffman tables, as many cameras do it.
enum GoldenJPEG {
  static let width = 32
  static let height = 16
  static let colours: [Colour] = [
    [0, 0, 255], [0, 255, 0], [255, 0, 0], [255, 255, 255],
    [0, 0, 0], [128, 128, 128], [40, 200, 250], [30, 60, 90],
  ]
  static let bytes = [UInt8](
    Data(
      base64Encoded: """
        /9j/2wBDAAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI\
        CAgICAgICAj/wAARCAAQACADAREAAhEAAxEA/9oADAMBAAIRAxEAPwDi6+UP389Kr5Y/hU8Gr+0z9WPuKvwA\
        9U+AKAPoCgD0Wvyc+mPnyv0Q8o//2Q==
        """
    )!
  )
}
