/// How a frame's bytes make a picture, as Video4Linux's four characters.
package struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  package let code: UInt32

  package init(code: UInt32) { self.code = code }

  /// Brightness of two pixels, and their common colour: Y, U, Y, V. BT.601, video range.
  package static let yuyv = PixelFormat("YUYV")
  /// A JPEG a frame, perhaps without the standard's own Huffman tables.
  package static let mjpeg = PixelFormat("MJPG")

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
