import Clocks
package import CourtLogic
import Positions

/// A recorded track's decisions, without machine and clock: the track gives the time.
///
/// The logic is asked whenever the bridge would ask it live: as each position arrives, and at each
/// instant in between at which a decision is due. It ends with the track's last position.
package struct DryRun: Sendable {
  /// Gets each decision, what it was taken with, and what was trained then.
  package typealias Output<Failure: Error> =
    (Decision, LogicManager, RecordedTraining) throws(Failure) -> Void

  private var logic: LogicManager
  private var training = RecordedTraining()
  private var changes: ArraySlice<SettingChange>
  /// The court's, from one decision to the next.
  private var interval: Duration
  /// Whether balls can fly: only then the logic is asked, as live.
  private var isFeeding = true

  /// - Parameter changes: of the recorded run's court and training.
  package init(logic: LogicManager, changes: [SettingChange] = []) {
    self.logic = logic
    self.changes = changes[...]
    interval = logic.interval
  }

  /// The decisions on a whole track.
  ///
  /// - Parameter asRecorded: whether to decide only while the run's balls could fly and were
  ///   not held, if the track says when. The logic is asked first at the very beginning of such a
  ///   time.
  /// - Returns: how many more decisions the recorded run's holds kept back.
  @discardableResult package mutating func decide<Failure>(
    on track: Track,
    asRecorded: Bool,
    _ output: Output<Failure>
  ) throws(Failure) -> Int {
    let source = SourceID(connection: "track")
    var feeding = asRecorded ? track.feeding[...] : []
    var holds = RecordedHolds(asRecorded ? track.verdicts : [])
    let notHeld: Output<Failure> = { (decision, logic, training) throws(Failure) in
      if !holds.keepBack(decision) { try output(decision, logic, training) }
    }
    isFeeding = feeding.isEmpty
    for timed in track.positions {
      while let change = feeding.first, change.offset <= timed.offset {
        let instant = MonotonicInstant.start.advanced(by: change.offset)
        try decide(before: instant, notHeld)
        isFeeding = change.isFeeding
        if change.beginsGrid { logic.endGrid() }
        if isFeeding {
          holds.feedingBegins(at: change.offset)
          try decide(at: instant, notHeld)
        }
        feeding.removeFirst()
      }
      let instant = MonotonicInstant.start.advanced(by: timed.offset)
      try arrive(timed.position, from: source, at: instant, notHeld)
    }
    return holds.count
  }

  /// Takes the track's next position, and gives out what was decided since the one before.
  ///
  /// A decision that is due at the very instant at which a position arrives includes it.
  mutating func arrive<Failure>(
    _ position: PlayerPosition,
    from source: SourceID,
    at instant: MonotonicInstant,
    _ output: Output<Failure>
  ) throws(Failure) {
    try decide(before: instant, output)
    _ = logic.insert(position, from: source, at: instant)
    if isFeeding { try decide(at: instant, output) }
  }

  private mutating func decide<Failure>(
    before instant: MonotonicInstant,
    _ output: Output<Failure>
  ) throws(Failure) {
    while let change = changes.first,
      case let time = MonotonicInstant.start.advanced(by: change.offset), time <= instant
    {
      changes.removeFirst()
      try decideAll(before: time, output)
      apply(change.setting)
    }
    try decideAll(before: instant, output)
  }

  private mutating func decideAll<Failure>(
    before instant: MonotonicInstant,
    _ output: Output<Failure>
  ) throws(Failure) {
    while isFeeding, let due = logic.nextDecision, due < instant { try decide(at: due, output) }
  }

  private mutating func decide<Failure>(
    at instant: MonotonicInstant,
    _ output: Output<Failure>
  ) throws(Failure) {
    if let decision = logic.decide(at: instant) { try output(decision, logic, training) }
  }

  private mutating func apply(_ setting: SettingChange.Setting) {
    switch setting {
    case .court(var settings):
      interval = settings.interval
      settings.interval = training.interval ?? interval
      logic.reconfigure(settings)
    case .training(let training):
      self.training = training
      logic.reconfigure(interval: training.interval ?? interval)
    }
  }
}
