package import Clocks
package import Positions

/// Lines of positions that can't be used: all since the last report, and the last of them.
package struct RefusedLines: Hashable, Sendable {
  package var count: Int
  package var last: BadLine
  package var connection: String
  /// When the last one came.
  package var time: MonotonicInstant
}

/// Makes reports of refused lines, one a second at most: a feeder may send thousands.
struct RefusedLineReports {
  private static let interval = Duration.seconds(1)

  /// The last one, reported or not.
  private(set) var last: RefusedLines?
  private var waiting: RefusedLines?
  private var earliest = MonotonicInstant.start
  /// The last reported one.
  private var reported: RefusedLines?

  /// When a report is due; nil when nothing waits.
  var due: MonotonicInstant? { waiting == nil ? nil : earliest }

  mutating func receive(_ line: BadLine, connection: String, at now: MonotonicInstant) {
    let new = RefusedLines(
      count: (waiting?.count ?? 0) + 1,
      last: line,
      connection: connection,
      time: now
    )
    last = new
    // Until another line is wrong, this reason lasts, and it was reported.
    let isKnown =
      line.reason.lasts && reported?.last.reason == line.reason
      && reported?.connection == connection
    if !isKnown || waiting != nil { waiting = new }
  }

  /// - Returns: what is to be reported now; nil: nothing, or not yet.
  mutating func report(at now: MonotonicInstant, isLast: Bool = false) -> RefusedLines? {
    guard isLast || earliest <= now, let report = waiting else { return nil }
    waiting = nil
    reported = report
    earliest = now.advanced(by: Self.interval)
    return report
  }
}

extension PositionLineError {
  /// Whether each further picture point of the feeder is refused for the same reason.
  fileprivate var lasts: Bool {
    switch self {
    case .noSize, .noCalibration, .otherCalibration, .otherShape: true
    default: false
    }
  }
}
