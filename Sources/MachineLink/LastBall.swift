package import Clocks
import CourtLogic

/// The last ball command that was written: the next one keeps a distance from it.
package struct LastBall: Hashable, Sendable {
  private let writtenAt: MonotonicInstant
  /// When its write was answered or given up: until then the ball may have left. Nil before that.
  private var settledAt: MonotonicInstant?

  package init(writtenAt: MonotonicInstant) {
    self.writtenAt = writtenAt
  }

  package mutating func settle(at now: MonotonicInstant) {
    settledAt = now
  }

  /// When the next one may be written.
  package func earliestNext(_ timing: LinkTiming) -> MonotonicInstant {
    let afterWrite = writtenAt.advanced(by: timing.commandSpacing)
    let afterAnswer = settledAt?.advanced(by: timing.commandSpacing - timing.usualAnswer)
    return max(afterWrite, afterAnswer ?? afterWrite)
  }
}
