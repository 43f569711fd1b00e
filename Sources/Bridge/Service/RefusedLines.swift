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

  /// When a report is due; nil when nothing waits.
  var due: MonotonicInstant? { waiting == nil ? nil : earliest }

  mutating func take(_ line: BadLine, connection: String, at now: MonotonicInstant) {
    waiting = RefusedLines(
      count: (waiting?.count ?? 0) + 1,
      last: line,
      connection: connection,
      time: now
    )
    last = waiting
  }

  /// - Returns: what is to be reported now; nil: nothing, or not yet.
  mutating func report(at now: MonotonicInstant, isLast: Bool = false) -> RefusedLines? {
    guard isLast || earliest <= now, let report = waiting else { return nil }
    waiting = nil
    earliest = now.advanced(by: Self.interval)
    return report
  }
}
