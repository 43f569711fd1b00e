import Clocks
import CourtLogic
package import Safety
package import Training

// What is trained: the aim of each ball, and how far the session's drill is.

extension BridgeService {
  /// The drill of a session. A session that ends loses its place in it.
  struct SessionDrill: Hashable {
    /// As ``SafetyCore/session``.
    let session: Int
    var progress: DrillProgress
    /// Whether the rest after the present set has begun.
    var hasRested = false
  }

  var training: TrainingStatus {
    TrainingStatus(
      plan: plan,
      interval: logic.interval,
      progress: drill?.progress,
      label: safety.label
    )
  }

  /// As in ``Options``.
  package var lostTraining: LostTraining? { safety.lostTraining }

  /// Whether the level that is loaded has commands of its own, or a lost one had: a table without
  /// levels won't do.
  package var levelHasCommands: Bool {
    if lostTraining != nil { return lostLevelHadCommands }
    return plan.level != nil && !logic.table.levels.isEmpty
  }

  /// Loads what the next session trains.
  ///
  /// - Parameter old: the plan that has to be loaded still; nil: any.
  /// - Returns: nil if another plan is loaded by now: then nothing is changed.
  @discardableResult
  package func load(
    _ plan: TrainingPlan,
    replacing old: TrainingPlan? = nil
  ) throws(TrainingRefusal) -> TrainingStatus? {
    guard !isOnTheWayOut else { throw .safety(.ending) }
    if let old, old != self.plan { return nil }
    switch safety.status.state {
    case .disarmed, .stopped: break
    case .pending, .countdown, .live, .resting, .paused: throw .safety(.armed(for: safety.label))
    }
    try plan.check(
      table: logic.table,
      needsLevels: levelHasCommands,
      rules: safety.rules,
      encoding: encoding
    )
    self.plan = plan
    safety.lostTraining = nil
    logic.take(interval: plan.interval ?? standardInterval)
    proceed()
    return training
  }

  /// - Throws: why these settings don't do for what is loaded.
  package func check(_ settings: BridgeSettings) throws(TrainingRefusal) {
    try plan(by: settings).check(
      table: settings.decisions.table,
      needsLevels: levelHasCommands,
      rules: settings.rules,
      encoding: encoding
    )
  }

  /// What is loaded, with these settings' interval of its level.
  func plan(by settings: BridgeSettings) -> TrainingPlan {
    guard case .follow(let loaded?) = plan else { return plan }
    return .follow(settings.plan(at: loaded.level) ?? loaded)
  }

  /// A new session begins its own grid and the drill, and its end loses the place in it.
  func followSession() {
    defer { followedSession = safety.session }
    if followedSession != safety.session { logic.endGrid() }
    guard let session = safety.session else {
      drill = nil
      return
    }
    guard drill?.session != session, case .drill(let drill, let seed) = plan else { return }
    let progress = DrillProgress(drill, seed: seed, orElse: .random(in: Drill.seeds))
    self.drill = SessionDrill(session: session, progress: progress)
  }

  /// - Returns: the decision with the plan's command, and the drill once that ball has left. Nil if
  ///   there is no command for it: no ball.
  func aim(_ decision: Decision) -> (Decision, SessionDrill?)? {
    guard let (aimed, progress) = plan.aim(decision, drill?.progress, by: logic) else { return nil }
    guard let drill, let progress else { return (aimed, nil) }
    return (aimed, SessionDrill(session: drill.session, progress: progress))
  }

  /// A ball of the session's drill may have left.
  func progress(to drill: SessionDrill?) {
    guard let drill, self.drill?.session == drill.session else { return }
    self.drill = drill
    reportTraining()
  }

  /// After a set's last ball comes the end, or the rest: once it is live, where the ball's outcome
  /// came after a pause.
  func endSet() {
    guard let drill, drill.session == safety.session, drill.progress.isSetOver else { return }
    let rest = drill.progress.drill.rest
    if drill.progress.isOver {
      safety.drillEnded(at: clock.now)
    } else if rest > .zero, !drill.hasRested, safety.status.state == .live {
      self.drill?.hasRested = true
      safety.rest(for: rest, at: clock.now)
      // The next set's first ball comes with its countdown's end.
      logic.endGrid()
    }
  }
}

extension BridgeService.Options {
  /// Loads what is trained from the start on.
  ///
  /// - Parameter needsLevels: a table without levels won't do.
  package mutating func load(
    _ plan: TrainingPlan,
    needsLevels: Bool = false
  ) throws(TrainingRefusal) {
    try plan.check(
      table: logic.table,
      needsLevels: needsLevels,
      rules: rules,
      encoding: encoding
    )
    training = plan
  }
}

extension TrainingPlan {
  fileprivate func check(
    table: CommandTable,
    needsLevels: Bool,
    rules: SafetyRules,
    encoding: MachineEncoding
  ) throws(TrainingRefusal) {
    let missing = table.missing(for: strokes, needsLevels: needsLevels)
    guard missing.isEmpty else { throw .noCommand(missing) }
    let least = max(rules.leastInterval, encoding.leastInterval)
    if let interval, interval < least { throw .tooShort(interval, least: least) }
  }
}

/// Why a drill or a level was not loaded. Nothing has changed.
package enum TrainingRefusal: Error, Hashable, Sendable {
  case safety(SafetyRefusal)
  /// The table lacks these.
  case noCommand([String])
  case tooShort(Duration, least: Duration)

  /// For machines.
  package var code: String {
    switch self {
    case .safety(let refusal): refusal.code
    case .noCommand: "noCommand"
    case .tooShort: "intervalTooShort"
    }
  }
}

extension TrainingRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .safety(let refusal): "\(refusal)"
    case .noCommand(let strokes):
      "the command table has no command for \(strokes.joined(separator: ", "))"
    case .tooShort(let interval, let least):
      "an interval of \(interval.seconds) s is less than the least interval, \(least.seconds) s"
    }
  }
}
