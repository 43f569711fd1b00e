import CourtMapping

/// How a camera held its sensor, and so how a picture must be turned. Source: Exif 2.32, the tag
/// Orientation.
package enum PictureTurn: Int, Sendable, CaseIterable {
  case none = 1
  case mirrored = 2
  case half = 3
  case mirroredHalf = 4
  case mirroredRight = 5
  case right = 6
  case mirroredLeft = 7
  case left = 8

  /// Whether width and height are exchanged.
  package var isQuarter: Bool { rawValue >= 5 }

  /// What is done to the picture, in words.
  package var text: String {
    switch self {
    case .none: "not turned"
    case .mirrored: "mirrored"
    case .half: "turned by half"
    case .mirroredHalf: "turned by half and mirrored"
    case .right: "turned by a quarter to the right"
    case .mirroredRight: "turned by a quarter to the right and mirrored"
    case .left: "turned by a quarter to the left"
    case .mirroredLeft: "turned by a quarter to the left and mirrored"
    }
  }

  /// What a JPEG's header says; ``none`` if it says nothing that can be read.
  init(_ bytes: UnsafeRawBufferPointer) {
    self = .none
    var segments = JPEGSegments(bytes)
    guard segments.beginsPicture() else { return }
    while let (marker, content) = try? segments.next(), marker != 0xDA {
      // APP1
      guard marker == 0xE1, content.starts(with: Array("Exif\0\0".utf8)) else { continue }
      self = Self.orientation(Array(content.dropFirst(6))).flatMap(Self.init(rawValue:)) ?? .none
      return
    }
  }

  /// - Parameter tiff: what follows the mark of Exif: a header of TIFF, and its first directory.
  private static func orientation(_ tiff: [UInt8]) -> Int? {
    let isLittle = tiff.starts(with: Array("II*\0".utf8))
    guard isLittle || tiff.starts(with: Array("MM\0*".utf8)) else { return nil }
    func number(_ place: Int, _ count: Int) -> Int? {
      guard place >= 0, place + count <= tiff.count else { return nil }
      let bytes = tiff[place..<place + count]
      return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + entry * 12
      // A short number is at the beginning of its field.
      if number(place, 2) == 0x0112 { return number(place + 8, 2) }
    }
    return nil
  }

  /// The picture as a person sees it.
  func applied(to picture: GreyPicture) -> GreyPicture {
    guard self != .none else { return picture }
    let (width, height) = (picture.width, picture.height)
    var turned = GreyPicture(width: isQuarter ? height : width, height: isQuarter ? width : height)
    for row in 0..<turned.height {
      for column in 0..<turned.width {
        let (x, y) =
          switch self {
          case .none: (column, row)
          case .mirrored: (width - 1 - column, row)
          case .half: (width - 1 - column, height - 1 - row)
          case .mirroredHalf: (column, height - 1 - row)
          case .mirroredRight: (row, column)
          case .right: (row, height - 1 - column)
          case .mirroredLeft: (width - 1 - row, height - 1 - column)
          case .left: (width - 1 - row, column)
          }
        turned.bytes[row * turned.width + column] = picture.bytes[y * width + x]
      }
    }
    return turned
  }
}
