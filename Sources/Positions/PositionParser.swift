package import CourtLogic
import JSON

/// What one line of a position stream says.
package struct PositionReport: Hashable, Sendable {
  package var position: PlayerPosition
  /// The connection's detector or player, if the line names one.
  package var id: String?
  /// The source's own timestamp, which paces a recorded track.
  package var time: Duration?

  package init(position: PlayerPosition, id: String? = nil, time: Duration? = nil) {
    self.position = position
    self.id = id
    self.time = time
  }
}

/// How the timestamps of positions are used.
package enum PositionTimes: Hashable, Sendable {
  /// The time of arrival counts. A source's timestamp may be any number, or a date.
  case ofArrival
  /// They pace a recorded track, and must be seconds or a date.
  case recorded
}

/// Reads a line: a JSON object with `x` and `y` and optionally `confidence`, `id` and `t`, or CSV
/// `timestamp,x,y`. The first character decides which.
package struct PositionParser: Sendable {
  /// The longest `id`, in bytes.
  package static let longestID = 64
  private static let header = "timestamp,x,y"

  private let times: PositionTimes

  package init(_ times: PositionTimes) {
    self.times = times
  }

  /// - Returns: nil for a blank line and for CSV's header.
  package func parse(_ line: [UInt8]) throws(PositionLineError) -> PositionReport? {
    // JSON is read from the bytes: only CSV needs a text.
    let first = line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    if first == UInt8(ascii: "{") { return try object(line) }
    guard let text = String(validating: line, as: UTF8.self) else { throw .notUTF8 }
    let trimmed = text.trimmed
    if trimmed.isEmpty || trimmed.lowercased() == Self.header { return nil }
    return try columns(trimmed)
  }

  /// Whether the line asks for replies; a recorded track can't.
  func wantsReplies(_ line: [UInt8]) -> Bool {
    times == .ofArrival
      && (try? JSONValue(text: line)) == .object(["replies": .boolean(true)])
  }

  private func object(_ line: [UInt8]) throws(PositionLineError) -> PositionReport {
    let members: [String: JSONValue]
    do throws(JSONTextError) {
      guard case .object(let read) = try JSONValue(text: line) else { throw .notJSON }
      members = read
    } catch {
      throw PositionLineError(error)
    }
    guard let x = try members.number("x") else { throw .missing(key: "x") }
    guard let y = try members.number("y") else { throw .missing(key: "y") }
    let confidence = try members.number("confidence")
    let id = try members.label("id")
    guard id?.utf8.count ?? 0 <= Self.longestID else { throw .longID }
    var time: Duration?
    if let text = try members.label("t") {
      time = try self.time(text, seconds: members["t"]?.number)
    }
    return try report(x: x, y: y, confidence: confidence, id: id, time: time)
  }

  private func columns(_ text: Substring) throws(PositionLineError) -> PositionReport {
    let columns = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard columns.count == 3 else { throw .unknownFormat }
    let time = try time(columns[0], seconds: Double(decimal: columns[0]))
    guard let x = Double(decimal: columns[1]) else {
      throw .notANumber(column: "x", text: String(columns[1]))
    }
    guard let y = Double(decimal: columns[2]) else {
      throw .notANumber(column: "y", text: String(columns[2]))
    }
    return try report(x: x, y: y, confidence: nil, id: nil, time: time)
  }

  /// - Returns: nil for a number that is no time in seconds, if the time of arrival counts.
  private func time(
    _ text: some StringProtocol,
    seconds: Double?
  ) throws(PositionLineError) -> Duration? {
    if let time = seconds.map(Timestamp.duration(seconds:)) ?? Timestamp.duration(text) {
      return time
    }
    guard times == .ofArrival, seconds != nil else { throw .notATimestamp(String(text)) }
    return nil
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

extension [String: JSONValue] {
  /// - Returns: nil if it is missing; except for coordinates, null counts as missing.
  fileprivate func number(_ key: String) throws(PositionLineError) -> Double? {
    switch self[key] {
    case nil: return nil
    case .null where key != "x" && key != "y": return nil
    case let value?:
      guard let number = value.number else { throw .wrongType(key: key, expected: "a number") }
      return number
    }
  }

  /// A string, or a number as text.
  fileprivate func label(_ key: String) throws(PositionLineError) -> String? {
    switch self[key] {
    case nil, .null: nil
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .boolean, .array, .object:
      throw .wrongType(key: key, expected: "a string or a number")
    }
  }
}

extension PositionLineError {
  fileprivate init(_ error: JSONTextError) {
    self =
      switch error {
      case .notUTF8: .notUTF8
      case .notJSON: .notJSON
      case .doubledKey, .numberOutOfRange, .nul, .tooMuch: .json(error)
      }
  }
}

extension StringProtocol {
  /// The text without surrounding spaces and tabs.
  fileprivate var trimmed: SubSequence {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    let start = firstIndex { !isBlank($0) } ?? endIndex
    let end = self[start...].lastIndex { !isBlank($0) }.map(index(after:)) ?? start
    return self[start..<end]
  }
}
