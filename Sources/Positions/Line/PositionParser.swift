import CourtLogic
package import CourtMapping
import JSON

/// Reads a line: a JSON object with a place, a JSON object that says what places mean, or CSV. The first
/// character decides which.
///
/// - A place is `x` and `y` in metres of the ``CourtFrame``, or a point of the picture: `u` and `v`, a `box`,
///   or `keypoints`. With it come perhaps a confidence, an id and a time.
/// - What places mean is the picture's `size`, perhaps with its `calibration`, or the frame: `units`,
///   `origin`, `axes` and `scale`.
/// - CSV is `timestamp,x,y`, unless a header names other columns.
package struct PositionParser: Sendable {
  /// The longest `id`, in bytes.
  package static let longestID = 64
  /// What the phone app writes above its rows, and again where it goes on.
  private static let header = "timestamp,x,y"

  let times: PositionTimes
  var mapping: PictureMapping
  /// Nil after a declaration that makes no sense: what was meant is not known.
  var frame: CourtFrame?
  private let configuredFrame: CourtFrame
  private var columns = CSVColumns.usual
  /// A header is the first line, if any: what looks like one later is a damaged row.
  private var mayBeHeader = true
  private var hints = FeedHints()

  /// - Parameter frame: what numbers mean, unless the source declares it.
  package init(_ times: PositionTimes, frame: CourtFrame = .court) {
    self.times = times
    mapping = PictureMapping(isOfFile: times != .ofArrival)
    self.frame = frame
    configuredFrame = frame
  }

  /// - Parameter calibration: for picture points; nil: they are refused.
  package mutating func use(_ calibration: Calibration?) { mapping.calibration = calibration }

  /// Ends the stream: what it declared is forgotten.
  mutating func finish() {
    mapping.forgetSize()
    frame = configuredFrame
    columns = .usual
    mayBeHeader = true
    hints = FeedHints()
  }

  /// The hints since the last call.
  mutating func newHints() -> [FeedHint] { hints.new() }

  /// What the numbers so far look like; nil without any.
  package var guess: FrameGuess? { frame.flatMap { hints.guess(as: $0) } }

  /// - Returns: nil for a blank line, for CSV's header, and for a declaration alone.
  package mutating func parse(_ line: [UInt8]) throws(PositionLineError) -> PositionReport? {
    guard !line.isEmpty else { return nil }
    defer { mayBeHeader = false }
    // JSON is read from the bytes: only CSV needs a text.
    let first = line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    if first == UInt8(ascii: "{") { return try object(line) }
    if first == UInt8(ascii: "[") { throw .array }
    guard let text = String(validating: line, as: UTF8.self) else { throw .notUTF8 }
    let trimmed = text.trimmed
    if trimmed.isEmpty || trimmed.lowercased() == Self.header { return nil }
    if mayBeHeader, let header = try CSVColumns(header: trimmed, times: times) {
      columns = header
      return nil
    }
    return try row(trimmed)
  }

  /// Whether the line asks for replies; a recorded track can't.
  func wantsReplies(_ line: [UInt8]) -> Bool {
    times == .ofArrival
      && (try? JSONValue(text: line)) == .object(["replies": .boolean(true)])
  }

  private mutating func row(_ text: Substring) throws(PositionLineError) -> PositionReport {
    let row = try columns.row(text)
    let confidence = try row.number(.confidence)
    var report: PositionReport
    if columns.hasPicturePoints {
      report = try pictured(
        PicturePoint(try row.coordinate(.u), try row.coordinate(.v)),
        confidence: confidence
      )
    } else {
      let (x, y) = (try row.coordinate(.x), try row.coordinate(.y))
      report = PositionReport(position: try position(x: x, y: y, confidence: confidence))
    }
    report.id = try Self.id(row[.id].map(String.init))
    if let text = row[.time] {
      report.time = try time(text, number: Double(decimal: text), columns.time)
      report.noteStamp(text)
    }
    return report
  }

  static func id(_ text: String?) throws(PositionLineError) -> String? {
    guard text?.utf8.count ?? 0 <= longestID else { throw .longID }
    return text
  }

  /// - Parameter counts: the unit that its name says.
  /// - Returns: nil for a number that is no time in seconds, if the time of arrival counts.
  func time(
    _ text: some StringProtocol,
    number: Double?,
    _ counts: CSVColumns.Time
  ) throws(PositionLineError) -> Duration? {
    guard let number else {
      guard let date = Timestamp.duration(text) else { throw .notATimestamp(String(text)) }
      return date
    }
    var unit = TrackTime.seconds
    if case .recorded(let given?) = times {
      unit = given
    } else if counts == .milliseconds {
      unit = .milliseconds
    } else if counts == .frames {
      guard times == .ofArrival else { throw .frameNumbers }
      return nil
    }
    if let time = Timestamp.duration(seconds: unit.seconds(number)) { return time }
    guard times == .ofArrival else { throw .notATimestamp(String(text)) }
    return nil
  }

  /// A place in the source's own numbers.
  mutating func position(
    x: Double,
    y: Double,
    confidence: Double?
  ) throws(PositionLineError) -> PlayerPosition {
    guard let frame else { throw .noFrame }
    hints.saw(x: x, y: y, as: frame)
    let metres = frame.metres(x, y)
    do { return try PlayerPosition(x: metres.x, y: metres.y, confidence: confidence) } catch {
      throw .position(error)
    }
  }

  /// A place in the source's picture.
  func pictured(
    _ point: PicturePoint,
    confidence: Double?
  ) throws(PositionLineError) -> PositionReport {
    PositionReport(
      position: try mapping.position(u: point.u, v: point.v, confidence: confidence),
      point: point
    )
  }

  /// Tells once of each key that isn't known, but looks like one.
  mutating func noteKeys(_ keys: some Sequence<String>) {
    for key in keys { hints.saw(key: key) }
  }
}

/// The hints for a source, each given once.
private struct FeedHints: Sendable {
  private var points: [(x: Double, y: Double)] = []
  private var keys: Set<String> = []
  private var waiting: [FeedHint] = []
  private static let mostKeys = 64

  mutating func saw(x: Double, y: Double, as frame: CourtFrame) {
    guard points.count < FrameWatch.evidence else { return }
    if points.isEmpty { points.reserveCapacity(FrameWatch.evidence) }
    points.append((x, y))
    guard points.count == FrameWatch.evidence, let guess = guess(as: frame), guess.fit != .good
    else { return }
    waiting.append(.frame(guess, as: frame))
  }

  mutating func saw(key: String) {
    guard keys.count < Self.mostKeys, keys.insert(key).inserted else { return }
    if let likely = PositionKey.likely(for: key) {
      waiting.append(.unknownKey(key, likely: likely))
    }
  }

  func guess(as frame: CourtFrame) -> FrameGuess? {
    points.isEmpty ? nil : FrameGuess(points, as: frame)
  }

  mutating func new() -> [FeedHint] {
    guard !waiting.isEmpty else { return [] }
    defer { waiting = [] }
    return waiting
  }
}

extension PositionReport {
  /// Notes the source's own timestamp, once ``time`` is known.
  mutating func noteStamp(_ text: some StringProtocol) {
    if time == nil { stamp = String(text) }
    lacksZone = Timestamp.lacksZone(text)
  }
}

extension StringProtocol {
  /// The text without surrounding spaces and tabs.
  var trimmed: SubSequence {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    let start = firstIndex { !isBlank($0) } ?? endIndex
    let end = self[start...].lastIndex { !isBlank($0) }.map(index(after:)) ?? start
    return self[start..<end]
  }
}
