import CourtLogic
import Safety
import Training

/// What is loaded, and the session's place in it.
struct LoadedTraining: Sendable {
  /// What the next session trains.
  var plan: TrainingPlan
  /// How far the drill of the session that runs is; one that ends loses its place.
  var drill: SessionDrill?
  /// The number of the session that was last looked at; nil while not armed.
  var session: Int?
  /// From one decision to the next, where the plan has no interval of its own.
  var standardInterval: Duration
  /// Whether the level that is lost had commands of its own.
  let lostLevelHadCommands: Bool
  /// Draws the seeds of drills that have none.
  private var generator: SeededGenerator

  init(_ options: BridgeMachine.Options) {
    plan = options.training
    lostLevelHadCommands = options.lostLevelHadCommands
    standardInterval = options.logic.interval
    generator = SeededGenerator(seed: options.seed)
  }

  /// The plan's drill begins with this session.
  mutating func begin(in session: Int) {
    guard drill?.session != session, case .drill(let drill, let seed) = plan else { return }
    let progress = DrillProgress(
      drill,
      seed: seed,
      orElse: .random(in: Drill.seeds, using: &generator)
    )
    self.drill = SessionDrill(session: session, progress: progress)
  }

  /// What is loaded, with these settings' interval of its level.
  func plan(by settings: BridgeSettings) -> TrainingPlan {
    guard case .follow(let loaded?) = plan else { return plan }
    return .follow(settings.plan(at: loaded.level) ?? loaded)
  }
}

/// How far a session's drill is.
struct SessionDrill: Hashable, Sendable {
  /// The session's number.
  let session: Int
  var progress: DrillProgress
  /// Whether the rest after the present set has begun.
  var hasRested = false
}

extension TrainingPlan {
  /// - Throws: why it can't be trained with this table and these rules.
  func check(
    table: CommandTable,
    needsLevels: Bool,
    rules: SafetyRules,
    encoding: MachineEncoding
  ) throws(TrainingRefusal) {
    let missing = table.missing(for: strokes, needsLevels: needsLevels)
    guard missing.isEmpty else { throw .noCommand(missing) }
    let least = rules.leastInterval(of: encoding)
    if let interval, interval < least { throw .tooShort(interval, least: least) }
  }
}
