package import CourtLogic
package import Host
package import Positions

/// A recorded file of positions with the source's own times, or the run log's.
package struct Track: Hashable, Sendable {
  /// The first has offset zero, and the offsets never decrease.
  package let positions: [TimedPosition]
  /// The lines without a usable position.
  package let badLines: [BadLine]
  /// When the run's balls could fly, in order of time; empty for a file without this.
  package let feeding: [FeedingChange]
  /// The outcomes of the run's own decisions, in order of time; empty for a file without them.
  package let verdicts: [RecordedVerdict]
  /// How the run decided, in order of time; empty for a file without this.
  package let changes: [SettingChange]

  /// The people in the file, the most followed one first; empty for a session log.
  package internal(set) var people: [TrackPerson] = []
  /// Hints about the file: unknown keys, and what its numbers look like.
  package internal(set) var hints: [FeedHint] = []
  /// What its numbers look like; nil for a session log.
  package internal(set) var guess: FrameGuess?
  /// What its times look like, where seconds make no sense of them.
  package internal(set) var timeGuess: TimeGuess?

  /// Reads a whole file.
  package init(path: String, as reading: TrackReading = TrackReading()) throws(TrackError) {
    var reader = Reader(reading)
    do throws(SystemError) {
      try InputFile.read(path, .named) {
        reader.receive($0)
        return true
      }
    } catch {
      throw .unreadable(error)
    }
    self = try reader.track()
  }

  /// Reads a file's bytes.
  package init(
    bytes: [UInt8],
    as reading: TrackReading = TrackReading()
  ) throws(TrackError) {
    var reader = Reader(reading)
    bytes.withUnsafeBytes { reader.receive($0[...]) }
    self = try reader.track()
  }

  init(
    positions: [TimedPosition],
    badLines: [BadLine],
    feeding: [FeedingChange] = [],
    verdicts: [RecordedVerdict] = [],
    changes: [SettingChange] = []
  ) {
    self.positions = positions
    self.badLines = badLines
    self.feeding = feeding
    self.verdicts = verdicts
    self.changes = changes
  }

  /// The court at the run's beginning; nil for a file without one.
  package var court: LogicManager.Settings? { changes.lazy.compactMap(\.court).first }
}

/// From here on the run decided so.
package struct SettingChange: Hashable, Sendable {
  package enum Setting: Hashable, Sendable {
    case court(LogicManager.Settings)
    case training(RecordedTraining)
  }

  /// From the first position on; below zero before it.
  package var offset: Duration
  package var setting: Setting

  package var court: LogicManager.Settings? {
    if case .court(let court) = setting { court } else { nil }
  }
}

/// What was trained.
package struct RecordedTraining: Hashable, Sendable {
  /// Nil: none, or a drill's, whose aim is not recorded.
  package var level: SkillLevel?
  /// From one ball to the next; nil: the court's.
  package var interval: Duration?
}

/// From here on balls could fly, or not.
package struct FeedingChange: Hashable, Sendable {
  /// From the first position on; below zero before it.
  package var offset: Duration
  package var isFeeding: Bool
  /// Whether the next ball begins a new grid, because a session or a set has ended.
  package var beginsGrid = false
}

/// Why a file is no track.
package enum TrackError: Error, Hashable, Sendable {
  case unreadable(SystemError)
  /// A line's time is before the time of an earlier line.
  case backwards(line: Int, time: Duration, previous: Duration)
  case noTime(line: Int)
  /// A run log that a newer program wrote.
  case unknownVersion(Int, line: Int)
  /// Lines, but no usable position among them.
  case noPositions(firstBadLine: BadLine, [FeedHint] = [])
  /// No person in the file has the requested id.
  case noSuchPlayer(String, known: [TrackPerson])
  /// One JSON document rather than a line for each position.
  case document(JSONDocumentAdvice)
}

extension TrackError {
  /// What is wrong in the file at `path`, with the place.
  package func text(in path: String) -> String {
    switch self {
    case .unreadable(let error):
      error.description
    case .backwards(let line, let time, let previous):
      "\(path):\(line):1: its time, \(time / .seconds(1)) s, is before the previous one,"
        + " \(previous / .seconds(1)) s"
    case .noTime(let line):
      "\(path):\(line):1: “t” is missing: a recorded track is paced by its own times"
        + " (t, time, timestamp, seconds, ms or frame)"
    case .unknownVersion(let version, let line):
      "\(path):\(line):1: a session log of version \(version); this program reads versions"
        + " 1 to \(RunRecord.versions.upperBound): use the one that wrote it, or a newer one"
    case .noPositions(let bad, _):
      "\(path):\(bad.line):1: \(bad.reason); no line has a usable position"
    case .noSuchPlayer(let id, let people):
      "\(path): no person has the id “\(id.excerpt)”; the file has \(people.names)"
    case .document(let advice):
      advice.program.map {
        "\(path): one JSON document, not one object a line: jq -c '\($0)' \(path) makes it so"
      } ?? "\(path): one JSON document without a list of objects: give one object a line"
    }
  }
}

/// Reads the bytes of one kind of file.
protocol TrackReader {
  mutating func receive(_ bytes: UnsafeRawBufferPointer)
  /// Ends the file.
  mutating func track() throws(TrackError) -> Track
}

/// Finds by the first line which kind of file it is, and reads it.
private struct Reader {
  private static let end = UInt8(ascii: "\n")

  private let reading: TrackReading
  private var beginning: [UInt8] = []
  private var reader: (any TrackReader)?

  init(_ reading: TrackReading) { self.reading = reading }

  mutating func receive(_ bytes: Slice<UnsafeRawBufferPointer>) {
    guard reader == nil else {
      reader?.receive(UnsafeRawBufferPointer(rebasing: bytes))
      return
    }
    beginning += bytes
    if beginning.count > LineSplitter.longestLine || bytes.contains(Self.end) { recognise() }
  }

  mutating func track() throws(TrackError) -> Track {
    if reader == nil { recognise() }
    guard let track = try reader?.track() else { preconditionFailure("a file of no kind") }
    return track
  }

  private mutating func recognise() {
    let line = beginning.prefix { $0 != Self.end }
    if LogTrackReader.reads(line) {
      reader = LogTrackReader()
    } else if line.first(where: { !" \t\r".utf8.contains($0) }) == UInt8(ascii: "[") {
      reader = JSONArrayReader(reading)
    } else if JSONDocumentReader.mayRead(line) {
      reader = JSONDocumentReader(reading)
    } else {
      reader = PositionTrackReader(reading)
    }
    beginning.withUnsafeBytes { reader?.receive($0) }
    beginning = []
  }
}

extension [TrackPerson] {
  /// The ids, as a person types them.
  package var names: String {
    let most = 8
    let names = prefix(most).map { $0.id.map { "“\($0.excerpt)”" } ?? "one without an id" }
    return names.joined(separator: ", ") + (count > most ? " and \(count - most) more" : "")
  }
}
