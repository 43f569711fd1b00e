/// Cuts a multipart stream of JPEGs into pictures: `--boundary`, lines of a header, an empty line, the
/// picture. Source: RFC 2046, 5.1.
///
/// Parts whose header doesn't say how long they are have their pictures' own ends: ``lacksLengths``.
struct MultipartParser {
  /// No header has a longer line, or more of them.
  private static let longestLine = 1_024
  private static let mostLines = 64

  private enum Part {
    case boundary
    case header(lines: Int, length: Int?)
    case picture(length: Int)
  }

  private var bytes = StreamBytes()
  private var part = Part.boundary
  /// The line in front of each part; nil before the first one.
  private var boundary: [UInt8]?
  private var damaged = 0
  /// Whether a part came without its length: the stream's JPEGs are to be found by their ends.
  private(set) var lacksLengths = false

  var isInPicture: Bool {
    if case .picture = part { bytes.count > 0 } else { false }
  }

  mutating func add(_ more: some Collection<UInt8>) { bytes.add(more) }

  mutating func takeDamaged() -> Int {
    defer { damaged = 0 }
    return damaged
  }

  /// What goes on where parts lack their lengths.
  mutating func splitter() -> JPEGSplitter {
    var splitter = JPEGSplitter()
    splitter.add(bytes.all())
    return splitter
  }

  /// - Returns: nil until more bytes are there, and if ``lacksLengths``.
  mutating func next() -> StreamPicture? {
    while !lacksLengths {
      switch part {
      case .boundary:
        guard let line = line() else { return nil }
        if isBoundary(line) { part = .header(lines: 0, length: nil) }
      case .header(let lines, let length):
        guard let line = line() else { return nil }
        if line.isEmpty {
          endHeader(length)
        } else if lines < Self.mostLines {
          part = .header(lines: lines + 1, length: Self.length(line) ?? length)
        } else {
          damaged += 1
          part = .boundary
        }
      case .picture(let length):
        guard bytes.count >= length else { return nil }
        let picture = Array(bytes.take(length))
        part = .boundary
        if picture.starts(with: [0xFF, 0xD8]) { return StreamPicture(bytes: picture, layout: nil) }
        damaged += 1
      }
    }
    return nil
  }

  private mutating func endHeader(_ length: Int?) {
    switch length {
    case nil: lacksLengths = true
    case let length? where (1...JPEGSplitter.longest).contains(length):
      part = .picture(length: length)
    case _:
      damaged += 1
      part = .boundary
    }
  }

  private mutating func line() -> ArraySlice<UInt8>? {
    if let line = bytes.line() { return line }
    // The end of a picture that was longer than its header said.
    if bytes.count > Self.longestLine { _ = bytes.all() }
    return nil
  }

  /// The first one counts as the stream's.
  private mutating func isBoundary(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.starts(with: "--".utf8) else { return false }
    guard let boundary else {
      self.boundary = Array(line)
      return true
    }
    return boundary.elementsEqual(line)
  }

  private static func length(_ line: ArraySlice<UInt8>) -> Int? {
    let parts = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
    return Int(parts[1].filter { $0 != " " && $0 != "\t" }) ?? 0
  }
}
