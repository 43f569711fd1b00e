import Host
import JSON
import Positions

/// Reads a file that is one JSON array, element by element.
struct JSONArrayReader: TrackReader {
  private var lines: PositionTrackReader
  private var element: [UInt8] = []
  /// How many brackets are open; 1 between elements.
  private var depth = 0
  private var isInText = false
  private var isEscaped = false
  private var isTooLong = false
  private var line = 1

  init(_ reading: TrackReading) { lines = PositionTrackReader(reading) }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { receive(byte) }
  }

  mutating func track() throws(TrackError) -> Track {
    if !element.isEmpty { lines.receive(.unterminated(element), line: line) }
    return try lines.track()
  }

  private mutating func receive(_ byte: UInt8) {
    if byte == UInt8(ascii: "\n") { line += 1 }
    if isInText {
      isInText = isEscaped || byte != UInt8(ascii: "\"")
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      return keep(byte)
    }
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      depth += 1
      if depth > 1 { keep(byte) }
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      depth -= 1
      if depth > 0 { keep(byte) }
      if depth <= 1 { end() }
    case UInt8(ascii: ",") where depth == 1: end()
    case UInt8(ascii: "\""):
      isInText = true
      keep(byte)
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
    default: keep(byte)
    }
  }

  private mutating func keep(_ byte: UInt8) {
    if element.count < LineSplitter.longestLine { element.append(byte) } else { isTooLong = true }
  }

  private mutating func end() {
    guard !element.isEmpty else { return }
    lines.receive(isTooLong ? .tooLong : .line(element), line: line)
    element.removeAll(keepingCapacity: true)
    isTooLong = false
  }
}

/// Reads a file that begins like an object, but not like a line of positions: perhaps it is one document.
struct JSONDocumentReader: TrackReader {
  /// Beyond this a file is read line by line, whatever it is.
  static let longest = 64 << 20

  private let reading: TrackReading
  private var bytes: [UInt8] = []
  private var lines: PositionTrackReader?

  init(_ reading: TrackReading) { self.reading = reading }

  /// Whether this is the beginning of one: a line of positions is an object with a known key.
  static func mayRead(_ firstLine: some Sequence<UInt8>) -> Bool {
    guard let first = firstLine.first(where: { $0 != UInt8(ascii: " ") }),
      first == UInt8(ascii: "{")
    else { return false }
    guard case .object(let members)? = try? JSONValue(text: Array(firstLine)) else { return true }
    return !PositionDecoder.knows(anyOf: members.keys)
  }

  mutating func receive(_ new: UnsafeRawBufferPointer) {
    if lines == nil {
      bytes += new
      if bytes.count > Self.longest { readLines() }
    } else {
      lines?.receive(new)
    }
  }

  mutating func track() throws(TrackError) -> Track {
    if lines == nil {
      if case .object(let members)? = try? JSONValue(text: bytes) {
        throw .document(JSONDocumentAdvice(members))
      }
      readLines()
    }
    guard let track = try lines?.track() else { preconditionFailure("a document of no lines") }
    return track
  }

  private mutating func readLines() {
    lines = PositionTrackReader(reading)
    bytes.withUnsafeBytes { lines?.receive($0) }
    bytes = []
  }
}
