import CourtMapping

/// Cuts a stream of Y4M into frames: a header, then `FRAME` and its bytes, again and again. Source:
/// mjpegtools' yuv4mpeg(5).
struct Y4MParser {
  static let mark = Array("YUV4MPEG2".utf8)
  private static let frameMark = Array("FRAME".utf8)
  private static let longestLine = 1_024

  /// Four pixels share a colour, with 8 bits.
  private static let kinds = ["420", "420jpeg", "420mpeg2", "420paldv"]

  private enum Part {
    case header
    case frameLine
    case frame
    /// What follows no frame's end: the next frame's line is looked for.
    case lost
  }

  private var bytes = StreamBytes()
  private var part = Part.header
  private var layout: FrameLayout?
  private var damaged = 0
  /// Why no frame will ever come; nil while one may.
  private(set) var problem: String?

  var isInPicture: Bool { part == .frame && bytes.count > 0 }

  mutating func add(_ more: some Collection<UInt8>) {
    if problem == nil { bytes.add(more) }
  }

  mutating func takeDamaged() -> Int {
    defer { damaged = 0 }
    return damaged
  }

  /// - Returns: nil until more bytes are there, and once there is a ``problem``.
  mutating func next() -> StreamPicture? {
    while problem == nil {
      switch part {
      case .header:
        guard let line = line() else { return nil }
        read(line)
        part = .frameLine
      case .frameLine, .lost:
        guard let line = line() else { return nil }
        if line.starts(with: Self.frameMark) {
          part = .frame
        } else if line.starts(with: Self.mark) {
          // Of another program that writes to the same FIFO.
          read(line)
        } else {
          if part == .frameLine { damaged += 1 }
          // The rest of a frame, and the next one's mark.
          part = line.suffix(Self.frameMark.count) == Self.frameMark[...] ? .frame : .lost
        }
      case .frame:
        guard let layout, bytes.count >= layout.leastBytes else { return nil }
        part = .frameLine
        return StreamPicture(bytes: Array(bytes.take(layout.leastBytes)), layout: layout)
      }
    }
    return nil
  }

  private mutating func line() -> ArraySlice<UInt8>? {
    if let line = bytes.line() { return line }
    guard bytes.count > Self.longestLine else { return nil }
    if part == .header { problem = "its header has no end" }
    if part == .frameLine { (damaged, part) = (damaged + 1, .lost) }
    // A mark that is cut in two costs a frame.
    _ = bytes.all()
    return nil
  }

  /// Reads the header: `YUV4MPEG2 W640 H360 F15:1 Ip A1:1 C420jpeg`.
  private mutating func read(_ header: ArraySlice<UInt8>) {
    var (width, height) = (0, 0)
    var kind = "420"
    for word in String(decoding: header, as: UTF8.self).split(separator: " ").dropFirst() {
      switch word.first {
      case "W": width = Int(word.dropFirst()) ?? 0
      case "H": height = Int(word.dropFirst()) ?? 0
      case "C": kind = String(word.dropFirst())
      case _: break
      }
    }
    guard let size = PictureSize(width: width, height: height),
      let layout = FrameLayout(.yu12, size)
    else {
      problem = "no camera has \(width) × \(height) pixels"
      return
    }
    guard Self.kinds.contains(kind) else {
      problem =
        "its colours are in the form \(kind), not 420, as ffmpeg's -pix_fmt yuv420p makes it"
      return
    }
    self.layout = layout
  }
}
