import CourtMapping

/// What a JPEG says of itself before its picture begins: read here, so that nothing hostile
/// reaches the library or reserves memory.
///
/// Cameras make baseline pictures with one scan. Other frames are refused: a progressive one can keep a
/// processor busy for minutes. A photo that a person names may be one.
struct JPEGHeader {
  let size: PictureSize
  /// Where the picture begins: some cameras say so twice.
  let start: Int
  /// Many cameras leave out the standard's own tables, which most programs need.
  let hasHuffmanTables: Bool

  enum Use {
    case frame
    case photo

    /// What a phone's largest sensor has.
    static let mostPixelsOfPhoto = 8192 * 6144

    fileprivate func allows(_ size: PictureSize) -> Bool {
      self == .frame
        ? FrameLayout.mayBe(size) : size.width * size.height <= Self.mostPixelsOfPhoto
    }
  }

  private enum Marker {
    static let baseline: ClosedRange<UInt8> = 0xC0...0xC1
    static let progressive: UInt8 = 0xC2
    static let huffmanTables: UInt8 = 0xC4
    static let arithmeticTables: UInt8 = 0xCC
    /// Frames of other kinds: progressive, lossless, arithmetic.
    static let otherFrames: ClosedRange<UInt8> = 0xC2...0xCF
    static let withoutLength: ClosedRange<UInt8> = 0xD0...0xD9
    static let scan: UInt8 = 0xDA
  }

  init(_ bytes: UnsafeRawBufferPointer, of use: Use = .frame) throws(PictureProblem) {
    var segments = JPEGSegments(bytes)
    guard segments.beginsPicture() else {
      throw PictureProblem(.corrupt, "it doesn't begin like a JPEG")
    }
    start = segments.at - 2
    var frame: (size: PictureSize, components: UInt8)?
    var hasHuffmanTables = false
    while true {
      let (marker, content) = try segments.next()
      switch marker {
      case Marker.baseline where frame == nil:
        frame = try Self.frame(content, use)
      case Marker.progressive where frame == nil && use == .photo:
        frame = try Self.frame(content, use)
      case Marker.huffmanTables:
        hasHuffmanTables = true
      case Marker.scan:
        guard let frame, let components = content.first else {
          throw PictureProblem(.corrupt, "its picture has no size")
        }
        guard components == frame.components || use == .photo else {
          throw PictureProblem(.unsupported, "its colours are in more than one scan")
        }
        size = frame.size
        self.hasHuffmanTables = hasHuffmanTables
        return
      case Marker.baseline, Marker.withoutLength:
        throw PictureProblem(.corrupt, "its header has a part in the wrong place")
      case Marker.otherFrames where marker != Marker.arithmeticTables:
        throw PictureProblem(.unsupported, "it is no baseline JPEG")
      default:
        break
      }
    }
  }

  private static func frame(
    _ content: UnsafeRawBufferPointer.SubSequence,
    _ use: Use
  ) throws(PictureProblem) -> (size: PictureSize, components: UInt8) {
    let fields = Array(content.prefix(6))
    guard fields.count == 6 else { throw PictureProblem(.corrupt, "its size is cut off") }
    let height = Int(fields[1]) << 8 | Int(fields[2])
    let width = Int(fields[3]) << 8 | Int(fields[4])
    guard let size = PictureSize(width: width, height: height), use.allows(size) else {
      throw PictureProblem(.badSize, "it claims to be \(width) × \(height)")
    }
    guard fields[0] == 8, [1, 3].contains(fields[5]) else {
      throw PictureProblem(.unsupported, "it has \(fields[0]) bits and \(fields[5]) colours")
    }
    return (size, fields[5])
  }
}

/// The parts of a JPEG's header, one after the other.
struct JPEGSegments {
  private let bytes: UnsafeRawBufferPointer
  /// Where the next one begins.
  private(set) var at = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func beginsPicture() -> Bool {
    at = 2
    guard bytes.starts(with: [0xFF, 0xD8]) else { return false }
    while bytes[at...].starts(with: [0xFF, 0xD8]) { at += 2 }
    return true
  }

  mutating func next() throws(PictureProblem) -> (UInt8, UnsafeRawBufferPointer.SubSequence) {
    guard at < bytes.count else { throw Self.cutOff }
    guard bytes[at] == 0xFF else {
      throw PictureProblem(.corrupt, "its header has a part without a mark")
    }
    // Any number of fill bytes.
    while at < bytes.count, bytes[at] == 0xFF { at += 1 }
    guard at < bytes.count else { throw Self.cutOff }
    let marker = bytes[at]
    let start = at + 3
    guard start <= bytes.count else { throw Self.cutOff }
    let end = at + 1 + (Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]))
    guard end >= start else { throw PictureProblem(.corrupt, "a part of its header has no length") }
    guard end <= bytes.count else { throw Self.cutOff }
    at = end
    return (marker, bytes[start..<end])
  }

  private static let cutOff = PictureProblem(.truncated, "its header is cut off")
}
