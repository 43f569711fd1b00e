package import Clocks
import CourtLogic
import CourtMapping

/// Whether a source still measures. A detector that hangs may repeat its last position for ever.
package enum Repetition: Hashable, Sendable {
  case none
  /// The source has repeated its position for so long that people get a hint. Its positions are so
  /// coarse that a player who stands still looks the same.
  case long(since: MonotonicInstant)
  /// The source repeats itself, which a detector that measures does not.
  case stuck(since: MonotonicInstant)

  package var isStuck: Bool { if case .stuck = self { true } else { false } }

  /// Since when the position is the same, where that is worth telling.
  package var since: MonotonicInstant? {
    switch self {
    case .none: nil
    case .long(let since), .stuck(let since): since
    }
  }
}

/// Judges the positions of one source by what it measures: metres, or pixels of its picture.
struct RepetitionWatch: Hashable, Sendable {
  /// How long a source repeats itself before it is stuck.
  static let limit = Duration.seconds(10)
  /// How long a coarse one does before people get a hint.
  static let hint = Duration.seconds(60)
  /// A source with a finer step, other than zero, never repeats itself while it measures. In metres, less
  /// what sums of decimals are off by: a step of a millimetre is none.
  private static let fineMetres = 0.001 - 1e-9
  /// The step in pixels below which a source is fine, less what sums of decimals are off by.
  private static let finePixels = 0.05 - 1e-9

  private struct Reading: Hashable {
    let isInPixels: Bool
    let x: Double
    let y: Double

    init(_ report: PositionReport) {
      isInPixels = report.point != nil
      x = report.point?.u ?? report.position.x
      y = report.point?.v ?? report.position.y
    }

    func isFine(after last: Reading) -> Bool {
      guard isInPixels == last.isInPixels else { return false }
      let limit = isInPixels ? RepetitionWatch.finePixels : RepetitionWatch.fineMetres
      return [abs(x - last.x), abs(y - last.y)].contains { $0 > 0 && $0 < limit }
    }
  }

  /// The source's own time, as far as it says one.
  private struct Stamp: Hashable {
    let time: Duration?
    let text: String?

    init?(_ report: PositionReport) {
      guard report.time != nil || report.stamp != nil else { return nil }
      time = report.time
      text = report.stamp
    }
  }

  private var reading: Reading?
  private var since = MonotonicInstant.start
  private var stamp: Stamp?
  /// Since when the source's own time stands still.
  private var stampSince = MonotonicInstant.start
  /// Whether its finest step was so small that noise alone moves it.
  private var isFine = false
  mutating func judge(_ report: PositionReport, at now: MonotonicInstant) -> Repetition {
    let (next, nextStamp) = (Reading(report), Stamp(report))
    if nextStamp == nil || nextStamp != stamp { stampSince = now }
    stamp = nextStamp
    guard next == reading else {
      if let reading, next.isFine(after: reading) { isFine = true }
      reading = next
      since = now
      stampSince = now
      return .none
    }
    let time = since.duration(to: now)
    let standsStill = stamp != nil && stampSince.duration(to: now) >= Self.limit
    if standsStill || isFine && time >= Self.limit { return .stuck(since: since) }
    return time >= Self.hint ? .long(since: since) : .none
  }
}

/// Judges the sources of one connection, in bounded memory.
struct SourceWatches: Sendable {
  static let most = 64

  fileprivate struct Watch {
    var repetition = RepetitionWatch()
    var frame = FrameWatch()
    /// Which of the connection's positions its last one was.
    var heard = 0
  }

  private var watches: [String?: Watch] = [:]
  private var count = 0

  mutating func judge(_ report: PositionReport, at now: MonotonicInstant) -> SourceJudgement {
    if watches[report.id] == nil, watches.count >= Self.most,
      let oldest = watches.min(by: { $0.value.heard < $1.value.heard })
    {
      watches[oldest.key] = nil
    }
    count += 1
    return watches[report.id, default: Watch()].judge(report, at: now, count)
  }
}

extension SourceWatches.Watch {
  fileprivate mutating func judge(
    _ report: PositionReport,
    at now: MonotonicInstant,
    _ number: Int
  ) -> SourceJudgement {
    heard = number
    // A picture point has gone through a calibration, and is in metres.
    return SourceJudgement(
      repetition: repetition.judge(report, at: now),
      misfit: report.point == nil ? frame.judge(report.position) : nil
    )
  }
}
