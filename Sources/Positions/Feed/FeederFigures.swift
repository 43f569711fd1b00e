package import Clocks
package import CourtLogic

/// What a feeder has sent so far, in bounded memory, for people who look at what their detector does.
package struct FeederFigures: Sendable {
  /// A source that comes when so many are known takes the place of the one that has been silent longest:
  /// some trackers count their ids up.
  package static let mostSources = 16

  /// The feeder's name.
  package let connection: String
  package private(set) var sources: [SourceFigures] = []
  package private(set) var badLines = 0
  package private(set) var lastBadLine: (line: BadLine, at: MonotonicInstant)?
  /// Positions and bad lines that were not taken in time, or came while the process stood still.
  package internal(set) var dropped = 0

  init(_ connection: String) { self.connection = connection }

  /// - Parameter wallTime: since 1970.
  mutating func receive(_ report: PositionReport, at now: MonotonicInstant, wallTime: Duration) {
    if let index = sources.firstIndex(where: { $0.id == report.id }) {
      return sources[index].receive(report, at: now, wallTime: wallTime)
    }
    if sources.count == Self.mostSources,
      let oldest = sources.indices.min(by: { sources[$0].arrival < sources[$1].arrival })
    {
      sources.remove(at: oldest)
    }
    sources.append(SourceFigures(report, at: now, wallTime: wallTime))
  }

  mutating func receive(_ line: BadLine, at now: MonotonicInstant) {
    badLines += 1
    lastBadLine = (line, now)
  }
}

/// What a source has sent so far: all positions of a feeder with the same id, or without one.
package struct SourceFigures: Sendable {
  /// What a source's own timestamp is.
  package enum Stamp: Hashable, Sendable {
    case none
    /// It isn't the wall clock's, or the clocks differ by hours: it tells nothing of a delay.
    case other
    /// From the timestamp to the arrival; below zero where the source's clock is ahead.
    case wallClock(delay: Duration)

    /// By more, the timestamp is of another clock, or of another time zone.
    private static let mostDelay = Duration.seconds(3600)

    init(_ report: PositionReport, wallTime: Duration) {
      guard let time = report.time else {
        self = report.stamp == nil ? .none : .other
        return
      }
      let delay = wallTime - time
      let isKnown = !report.lacksZone && (.zero - Self.mostDelay...Self.mostDelay).contains(delay)
      self = isKnown ? .wallClock(delay: delay) : .other
    }

    package var delay: Duration? { if case .wallClock(let delay) = self { delay } else { nil } }
  }

  package let id: String?
  /// The last one.
  package private(set) var position: PlayerPosition
  /// When that came.
  package private(set) var arrival: MonotonicInstant
  /// Of the last one.
  package private(set) var stamp: Stamp
  /// How many have come.
  package private(set) var count = 1
  private var recent: RecentArrivals

  fileprivate init(_ report: PositionReport, at now: MonotonicInstant, wallTime: Duration) {
    id = report.id
    position = report.position
    arrival = now
    stamp = Stamp(report, wallTime: wallTime)
    recent = RecentArrivals(at: now, delay: stamp.delay)
  }

  fileprivate mutating func receive(
    _ report: PositionReport,
    at now: MonotonicInstant,
    wallTime: Duration
  ) {
    position = report.position
    arrival = now
    stamp = Stamp(report, wallTime: wallTime)
    count += 1
    recent.add(at: now, delay: stamp.delay)
  }

  /// Positions a second over the last 2 to 4 s; nil in the first second.
  package func perSecond(at now: MonotonicInstant) -> Double? { recent.perSecond(at: now) }

  /// The greatest delay of the last 2 to 4 s; nil where none is known.
  package func greatestDelay(at now: MonotonicInstant) -> Duration? {
    recent.greatestDelay(at: now)
  }
}
