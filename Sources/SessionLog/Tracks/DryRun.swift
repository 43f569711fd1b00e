package import Clocks
package import CourtLogic
import Positions

/// A recorded track's decisions, without machine and clock: the track gives the time.
///
/// The logic is asked whenever the bridge would ask it live: as each position arrives, and at each
/// instant in between at which a decision is due. It ends with the track's last position.
package struct DryRun: Sendable {
  private var logic: LogicManager
  /// Whether balls can fly: only then the logic is asked, as live.
  private var isFeeding = true
  private var levels: ArraySlice<LevelChange>
  /// From one decision to the next where there is no level.
  private let interval: Duration

  /// - Parameter levels: have intervals of their own.
  package init(logic: LogicManager, levels: [LevelChange] = []) {
    self.logic = logic
    self.levels = levels[...]
    interval = logic.interval
  }

  /// The decisions on a whole track.
  ///
  /// - Parameter asRecorded: whether to decide only while the session's balls could fly and were
  ///   not held, if the track says when. The logic is asked first at the very beginning of such a
  ///   time.
  /// - Returns: how many more decisions the session's holds kept back.
  @discardableResult package mutating func decide<Failure>(
    on track: Track,
    asRecorded: Bool,
    _ output: (Decision) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    let source = SourceID(connection: "track")
    var changes = asRecorded ? track.feeding[...] : []
    var holds = RecordedHolds(asRecorded ? track.verdicts : [])
    isFeeding = changes.isEmpty
    for timed in track.positions {
      while let change = changes.first, change.offset <= timed.offset {
        let instant = MonotonicInstant.start.advanced(by: change.offset)
        for decision in decisions(before: instant) where !holds.keepBack(decision) {
          try output(decision)
        }
        isFeeding = change.isFeeding
        if change.isRest { logic.endGrid() }
        if isFeeding {
          holds.feedingBegins(at: change.offset)
          if let decision = logic.decide(at: instant), !holds.keepBack(decision) {
            try output(decision)
          }
        }
        changes.removeFirst()
      }
      let instant = MonotonicInstant.start.advanced(by: timed.offset)
      for decision in arrive(timed.position, from: source, at: instant)
      where !holds.keepBack(decision) {
        try output(decision)
      }
    }
    return holds.count
  }

  /// Takes the track's next position and returns what was decided since the one before.
  ///
  /// A decision that is due at the very instant at which a position arrives includes it.
  package mutating func arrive(
    _ position: PlayerPosition,
    from source: SourceID,
    at instant: MonotonicInstant
  ) -> [Decision] {
    var decisions = decisions(before: instant)
    _ = logic.insert(position, from: source, at: instant)
    if isFeeding, let decision = logic.decide(at: instant) { decisions.append(decision) }
    return decisions
  }

  private mutating func decisions(before instant: MonotonicInstant) -> [Decision] {
    var decisions: [Decision] = []
    while let change = levels.first,
      case let time = MonotonicInstant.start.advanced(by: change.offset), time <= instant
    {
      levels.removeFirst()
      decisions += self.decisions(before: time)
      logic.take(interval: change.level?.interval ?? interval)
    }
    while isFeeding, let due = logic.nextDecision, due < instant {
      if let decision = logic.decide(at: due) { decisions.append(decision) }
    }
    return decisions
  }
}
