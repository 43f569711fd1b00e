package import CourtLogic
import FoundationEssentials

/// What one line of a position stream says.
package struct PositionReport: Hashable, Sendable {
  package var position: PlayerPosition
  /// Which of the connection's detectors or players it is, when the line says so.
  package var id: String?
  /// The source's own time; only recorded tracks are paced by it.
  package var time: Duration?

  package init(position: PlayerPosition, id: String? = nil, time: Duration? = nil) {
    self.position = position
    self.id = id
    self.time = time
  }
}

/// Reads a line: a JSON object with `x` and `y` and optionally `confidence`, `id` and `t`, or CSV
/// `timestamp,x,y`. Each line tells its form by its first character.
package struct PositionParser: Sendable {
  /// The bytes that an `id` may have.
  package static let longestID = 64
  private static let header = "timestamp,x,y"

  private let decoder = JSONDecoder()

  package init() {}

  /// - Returns: nil for a blank line and for CSV's header.
  package func parse(_ line: [UInt8]) throws(PositionLineError) -> PositionReport? {
    guard let text = String(validating: line, as: UTF8.self) else { throw .notUTF8 }
    let trimmed = text.trimmed
    if trimmed.isEmpty || trimmed.lowercased() == Self.header { return nil }
    return trimmed.first == "{" ? try object(line) : try columns(trimmed)
  }

  private func object(_ line: [UInt8]) throws(PositionLineError) -> PositionReport {
    let fields: Fields
    do { fields = try decoder.decode(Fields.self, from: Data(line)) } catch {
      throw PositionLineError(decoding: error)
    }
    let id = fields.id?.text
    guard id?.utf8.count ?? 0 <= Self.longestID else { throw .longID }
    var time: Duration?
    if let field = fields.t {
      time = field.number.map(Timestamp.duration(seconds:)) ?? Timestamp.duration(field.text)
      if time == nil { throw .notATimestamp(field.text) }
    }
    return try report(x: fields.x, y: fields.y, confidence: fields.confidence, id: id, time: time)
  }

  private func columns(_ text: Substring) throws(PositionLineError) -> PositionReport {
    let columns = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard columns.count == 3 else { throw .unknownFormat }
    guard let time = Timestamp.duration(columns[0]) else {
      throw .notATimestamp(String(columns[0]))
    }
    guard let x = Double(decimal: columns[1]) else {
      throw .notANumber(column: "x", text: String(columns[1]))
    }
    guard let y = Double(decimal: columns[2]) else {
      throw .notANumber(column: "y", text: String(columns[2]))
    }
    return try report(x: x, y: y, confidence: nil, id: nil, time: time)
  }

  private func report(
    x: Double,
    y: Double,
    confidence: Double?,
    id: String?,
    time: Duration?
  ) throws(PositionLineError) -> PositionReport {
    do {
      let position = try PlayerPosition(x: x, y: y, confidence: confidence)
      return PositionReport(position: position, id: id, time: time)
    } catch {
      throw .position(error)
    }
  }
}

private struct Fields: Decodable {
  var x: Double
  var y: Double
  var confidence: Double?
  var id: Label?
  var t: Label?

  /// A string or a number.
  struct Label: Decodable {
    let text: String
    let number: Double?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let string = try? container.decode(String.self) {
        text = string
        number = nil
      } else if let integer = try? container.decode(Int64.self) {
        text = "\(integer)"
        number = Double(integer)
      } else {
        let double = try container.decode(Double.self)
        text = "\(double)"
        number = double
      }
    }
  }
}

extension PositionLineError {
  /// What the decoder's errors mean for our five keys.
  fileprivate init(decoding error: any Error) {
    func wrongType(_ path: [any CodingKey]) -> PositionLineError {
      guard let key = path.first?.stringValue else { return .notJSON }
      let expected = key == "id" || key == "t" ? "a string or a number" : "a number"
      return .wrongType(key: key, expected: expected)
    }
    self =
      switch error {
      case DecodingError.keyNotFound(let key, _): .missing(key: key.stringValue)
      case DecodingError.typeMismatch(_, let context): wrongType(context.codingPath)
      case DecodingError.valueNotFound(_, let context): wrongType(context.codingPath)
      case DecodingError.dataCorrupted(let context): wrongType(context.codingPath)
      default: .notJSON
      }
  }
}

extension StringProtocol {
  /// Without the spaces and tabs around it.
  fileprivate var trimmed: SubSequence {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    let start = firstIndex { !isBlank($0) } ?? endIndex
    let end = self[start...].lastIndex { !isBlank($0) }.map(index(after:)) ?? start
    return self[start..<end]
  }
}
