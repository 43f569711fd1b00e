import Clocks
import CourtLogic

/// What became of a decision of a recorded run.
package struct RecordedVerdict: Hashable, Sendable {
  /// When it was decided, from the track's first position on.
  package var offset: Duration
  /// Whether a hold kept it back; otherwise it became a command.
  package var isHeld: Bool
}

/// Finds which of a dry run's decisions the recorded run's holds kept back.
///
/// The log says when each ball was decided, but of holds only when they begin to keep balls
/// back: they last until the next ball, or the next time that balls may fly.
struct RecordedHolds {
  private var verdicts: ArraySlice<RecordedVerdict>
  private var isHeld = false
  /// How many it has kept back.
  private(set) var count = 0

  init(_ verdicts: [RecordedVerdict]) {
    self.verdicts = verdicts[...]
  }

  /// From here on balls may fly, and nothing is known to hold them.
  mutating func feedingBegins(at offset: Duration) {
    verdicts = verdicts.drop { $0.offset < offset - LogicManager.lateness }
    isHeld = false
  }

  /// Whether this decision was held back. A dry run's decisions are on time, while the
  /// recorded run's may have been late.
  mutating func keepBack(_ decision: Decision) -> Bool {
    let time = MonotonicInstant.start.duration(to: decision.time) + LogicManager.lateness
    while let verdict = verdicts.first, verdict.offset <= time {
      isHeld = verdict.isHeld
      verdicts.removeFirst()
    }
    if isHeld { count += 1 }
    return isHeld
  }
}
