/// What a stream of bytes is, by its first ones.
enum StreamKind: Equatable {
  /// JPEGs one behind the other, perhaps with something between them.
  case pictures
  /// JPEGs as parts of MIME's multipart, as cameras send them over HTTP.
  case parts
  /// Frames without compression, in the form of the mjpegtools.
  case raw
  /// What only ffmpeg reads, and what it is called.
  case film(String)

  /// As many bytes tell them all apart.
  static let enough = 12

  /// - Parameter start: of the stream, without line ends in front.
  init(_ start: some Collection<UInt8>) {
    let bytes = Array(start.prefix(Self.enough))
    if bytes.starts(with: Y4MParser.mark) {
      self = .raw
    } else if bytes.starts(with: "--".utf8) {
      self = .parts
    } else if let film = Self.film(bytes) {
      self = .film(film)
    } else {
      self = .pictures
    }
  }

  /// Sources: ISO/IEC 14496-12, Apple's QuickTime File Format, RFC 9559 (Matroska), ISO/IEC 13818-1,
  /// ITU-T H.264 annex B.
  private static func film(_ bytes: [UInt8]) -> String? {
    let boxes = ["ftyp", "moov", "mdat", "wide", "free", "skip"]
    if boxes.contains(where: { bytes.dropFirst(4).starts(with: $0.utf8) }) { return "MP4 or MOV" }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "Matroska or WebM" }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "AVI ".utf8) {
      return "AVI"
    }
    if bytes.starts(with: [0, 0, 1, 0xBA]) { return "an MPEG program stream" }
    if bytes.starts(with: [0, 0, 0, 1]) || bytes.starts(with: [0, 0, 1]) {
      return "H.264 or H.265 without a container"
    }
    if bytes.starts(with: [0x47]), !bytes.starts(with: "GIF8".utf8), bytes.count > 3,
      bytes[3] & 0x10 != 0
    {
      return "an MPEG transport stream"
    }
    return bytes.starts(with: "FLV".utf8) ? "Flash video" : nil
  }
}
