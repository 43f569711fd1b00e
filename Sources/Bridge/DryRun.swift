package import CourtLogic

/// A recorded track's decisions, without machine and clock: time is what the track says.
///
/// The logic is asked whenever the bridge would ask it live: as each position arrives, and at each
/// instant in between at which a decision is due. It ends with the track's last position.
package struct DryRun: Sendable {
  private var logic: LogicManager

  package init(logic: LogicManager) {
    self.logic = logic
  }

  /// Takes the track's next position and returns what was decided since the one before.
  ///
  /// A decision that is due at the very instant at which a position arrives includes it.
  package mutating func arrive(
    _ position: PlayerPosition,
    from source: SourceID,
    at instant: MonotonicInstant
  ) -> [Decision] {
    var decisions: [Decision] = []
    while let due = logic.nextDecision, due < instant {
      if let decision = logic.decide(at: due) { decisions.append(decision) }
    }
    _ = logic.insert(position, from: source, at: instant)
    if let decision = logic.decide(at: instant) { decisions.append(decision) }
    return decisions
  }
}
