import Clocks
import ControlProtocol
import CourtLogic
import Host
import JSON
import Positions

/// Reads a session log as the track of its player: positions of other sources are left out, by the
/// session's own rule. The track also has the times when balls could fly, and the court.
///
/// A torn line is a bad line, wherever it stands.
struct SessionTrackReader: TrackReader {
  /// Whether a file that begins with this line is a session log, or a part of one.
  static func reads(_ firstLine: some Collection<UInt8>) -> Bool {
    (try? JSONValue(text: Array(firstLine)))?["event"]?.string != nil
  }

  /// The state in which balls can fly.
  private static let feeds = "live"
  /// The states that end a session or a set: the next ball begins a new grid.
  private static let ends: Set = ["resting", "disarmed", "stopped"]
  private var splitter = LineSplitter(longest: RecordedCourt.longestLine)
  private var selection = PlayerSelection()
  private var positions: [(time: Duration, position: PlayerPosition)] = []
  private var feeding: [(time: Duration, isFeeding: Bool, beginsGrid: Bool)] = []
  /// Whether a session or a set has ended since balls could fly last.
  private var isGridOver = false
  private var verdicts: [(time: Duration, isHeld: Bool)] = []
  private var changes: [(time: Duration, setting: SessionChange.Setting)] = []
  private var training = RecordedTraining()
  private var badLines: [BadLine] = []
  private var error: TrackError?

  init() {}

  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    var lines: [(Int, LineSplitter.Content)] = []
    splitter.append(bytes) { lines.append(($0, $1)) }
    for (number, content) in lines { take(content, line: number) }
  }

  mutating func track() throws(TrackError) -> Track {
    var last: (Int, LineSplitter.Content)?
    splitter.finish { last = ($0, $1) }
    if let (number, content) = last { take(content, line: number) }
    if let error { throw error }
    if positions.isEmpty, let bad = badLines.first { throw .noPositions(firstBadLine: bad) }
    let start = positions.first?.time ?? .zero
    return Track(
      positions: positions.map { TimedPosition(offset: $0.time - start, position: $0.position) },
      badLines: badLines,
      feeding: feeding.map {
        FeedingChange(
          offset: $0.time - start,
          isFeeding: $0.isFeeding,
          beginsGrid: $0.beginsGrid
        )
      },
      // A ball is recorded with its outcome, possibly after later decisions.
      verdicts: verdicts.sorted { $0.time < $1.time }
        .map { RecordedVerdict(offset: $0.time - start, isHeld: $0.isHeld) },
      changes: changes.map { SessionChange(offset: $0.time - start, setting: $0.setting) }
    )
  }

  private mutating func take(_ content: LineSplitter.Content, line number: Int) {
    guard error == nil else { return }
    do throws(PositionLineError) {
      switch content {
      case .line(let bytes) where bytes.isEmpty: return
      case .line(let bytes):
        guard let line = SessionLine(bytes) else { throw .notJSON }
        try take(line, number)
      case .unterminated(let bytes):
        guard let line = SessionLine(bytes) else { throw .cut }
        try take(line, number)
      case .tooLong: throw .tooLong
      case .rest: return
      }
    } catch {
      badLines.append(BadLine(line: number, reason: error))
    }
  }

  private mutating func take(_ line: SessionLine, _ number: Int) throws(PositionLineError) {
    switch line {
    case .session(let version):
      if !SessionRecord.versions.contains(version) {
        error = .unknownVersion(version, line: number)
      }
    case .position(let record, let t):
      guard let time = Timestamp.duration(seconds: t) else { throw .notATimestamp("\(t)") }
      let position: PlayerPosition
      do {
        position = try PlayerPosition(x: record.x, y: record.y, confidence: record.confidence)
      } catch {
        throw .position(error)
      }
      let source = SourceID(connection: record.connection, id: record.id)
      if let previous = positions.last?.time, time < previous {
        error = .backwards(line: number, time: time, previous: previous)
      } else if selection.admits(source, at: MonotonicInstant(sinceStart: time)) {
        positions.append((time, position))
      }
    case .safety(let state, let t):
      guard let time = Timestamp.duration(seconds: t) else { throw .notATimestamp("\(t)") }
      if Self.ends.contains(state) { isGridOver = true }
      let isFeeding = state == Self.feeds
      // Each file of a session begins with what is known already.
      guard isFeeding != feeding.last?.isFeeding else { break }
      feeding.append((time, isFeeding, isFeeding && isGridOver))
      if isFeeding { isGridOver = false }
    case .decided(let isHeld, let t):
      guard let time = Timestamp.duration(seconds: t) else { throw .notATimestamp("\(t)") }
      verdicts.append((time, isHeld))
    case .court(let recorded, let t):
      guard let time = Timestamp.duration(seconds: t) else { throw .notATimestamp("\(t)") }
      changes.append((time, .court(recorded)))
    case .training(let record, let t):
      guard let time = Timestamp.duration(seconds: t) else { throw .notATimestamp("\(t)") }
      // It tells of each ball of a drill, too.
      guard record.recorded != training else { break }
      training = record.recorded
      changes.append((time, .training(training)))
    case .other:
      break
    }
  }
}

/// What a line of a session log means for a replay.
private enum SessionLine: Decodable {
  case session(version: Int)
  case position(PositionRecord, t: Double)
  case safety(state: String, t: Double)
  case decided(isHeld: Bool, t: Double)
  case court(RecordedCourt, t: Double)
  case training(TrainingRecord, t: Double)
  case other

  /// - Parameter text: without its end. Nil for a line that is no record.
  init?(_ text: [UInt8]) {
    guard let line = try? JSONValue(text: text).decoded(as: Self.self) else { return nil }
    self = line
  }

  private enum Key: CodingKey {
    case event, `protocol`, version, t, state
  }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    switch try object.decode(String.self, forKey: .event) {
    case SessionRecord.event:
      let key = object.contains(.protocol) ? Key.protocol : .version
      self = .session(version: try object.decode(Int.self, forKey: key))
    case "position":
      self = .position(
        try PositionRecord(from: decoder),
        t: try object.decode(Double.self, forKey: .t)
      )
    case "safety":
      self = .safety(
        state: try object.decode(String.self, forKey: .state),
        t: try object.decode(Double.self, forKey: .t)
      )
    case "dispatch", "held":
      self = .decided(
        isHeld: try object.decode(String.self, forKey: .event) == "held",
        t: try object.decode(Double.self, forKey: .t)
      )
    case CourtRecord.event:
      let record = try CourtRecord(from: decoder)
      self = record.recorded.map { .court($0, t: record.t) } ?? .other
    case "training":
      self = .training(
        try TrainingRecord(from: decoder),
        t: try object.decode(Double.self, forKey: .t)
      )
    default:
      self = .other
    }
  }
}

extension TrainingRecord {
  fileprivate var recorded: RecordedTraining {
    let level = drill == nil ? level.flatMap(SkillLevel.init(rawValue:)) : nil
    guard drill != nil || level != nil, let interval = Timestamp.duration(seconds: interval),
      interval > .zero
    else { return RecordedTraining() }
    return RecordedTraining(level: level, interval: interval)
  }
}
