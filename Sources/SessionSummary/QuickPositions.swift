import ControlProtocol
import CourtLogic
import Glibc
import JSON
import RunLog

/// Reads lines of positions at a hundredth of what JSON costs: a log has a million of them a day.
///
/// `RunLog` begins all lines of a source alike, up to the time. A beginning is learnt from a line
/// that was read as JSON; what differs in any way from the lines after it is read as JSON, too.
struct QuickPositions {
  struct Position {
    var source: SourceID
    var t: Double
    var x: Double
    var y: Double
    var confidence: Double?
  }

  private static let mostBeginnings = 8
  private static let time = Array(#","t":"#.utf8)

  /// The last one that was used comes first.
  private var beginnings: [(bytes: [UInt8], source: SourceID)] = []

  /// - Returns: nil for any other line.
  mutating func position(_ line: [UInt8]) -> Position? {
    guard let index = beginnings.firstIndex(where: { line.begins(with: $0.bytes) }) else {
      return nil
    }
    if index > 0 { beginnings.swapAt(0, index) }
    return Self.position(line, behind: beginnings[0].bytes.count, from: beginnings[0].source)
  }

  /// - Parameter line: a position of this source, with no other members than a position's.
  mutating func learn(_ line: [UInt8], of source: SourceID) {
    // In a text the quotes would be escaped.
    guard
      let start = line.indices.first(where: { line[$0...].starts(with: Self.time) }),
      Self.position(line, behind: start + Self.time.count, from: source) != nil
    else { return }
    if beginnings.count == Self.mostBeginnings { beginnings.removeLast() }
    beginnings.insert((Array(line[..<(start + Self.time.count)]), source), at: 0)
  }

  private static func position(
    _ line: [UInt8],
    behind start: Int,
    from source: SourceID
  ) -> Position? {
    line.withUnsafeBufferPointer { line in
      guard let bytes = line.baseAddress else { return nil }
      var text = Numbers(bytes: bytes, index: start, end: line.count)
      guard let t = text.number(), text.skip(#","x":"#), let x = text.number(),
        text.skip(#","y":"#), let y = text.number()
      else { return nil }
      var confidence: Double?
      if text.skip(#","confidence":"#) {
        guard let number = text.number() else { return nil }
        confidence = number
      }
      guard text.skip("}"), text.isAtEnd else { return nil }
      return Position(source: source, t: t, x: x, y: y, confidence: confidence)
    }
  }
}

extension LogLine {
  private static let positionMembers: Set = [
    "event", "connection", "id", "t", "x", "y", "confidence",
  ]

  /// Whether it has no other members than a position's line as `RunLog` writes it.
  var isPlainPosition: Bool {
    guard case .object(let members) = record else { return false }
    return members.keys.allSatisfy(Self.positionMembers.contains)
  }
}

extension QuickPositions.Position {
  init(_ line: LogLine) throws {
    let record = try line.record.decoded(as: PositionRecord.self)
    self.init(
      source: SourceID(connection: record.connection, id: record.id),
      t: try line.record["t"].decoded(),
      x: record.x,
      y: record.y,
      confidence: record.confidence
    )
  }
}

extension [UInt8] {
  /// Whether it starts with these bytes, without a step for each of them.
  fileprivate func begins(with bytes: [UInt8]) -> Bool {
    count >= bytes.count && memcmp(self, bytes, bytes.count) == 0
  }
}

/// Decimal numbers in bytes, which stay as long as this.
private struct Numbers {
  /// More would not fit into 64 bits.
  private static let mostDigits = 18
  private static let powers: [Double] = (0...mostDigits).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  let bytes: UnsafePointer<UInt8>
  var index: Int
  let end: Int

  var isAtEnd: Bool { index == end }

  mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard end - index >= count, memcmp(bytes + index, text.utf8Start, count) == 0 else {
      return false
    }
    index += count
    return true
  }

  /// - Returns: nil for a number with an exponent, or with too many digits.
  mutating func number() -> Double? {
    let isNegative = skip("-")
    var digits: Int64 = 0
    let whole = readDigits(&digits)
    guard whole > 0 else { return nil }
    var places = 0
    if skip(".") {
      places = readDigits(&digits)
      guard places > 0 else { return nil }
    }
    guard whole + places <= Self.mostDigits else { return nil }
    let number = Double(digits) / Self.powers[places]
    return isNegative ? -number : number
  }

  /// - Returns: how many digits there were.
  private mutating func readDigits(_ number: inout Int64) -> Int {
    let start = index
    while index < end {
      let digit = bytes[index] &- 0x30
      guard digit < 10 else { break }
      number = number &* 10 &+ Int64(digit)
      index += 1
    }
    return index - start
  }
}
