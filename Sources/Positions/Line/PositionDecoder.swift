package import CourtMapping
package import Host

/// One line of a position stream, read.
package enum PositionLine: Hashable, Sendable {
  case report(PositionReport, line: Int)
  case bad(BadLine)
  /// The source is to be told this, whose first sign was in that line.
  case hint(FeedHint, line: Int)
  /// The feeder wants a line for each bad one: its first line is `{"replies": true}`.
  case wantsReplies
}

/// Turns a position stream's bytes into what its lines say.
package struct PositionDecoder: Sendable {
  private var splitter = LineSplitter()
  private var parser: PositionParser

  /// - Parameter frame: what numbers mean, unless the source declares it.
  package init(_ times: PositionTimes, frame: CourtFrame = .court) {
    parser = PositionParser(times, frame: frame)
  }

  /// What the numbers mean; nil after a declaration that makes no sense.
  package var frame: CourtFrame? { parser.frame }

  /// - Parameter calibration: for picture points; nil: they are refused.
  package mutating func use(_ calibration: Calibration?) { parser.use(calibration) }

  /// The beginning of the line that comes next may be missing.
  package mutating func skipToEndOfLine() { splitter.skipToEndOfLine() }

  package mutating func decode(_ bytes: UnsafeRawBufferPointer, _ output: (PositionLine) -> Void) {
    splitter.append(bytes) { Self.decode($1, line: $0, &parser, output) }
  }

  /// Ends the stream. The next one has to declare again what its numbers mean.
  ///
  /// - Parameter mayBeCut: whether it may have ended within a line, as a feeder's may: then a last
  ///   line without a line feed is no position, because its last digits may be missing. Otherwise
  ///   it counts if it is complete: many handwritten files end like that.
  /// - Returns: what the stream's numbers looked like; nil without any.
  @discardableResult package mutating func finish(
    mayBeCut: Bool,
    _ output: (PositionLine) -> Void
  ) -> FrameGuess? {
    splitter.finish { Self.decode($1, line: $0, &parser, mayBeCut: mayBeCut, output) }
    defer { parser.finish() }
    return parser.guess
  }

  /// Reads what stands for a line in a file that is not of lines.
  package mutating func decode(
    _ content: LineSplitter.Content,
    line number: Int,
    _ output: (PositionLine) -> Void
  ) {
    Self.decode(content, line: number, &parser, output)
  }

  private static func decode(
    _ content: LineSplitter.Content,
    line number: Int,
    _ parser: inout PositionParser,
    mayBeCut: Bool = false,
    _ output: (PositionLine) -> Void
  ) {
    if let line = read(number, content, &parser, mayBeCut: mayBeCut) { output(line) }
    for hint in parser.newHints() { output(.hint(hint, line: number)) }
  }

  /// Whether one of the keys is one that a line of positions has.
  package static func knows(anyOf keys: some Sequence<String>) -> Bool {
    keys.contains { PositionKey.known.contains($0) || $0 == "replies" }
  }

  private static func read(
    _ number: Int,
    _ content: LineSplitter.Content,
    _ parser: inout PositionParser,
    mayBeCut: Bool
  ) -> PositionLine? {
    do throws(PositionLineError) {
      if number == 1, case .line(let bytes) = content, parser.wantsReplies(bytes) {
        return .wantsReplies
      }
      let report: PositionReport? =
        switch content {
        case .line(let bytes): try parser.parse(bytes)
        case .unterminated(let bytes): try unterminated(bytes, &parser, mayBeCut: mayBeCut)
        case .tooLong: throw .tooLong
        case .rest: nil
        }
      return report.map { .report($0, line: number) }
    } catch {
      return .bad(BadLine(line: number, text: content.excerpt, reason: error))
    }
  }

  /// Malformed lines without an end count as cut: most likely their rest is missing.
  private static func unterminated(
    _ bytes: [UInt8],
    _ parser: inout PositionParser,
    mayBeCut: Bool
  ) throws(PositionLineError) -> PositionReport? {
    do throws(PositionLineError) {
      let report = try parser.parse(bytes)
      guard report == nil || !mayBeCut else { throw .cut }
      return report
    } catch {
      switch error {
      case .notUTF8, .notJSON, .unknownFormat, .notANumber, .notATimestamp: throw .cut
      default: throw error
      }
    }
  }
}

extension LineSplitter.Content {
  fileprivate var excerpt: String? {
    switch self {
    // A character has four bytes at most.
    case .line(let bytes), .unterminated(let bytes):
      String(decoding: bytes.prefix(200), as: UTF8.self).excerpt
    case .tooLong, .rest: nil
    }
  }
}
