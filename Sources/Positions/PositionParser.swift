package import CourtLogic
package import CourtMapping
import JSON

/// What one line of a position stream says.
package struct PositionReport: Hashable, Sendable {
  package var position: PlayerPosition
  /// The connection's detector or player, if the line names one.
  package var id: String?
  /// The source's own timestamp, which paces a recorded track.
  package var time: Duration?
  /// The source's own timestamp where it is no time in seconds.
  package var stamp: String?
  /// Whether ``time`` is a date without its zone: it may be of any.
  package var lacksZone = false
  /// The picture point that the position comes of, in the feeder's pixels.
  package var point: PicturePoint?
  /// How a live source repeats itself.
  package var repetition = Repetition.none
}

/// How the timestamps of positions are used.
package enum PositionTimes: Hashable, Sendable {
  /// The time of arrival counts. A source's timestamp may be any number, or a date.
  case ofArrival
  /// The timestamps pace a recorded track, and must be seconds or a date.
  case recorded
}

/// Reads a line: a JSON object with `x` and `y` in metres, or with `u` and `v` in pixels, and
/// optionally `confidence`, `id` and `t`; an object with the picture's `size`, and perhaps its
/// `calibration`; or CSV `timestamp,x,y`. The first character decides which.
package struct PositionParser: Sendable {
  /// The longest `id`, in bytes.
  package static let longestID = 64
  private static let header = "timestamp,x,y"

  private let times: PositionTimes
  private var mapping = PictureMapping()

  package init(_ times: PositionTimes) {
    self.times = times
  }

  /// - Parameter calibration: for picture points; nil: they are refused.
  package mutating func use(_ calibration: Calibration?) { mapping.calibration = calibration }

  /// Ends the stream.
  mutating func finish() { mapping.forgetSize() }

  /// - Returns: nil for a blank line, for CSV's header, and for a picture's size alone.
  package mutating func parse(_ line: [UInt8]) throws(PositionLineError) -> PositionReport? {
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

  private mutating func object(_ line: [UInt8]) throws(PositionLineError) -> PositionReport? {
    let members: [String: JSONValue]
    do throws(JSONTextError) {
      guard case .object(let read) = try JSONValue(text: line) else { throw .notJSON }
      members = read
    } catch {
      throw PositionLineError(error)
    }
    if let size = members["size"] {
      let size = try Self.size(size)
      try mapping.declare(size, calibration: try members.label("calibration"))
      if members.keys.allSatisfy({ !["x", "y", "u", "v"].contains($0) }) { return nil }
    }
    let confidence = try members.number("confidence")
    let id = try members.label("id")
    guard id?.utf8.count ?? 0 <= Self.longestID else { throw .longID }
    var time: Duration?
    let text = try members.label("t")
    if let text { time = try self.time(text, seconds: members["t"]?.number) }
    var report = try position(members, confidence: confidence)
    report.id = id
    report.time = time
    report.stamp = time == nil ? text : nil
    report.lacksZone = text.map { Timestamp.lacksZone($0) } ?? false
    return report
  }

  private func position(
    _ members: [String: JSONValue],
    confidence: Double?
  ) throws(PositionLineError) -> PositionReport {
    guard members["u"] != nil || members["v"] != nil else {
      let x = try members.coordinate("x")
      let y = try members.coordinate("y")
      return PositionReport(position: try Self.position(x: x, y: y, confidence: confidence))
    }
    guard members["x"] == nil, members["y"] == nil else { throw .metresAndPixels }
    let point = PicturePoint(try members.coordinate("u"), try members.coordinate("v"))
    return PositionReport(
      position: try mapping.position(u: point.u, v: point.v, confidence: confidence),
      point: point
    )
  }

  private static func size(_ value: JSONValue) throws(PositionLineError) -> PictureSize {
    guard case .array(let sides) = value, sides.count == 2,
      let width = sides[0].number.flatMap(Int.init(exactly:)),
      let height = sides[1].number.flatMap(Int.init(exactly:)),
      let size = PictureSize(width: width, height: height)
    else { throw .badSize }
    return size
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
    return PositionReport(
      position: try Self.position(x: x, y: y, confidence: nil),
      time: time,
      stamp: time == nil ? String(columns[0]) : nil,
      lacksZone: Timestamp.lacksZone(columns[0])
    )
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

  private static func position(
    x: Double,
    y: Double,
    confidence: Double?
  ) throws(PositionLineError) -> PlayerPosition {
    do { return try PlayerPosition(x: x, y: y, confidence: confidence) } catch {
      throw .position(error)
    }
  }
}

extension [String: JSONValue] {
  /// - Returns: nil if it is missing, or null.
  fileprivate func number(_ key: String) throws(PositionLineError) -> Double? {
    if self[key] == .null { return nil }
    return self[key] == nil ? nil : try coordinate(key)
  }

  fileprivate func coordinate(_ key: String) throws(PositionLineError) -> Double {
    guard let value = self[key] else { throw .missing(key: key) }
    guard let number = value.number else { throw .wrongType(key: key, expected: "a number") }
    return number
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
