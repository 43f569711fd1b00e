import Clocks
import ControlProtocol
import CourtLogic
import Host
import JSON
import Positions

/// Reads a run log as the track of its player: positions of other sources are left out, by the
/// run's own rule. The track also has the times when balls could fly, and the court.
///
/// A torn line is a bad line, wherever it stands.
struct LogTrackReader: TrackReader {
  /// Whether a file that begins with this line is a run log, or a part of one.
  static func reads(_ firstLine: some Collection<UInt8>) -> Bool {
    (try? LogLine(Array(firstLine))) != nil
  }

  /// The state in which balls can fly.
  private static let feeds = "live"
  /// The states that end a session or a set: the next ball begins a new grid.
  private static let ends: Set = ["resting", "disarmed", "stopped"]
  private var splitter = LineSplitter(longest: CourtRecord.longestLine)
  private var selection = PlayerSelection()
  private var positions: [(time: Duration, position: PlayerPosition)] = []
  private var feeding: [(time: Duration, isFeeding: Bool, beginsGrid: Bool)] = []
  /// Whether a session or a set has ended since balls could fly last.
  private var isGridOver = false
  private var verdicts: [(time: Duration, isHeld: Bool)] = []
  private var changes: [(time: Duration, setting: SettingChange.Setting)] = []
  private var training = RecordedTraining()
  private var badLines: [BadLine] = []
  private var error: TrackError?

  init() {}

  mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    var lines: [(Int, LineSplitter.Content)] = []
    splitter.append(bytes) { lines.append(($0, $1)) }
    for (number, content) in lines { receive(content, line: number) }
  }

  mutating func track() throws(TrackError) -> Track {
    var last: (Int, LineSplitter.Content)?
    splitter.finish { last = ($0, $1) }
    if let (number, content) = last { receive(content, line: number) }
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
      changes: changes.map { SettingChange(offset: $0.time - start, setting: $0.setting) }
    )
  }

  private mutating func receive(_ content: LineSplitter.Content, line number: Int) {
    guard error == nil else { return }
    do {
      switch content {
      case .line(let bytes) where bytes.isEmpty: return
      case .line(let bytes), .unterminated(let bytes): try receive(LogLine(bytes), number)
      case .tooLong: throw PositionLineError.tooLong
      case .rest: return
      }
    } catch {
      var noRecord = PositionLineError.notJSON
      if case .unterminated = content { noRecord = .cut }
      badLines.append(BadLine(line: number, reason: error as? PositionLineError ?? noRecord))
    }
  }

  private mutating func receive(_ line: LogLine, _ number: Int) throws {
    switch line.event {
    case RunRecord.event:
      let version = try line.version
      if !RunRecord.versions.contains(version) {
        error = .unknownVersion(version, line: number)
      }
    case "position":
      let record = try line.record.decoded(as: PositionRecord.self)
      let time = try Self.time(of: line)
      let position: PlayerPosition
      do {
        position = try PlayerPosition(x: record.x, y: record.y, confidence: record.confidence)
      } catch {
        throw PositionLineError.position(error)
      }
      let source = SourceID(connection: record.connection, id: record.id)
      if let previous = positions.last?.time, time < previous {
        error = .backwards(line: number, time: time, previous: previous)
      } else if selection.admits(source, at: MonotonicInstant(sinceStart: time)) {
        positions.append((time, position))
      }
    case "safety":
      let state = try line.record["state"].decoded(as: String.self)
      let time = try Self.time(of: line)
      if Self.ends.contains(state) { isGridOver = true }
      let isFeeding = state == Self.feeds
      // Each file of a run begins with what is known already.
      guard isFeeding != feeding.last?.isFeeding else { break }
      feeding.append((time, isFeeding, isFeeding && isGridOver))
      if isFeeding { isGridOver = false }
    case "dispatch", "held":
      verdicts.append((try Self.time(of: line), line.event == "held"))
    case CourtRecord.event:
      guard let recorded = try line.record.decoded(as: CourtRecord.self).recorded else { break }
      changes.append((try Self.time(of: line), .court(recorded)))
    case "training":
      let recorded = try line.record.decoded(as: TrainingRecord.self).recorded
      let time = try Self.time(of: line)
      // It tells of each ball of a drill, too.
      guard recorded != training else { break }
      training = recorded
      changes.append((time, .training(training)))
    default:
      break
    }
  }

  private static func time(of line: LogLine) throws -> Duration {
    let t = try line.record["t"].decoded(as: Double.self)
    guard let time = Timestamp.duration(seconds: t) else {
      throw PositionLineError.notATimestamp("\(t)")
    }
    return time
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
