import Glibc

/// Cuts a stream of JPEGs one behind the other into pictures. Never fails: what is damaged makes a
/// damaged picture, and the next one begins where it says so, after 64 KB of others at most.
struct JPEGSplitter {
  /// No camera's picture is longer. A piece without an end is given out in pieces of this length.
  static let longest = 16 << 20

  private var bytes: [UInt8] = []
  /// Where the next picture begins.
  private var start = 0
  /// Where looking goes on.
  private var at = 0
  private var part = Part.between

  private enum Part {
    case between
    case header
    case scan
  }

  mutating func add(_ more: some Collection<UInt8>) {
    bytes.removeSubrange(..<start)
    at -= start
    start = 0
    bytes += more
  }

  /// - Returns: nil until more bytes are there.
  mutating func next() -> ArraySlice<UInt8>? {
    while true {
      let isStuck =
        switch part {
        case .between: !findStart()
        case .header: !passSegment()
        case .scan: false
        }
      if isStuck { break }
      if part == .scan, let picture = findEnd() { return picture }
      if part == .scan { break }
    }
    guard bytes.count - start > Self.longest else { return nil }
    return cut(at: bytes.count, then: .scan)
  }

  /// What is left when the stream ends: a picture without an end, or nothing.
  mutating func rest() -> ArraySlice<UInt8>? {
    guard part != .between, start < bytes.count else { return nil }
    return cut(at: bytes.count, then: .between)
  }

  private mutating func cut(at end: Int, then part: Part) -> ArraySlice<UInt8> {
    let picture = bytes[start..<end]
    start = end
    at = end
    self.part = part
    return picture
  }

  /// Skips what is between pictures.
  private mutating func findStart() -> Bool {
    while let mark = mark(from: at) {
      if bytes[mark + 1] == 0xD8 {
        start = mark
        at = mark + 2
        part = .header
        return true
      }
      at = mark + 1
    }
    // A mark may be cut in two.
    start = max(at, bytes.last == 0xFF ? bytes.count - 1 : bytes.count)
    at = start
    return false
  }

  /// Skips a part of the header whole: it may hold a small picture, with an end of its own.
  private mutating func passSegment() -> Bool {
    guard at + 4 <= bytes.count else { return false }
    let marker = bytes[at + 1]
    // Some cameras begin twice.
    if at == start + 2, bytes[at] == 0xFF, marker == 0xD8 {
      start = at
      at += 2
      return true
    }
    guard bytes[at] == 0xFF, marker != 0xD9, marker != 0xD8, marker != 0 else {
      part = .scan
      return true
    }
    guard marker != 0xFF else {
      at += 1
      return true
    }
    let end = at + 2 + max(Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]), 2)
    guard end <= bytes.count else { return false }
    at = end
    if marker == 0xDA { part = .scan }
    return true
  }

  /// Looks for the end in the scan, or for the next picture's start if there is none.
  private mutating func findEnd() -> ArraySlice<UInt8>? {
    while let mark = mark(from: at) {
      switch bytes[mark + 1] {
      case 0xD9: return cut(at: mark + 2, then: .between)
      case 0xD8: return cut(at: mark, then: .between)
      case _: at = mark + 1
      }
    }
    return nil
  }

  /// The next byte 0xFF that has one behind it. Remembers what has none.
  private mutating func mark(from first: Int) -> Int? {
    let found = bytes.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, first < bytes.count - 1 else { return nil }
      let hit = memchr(base + first, 0xFF, bytes.count - 1 - first)
      return hit.map { UnsafeRawPointer($0) - base }
    }
    if found == nil { at = max(at, bytes.count - 1) }
    return found
  }
}
