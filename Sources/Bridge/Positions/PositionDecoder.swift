import CourtLogic

/// One line of a position stream, read.
package enum PositionLine: Hashable, Sendable {
  case report(PositionReport, line: Int)
  case bad(BadLine)
}

/// Turns a position stream's bytes into what its lines say.
package struct PositionDecoder: Sendable {
  private var splitter = LineSplitter()
  private let parser = PositionParser()

  package init() {}

  package mutating func decode(_ bytes: UnsafeRawBufferPointer, _ output: (PositionLine) -> Void) {
    splitter.append(bytes) { [parser] number, content in
      if let line = Self.read(number, content, parser) { output(line) }
    }
  }

  /// Ends the stream. A last line without a line end counts if it is whole.
  package mutating func finish(_ output: (PositionLine) -> Void) {
    splitter.finish { [parser] number, content in
      if let line = Self.read(number, content, parser) { output(line) }
    }
  }

  private static func read(
    _ number: Int,
    _ content: LineSplitter.Content,
    _ parser: PositionParser
  ) -> PositionLine? {
    do throws(PositionLineError) {
      let report =
        switch content {
        case .line(let bytes): try parser.parse(bytes)
        case .unterminated(let bytes): try unterminated(bytes, parser)
        case .tooLong: throw .tooLong
        }
      return report.map { .report($0, line: number) }
    } catch {
      return .bad(BadLine(line: number, reason: error))
    }
  }

  /// Whatever is wrong with the form of a line that has no end, most likely its rest is missing.
  private static func unterminated(
    _ bytes: [UInt8],
    _ parser: PositionParser
  ) throws(PositionLineError) -> PositionReport? {
    do throws(PositionLineError) {
      return try parser.parse(bytes)
    } catch {
      switch error {
      case .notUTF8, .notJSON, .unknownFormat, .notANumber, .notATimestamp: throw .cut
      default: throw error
      }
    }
  }
}
