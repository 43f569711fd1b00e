/// What kind of picture a file is, by its first bytes.
package enum ImageKind: String, Sendable, CaseIterable {
  case jpeg = "JPEG"
  case png = "PNG"
  case webP = "WebP"
  case heic = "HEIC"
  case avif = "AVIF"
  case gif = "GIF"
  case tiff = "TIFF"
  case bmp = "BMP"

  /// - Returns: nil if it is no picture of a known kind.
  package init?(_ bytes: [UInt8]) {
    func begins(_ text: String, at place: Int = 0) -> Bool {
      bytes.dropFirst(place).starts(with: text.utf8)
    }
    if bytes.starts(with: [0xFF, 0xD8]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89]), begins("PNG\r\n", at: 1) {
      self = .png
    } else if begins("RIFF"), begins("WEBP", at: 8) {
      self = .webP
    } else if begins("ftyp", at: 4), begins("avi", at: 8) {
      self = .avif
    } else if begins("ftyp", at: 4),
      ["hei", "hev", "mif", "msf"].contains(where: { begins($0, at: 8) })
    {
      self = .heic
    } else if begins("GIF8") {
      self = .gif
    } else if begins("II*\0") || begins("MM\0*") {
      self = .tiff
    } else if begins("BM") {
      self = .bmp
    } else {
      return nil
    }
  }

  /// The command that makes a JPEG of such a file.
  ///
  /// - Parameter path: the file's.
  package func conversion(of path: String) -> String {
    let name = path.split(separator: "/").last ?? "court"
    let stem = name.split(separator: ".").first ?? name
    // Phones keep a HEIC in tiles, of which ffmpeg takes one before its version 7.1.
    let program = self == .heic ? "heif-convert" : "ffmpeg -i"
    return "\(program) \(path) \(stem).jpg"
  }
}
