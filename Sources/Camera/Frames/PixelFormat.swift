/// How a frame's bytes make a picture, as Video4Linux's four characters.
package struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  package let code: UInt32

  package init(code: UInt32) { self.code = code }

  /// Brightness of two pixels, and their common colour: Y, U, Y, V. BT.601, video range.
  package static let yuyv = PixelFormat("YUYV")
  /// The same, in the order U, Y, V, Y.
  package static let uyvy = PixelFormat("UYVY")
  /// All brightness first, then U and V by turns, one of each for a square of four pixels.
  package static let nv12 = PixelFormat("NV12")
  /// All brightness first, then all U, then all V, one of each for a square of four pixels: I420.
  package static let yu12 = PixelFormat("YU12")
  /// ``nv12`` with a piece of memory for brightness and one for U and V.
  package static let nm12 = PixelFormat("NM12")
  /// ``yu12`` with a piece of memory for each.
  package static let ym12 = PixelFormat("YM12")
  /// A JPEG a frame, perhaps without the standard's own Huffman tables.
  package static let mjpeg = PixelFormat("MJPG")

  /// What is read, what costs least first.
  package static let readable = [yuyv, uyvy, nv12, yu12, nm12, ym12, mjpeg]

  /// In words, without those that differ only in where they are in memory.
  static var readableInWords: String {
    let names = readable.filter { ![nm12, ym12].contains($0) }.map(\.description)
    return names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined()
  }

  /// A video that only a decoder for it reads.
  static let h264 = PixelFormat("H264")
  static let hevc = PixelFormat("HEVC")

  private init(_ characters: StaticString) {
    code = characters.withUTF8Buffer { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }

  /// The four characters, `?` for those that can't be printed.
  package var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) }
    let text = bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: text, as: UTF8.self)
  }
}
