import CourtLogic
package import Safety
package import Training

// What is trained: the aim of each ball, and how far the session's drill is.

extension BridgeMachine {
  package var trainingStatus: TrainingStatus {
    TrainingStatus(
      plan: training.plan,
      interval: logic.interval,
      progress: training.drill?.progress,
      label: safety.label
    )
  }

  /// What should be loaded and is lost: nothing arms until a plan is loaded.
  package var lostTraining: LostTraining? { safety.lostTraining }

  /// Whether the level that is loaded has commands of its own, or a lost one had: a table without
  /// levels won't do.
  package var levelHasCommands: Bool {
    if lostTraining != nil { return training.lostLevelHadCommands }
    return training.plan.level != nil && !logic.table.levels.isEmpty
  }

  mutating func load(_ plan: TrainingPlan, replacing old: TrainingPlan?, for id: RequestID) {
    let result: Result<TrainingStatus?, TrainingRefusal>
    do throws(TrainingRefusal) {
      result = .success(try load(plan, replacing: old) ? trainingStatus : nil)
    } catch {
      result = .failure(error)
    }
    act(.replyToLoad(id, result))
  }

  /// Loads what the next session trains.
  ///
  /// - Returns: false if another plan is loaded by now than `old`: then nothing has changed.
  private mutating func load(
    _ plan: TrainingPlan,
    replacing old: TrainingPlan? = nil
  ) throws(TrainingRefusal) -> Bool {
    guard !isOnTheWayOut else { throw .safety(.ending) }
    if let old, old != training.plan { return false }
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
    training.plan = plan
    safety.lostTraining = nil
    logic.reconfigure(interval: plan.interval ?? training.standardInterval)
    proceed()
    return true
  }

  /// - Throws: why these settings don't do for what is loaded.
  package func check(_ settings: BridgeSettings) throws(TrainingRefusal) {
    try training.plan(by: settings).check(
      table: settings.decisions.table,
      needsLevels: levelHasCommands,
      rules: settings.rules,
      encoding: encoding
    )
  }

  /// Takes other settings, without losing the link, nor the grid unless its interval changes.
  ///
  /// - Parameter lost: is what is lost: it is loaded if these settings allow it.
  mutating func reconfigure(_ settings: BridgeSettings, finding lost: TrainingPlan?) {
    training.plan = training.plan(by: settings)
    var decisions = settings.decisions
    training.standardInterval = decisions.interval
    if let interval = training.plan.interval {
      decisions.interval = max(interval, settings.rules.leastInterval)
    }
    logic.reconfigure(decisions)
    limits = settings.limits
    safety.reconfigure(settings.rules, at: now)
    // Otherwise it stays lost.
    if let lost, lostTraining != nil { _ = try? load(lost) }
    proceed()
  }

  /// A new session begins its own grid and the drill, and its end loses the place in it.
  mutating func followSession() {
    defer { training.session = safety.session }
    if training.session != safety.session { logic.endGrid() }
    if let session = safety.session { training.begin(in: session) } else { training.drill = nil }
  }

  /// - Returns: the decision with the plan's command, and the drill once that ball has left. Nil if
  ///   there is no command for it: no ball.
  func aim(_ decision: Decision) -> (Decision, SessionDrill?)? {
    let drill = training.drill
    guard let (aimed, progress) = training.plan.aim(decision, drill?.progress, by: logic) else {
      return nil
    }
    guard let drill, let progress else { return (aimed, nil) }
    return (aimed, SessionDrill(session: drill.session, progress: progress))
  }

  /// A ball of the session's drill may have left.
  mutating func progress(to drill: SessionDrill?) {
    guard let drill, training.drill?.session == drill.session else { return }
    training.drill = drill
    reportTraining()
  }

  /// After a set's last ball comes the end, or the rest: once it is live, where the ball's outcome
  /// came after a pause.
  mutating func endSet() {
    guard let drill = training.drill, drill.session == safety.session, drill.progress.isSetOver
    else { return }
    let rest = drill.progress.drill.rest
    if drill.progress.isOver {
      safety.drillEnded(at: now)
    } else if rest > .zero, !drill.hasRested, safety.status.state == .live {
      training.drill?.hasRested = true
      safety.rest(for: rest, at: now)
      // The next set's first ball comes with its countdown's end.
      logic.endGrid()
    }
  }
}
