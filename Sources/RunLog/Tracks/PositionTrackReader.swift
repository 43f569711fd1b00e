import Clocks
import CourtLogic
package import CourtMapping
import Host
package import Positions

/// How to read a recorded file: what its numbers mean, and which person to follow.
package struct TrackReading: Hashable, Sendable {
  /// What numbers mean, unless the file declares it.
  package var frame = CourtFrame.court
  /// What times count; nil: seconds or dates, or as a column's name says.
  package var time: TrackTime?
  /// Of the camera, for picture points; nil: they are refused.
  package var calibration: Calibration?
  /// The id of the person to follow; nil: the first one seen, as in a live feed.
  package var player: String?

  package init() {}
}

/// A person in a recorded file.
package struct TrackPerson: Hashable, Sendable {
  /// Their id in the file; nil without one.
  package var id: String?
  package var positions: Int
  /// How many of them are used.
  package var followed: Int

  package init(id: String?, positions: Int, followed: Int) {
    self.id = id
    self.positions = positions
    self.followed = followed
  }
}

/// Reads a file with a line for each position, CSV or JSON.
struct PositionTrackReader: TrackReader {
  private let reading: TrackReading
  private var decoder: PositionDecoder
  private var selection = PlayerSelection()
  private var times: [(time: Duration, position: PlayerPosition)] = []
  private var people: [String?: (number: Int, TrackPerson)] = [:]
  private var previous: Duration?
  private var badLines: [BadLine] = []
  private var hints: [FeedHint] = []
  private var error: TrackError?

  init(_ reading: TrackReading) {
    self.reading = reading
    decoder = PositionDecoder(.recorded(reading.time), frame: reading.frame)
    decoder.use(reading.calibration)
  }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    var lines: [PositionLine] = []
    decoder.decode(bytes) { lines.append($0) }
    for line in lines { receive(line) }
  }

  /// Reads an element of an array as a line.
  mutating func receive(_ element: LineSplitter.Content, line number: Int) {
    var lines: [PositionLine] = []
    decoder.decode(element, line: number) { lines.append($0) }
    for line in lines { receive(line) }
  }

  mutating func track() throws(TrackError) -> Track {
    var last: [PositionLine] = []
    let frame = decoder.frame ?? reading.frame
    let guess = decoder.finish(mayBeCut: false) { last.append($0) }
    for line in last { receive(line) }
    if let error { throw error }
    if let guess, guess.fit != .good { hints.append(.frame(guess, as: frame)) }
    if times.isEmpty {
      if let id = reading.player, !people.isEmpty { throw .noSuchPlayer(id, known: sortedPeople) }
      if let bad = badLines.first { throw .noPositions(firstBadLine: bad, hints) }
    }
    var track = Track(
      positions: times.map {
        TimedPosition(offset: $0.time - times[0].time, position: $0.position)
      },
      badLines: badLines
    )
    track.people = sortedPeople
    track.hints = hints
    track.guess = guess
    if reading.time == nil { track.timeGuess = TimeGuess(times) }
    return track
  }

  /// The most followed one first.
  private var sortedPeople: [TrackPerson] {
    people.values.sorted { ($1.1.followed, $0.number) < ($0.1.followed, $1.number) }.map(\.1)
  }

  private mutating func receive(_ line: PositionLine) {
    guard error == nil else { return }
    switch line {
    case .bad(let bad): badLines.append(bad)
    case .report(let report, let line): receive(report, line: line)
    case .hint(.frame, _): break
    case .hint(let hint, _): hints.append(hint)
    // Only a live feeder asks for them.
    case .wantsReplies: break
    }
  }

  private mutating func receive(_ report: PositionReport, line: Int) {
    guard let time = report.time else {
      error = .noTime(line: line)
      return
    }
    if let previous, time < previous {
      error = .backwards(line: line, time: time, previous: previous)
      return
    }
    previous = time
    var (number, person) =
      people[report.id] ?? (people.count, TrackPerson(id: report.id, positions: 0, followed: 0))
    person.positions += 1
    if isFollowed(report, at: time) {
      times.append((time, report.position))
      person.followed += 1
    }
    people[report.id] = (number, person)
  }

  private mutating func isFollowed(_ report: PositionReport, at time: Duration) -> Bool {
    if let player = reading.player { return report.id == player }
    let source = SourceID(connection: "track", id: report.id)
    return selection.admits(source, at: MonotonicInstant(sinceStart: time))
  }
}
