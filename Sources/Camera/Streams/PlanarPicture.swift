import CourtMapping

/// Pictures whose brightness and colours are in planes, one behind the other, without padding.
enum PlanarPicture {
  /// How many pixels share a colour.
  enum Chroma: Equatable {
    case quarter, half, whole, none

    /// - Parameter name: Y4M's; only those with 8 bits.
    init?(y4m name: String) {
      switch name {
      case "420", "420jpeg", "420mpeg2", "420paldv": self = .quarter
      case "422": self = .half
      case "444": self = .whole
      case "mono": self = .none
      default: return nil
      }
    }

    func columns(_ width: Int) -> Int {
      switch self {
      case .quarter, .half: (width + 1) / 2
      case .whole: width
      case .none: 0
      }
    }

    func rows(_ height: Int) -> Int {
      switch self {
      case .quarter: (height + 1) / 2
      case .half, .whole: height
      case .none: 0
      }
    }
  }

  static func byteCount(_ size: PictureSize, _ chroma: Chroma) -> Int {
    size.width * size.height + 2 * chroma.columns(size.width) * chroma.rows(size.height)
  }

  /// The same picture in YUYV.
  ///
  /// - Parameter planes: as many bytes as ``byteCount(_:_:)`` says.
  static func yuyv(_ planes: ArraySlice<UInt8>, _ size: PictureSize, _ chroma: Chroma) -> [UInt8] {
    let (width, height) = (size.width, size.height)
    precondition(planes.count == byteCount(size, chroma))
    let pairs = (width + 1) / 2
    let (columns, rows) = (chroma.columns(width), chroma.rows(height))
    return planes.withUnsafeBufferPointer { planes in
      [UInt8](unsafeUninitializedCapacity: pairs * 4 * height) { pixels, count in
        count = pairs * 4 * height
        for row in 0..<height {
          let luma = row * width
          let colour = width * height + columns * (rows == height ? row : row / 2)
          for pair in 0..<pairs {
            let place = (row * pairs + pair) * 4
            pixels[place] = planes[luma + pair * 2]
            pixels[place + 2] = planes[luma + min(pair * 2 + 1, width - 1)]
            guard columns > 0 else {
              (pixels[place + 1], pixels[place + 3]) = (128, 128)
              continue
            }
            let column = columns == width ? pair * 2 : pair
            pixels[place + 1] = planes[colour + column]
            pixels[place + 3] = planes[colour + columns * rows + column]
          }
        }
      }
    }
  }
}
