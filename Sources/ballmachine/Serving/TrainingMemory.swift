import Bridge
import Configuration
import CourtLogic
import Drills
import Host
import JSON
import Training

/// What people have loaded last, in the file `training.json` of the state directory: the next service
/// loads it again.
///
/// Nothing that is wrong with the file or its directory stops the service, which then trains without a
/// drill; a warning says so.
actor TrainingMemory {
  static let fileName = "training.json"
  /// Of the file's form.
  private static let version = 1

  /// As people ask for it: a drill's file is read again.
  struct Choice: Hashable {
    var drill: String?
    var level: SkillLevel?
    var seed: Int?
    /// Whether the table had commands of that level: the plain ones are no substitute.
    var levelHasCommands = false
  }

  private let executor = LoopExecutor()
  private let file: StateFile?
  private let warn: @Sendable (String) -> Void
  /// What the file has, or is to have.
  private var kept: Choice?
  /// Whether the file lacks it: writing it is tried again.
  private var isUnkept = false
  private let retry: WriteRetry

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - directory: nil keeps nothing; the memory of the machine has said why.
  ///   - warn: is told, in a sentence without a full stop, what a technician should know.
  ///   - pause: how long after a failure the file is written again.
  init(
    in directory: StateDirectory?,
    warn: @escaping @Sendable (String) -> Void,
    pause: Duration = WriteRetry.pause
  ) {
    retry = WriteRetry(on: executor, after: pause)
    file = directory.map { StateFile(Self.fileName, in: $0) }
    self.warn = warn
  }

  /// Nil: nothing was loaded.
  func recall() -> Choice? {
    do throws(StateFileError) {
      kept = try file?.read().map(Self.choice)
      return kept
    } catch {
      let path = file?.path ?? Self.fileName
      let trouble = if case .broken(let how) = error { "\(path) \(how)" } else { "\(error)" }
      warn("no drill and no level is loaded again: \(trouble)")
      return nil
    }
  }

  private static func choice(_ bytes: [UInt8]) throws(StateFileError) -> Choice {
    guard let content = try? JSONValue(text: bytes).decoded(as: Content.self) else {
      throw .broken("is damaged")
    }
    guard content.version == version else {
      throw .broken("has version \(content.version), not \(version)")
    }
    let level = content.level.flatMap(SkillLevel.init(rawValue:))
    guard (level == nil) == (content.level == nil),
      content.seed.map({ Drill.seeds.contains($0) }) ?? true
    else { throw .broken("is damaged") }
    return Choice(
      drill: content.drill,
      level: level,
      seed: content.seed,
      levelHasCommands: content.levelHasCommands ?? false
    )
  }

  /// Keeps what is loaded. A disk that does not answer within a second must not hold up the request.
  nonisolated func keep(_ service: BridgeService) async {
    await promptly { await self.save(service) }
  }

  /// Keeps that the loaded level has got commands of its own, by another table. What could not be
  /// loaded again stays kept.
  nonisolated func keepCommands(of service: BridgeService) async {
    await promptly { await self.saveCommands(of: service) }
  }

  private nonisolated func promptly(_ save: @escaping @Sendable () async -> Void) async {
    do { try await waiting(atMost: .seconds(1)) { await save() } } catch {
      guard error is TimeoutError else { return }
      warn(
        "the next start may not know what is loaded:"
          + " the disk of the state directory does not answer"
      )
    }
  }

  /// Reads the plan only here: of several requests at a time, the last one's plan is kept.
  private func save(_ service: BridgeService) async {
    keep(await service.choice)
  }

  private func saveCommands(of service: BridgeService) async {
    guard await service.levelHasCommands, var choice = kept, choice.level != nil,
      !choice.levelHasCommands
    else { return }
    choice.levelHasCommands = true
    keep(choice)
  }

  private func keep(_ choice: Choice) {
    kept = choice
    isUnkept = true
    do throws(StateFileError) { try saveUnkept() } catch {
      warn("the next start won't know what is loaded: \(error); it is tried again")
    }
  }

  private func saveUnkept() throws(StateFileError) {
    guard isUnkept, let choice = kept else { return }
    do throws(StateFileError) {
      try write(choice)
      isUnkept = false
    } catch {
      retry.schedule { [weak self] in self?.assumeIsolated { $0.saveAgain() } }
      throw error
    }
  }

  /// Without a warning, which ``keep(_:)`` gave.
  private func saveAgain() { try? saveUnkept() }

  private func write(_ choice: Choice) throws(StateFileError) {
    guard let file else { return }
    guard choice != Choice() else { return try file.remove() }
    let content = Content(
      version: Self.version,
      drill: choice.drill,
      level: choice.level?.rawValue,
      seed: choice.seed,
      levelHasCommands: choice.levelHasCommands ? true : nil
    )
    guard let text = try? JSONEncoding.file(content) else {
      preconditionFailure("what is loaded can't be encoded")
    }
    try file.write(text)
  }

  private struct Content: Codable {
    var version: Int
    var drill: String?
    var level: String?
    var seed: Int?
    /// Nil where it is not so, or an earlier version did not keep it.
    var levelHasCommands: Bool?
  }
}

extension BridgeService {
  /// What is loaded, as it is kept.
  fileprivate var choice: TrainingMemory.Choice {
    var choice = TrainingMemory.Choice(snapshot.training.plan)
    choice.levelHasCommands = levelHasCommands
    return choice
  }
}

extension TrainingMemory.Choice {
  init(_ plan: TrainingPlan) {
    switch plan {
    case .follow(let level): self.init(level: level?.level)
    case .drill(let drill, let seed): self.init(drill: drill.name, level: drill.level, seed: seed)
    }
  }

  /// What is tried, and if it can't be loaded any more, its level alone.
  var attempts: [Self] { drill == nil || level == nil ? [self] : [self, levelAlone] }

  private var levelAlone: Self { Self(level: level, levelHasCommands: levelHasCommands) }

  var words: String {
    let level = level.map { "the level \($0.rawValue)" }
    guard let drill else { return level ?? "nothing" }
    return "the drill \(drill)" + (level.map { " and \($0)" } ?? "")
  }
}

extension DrillLibrary {
  func plan(
    _ choice: TrainingMemory.Choice,
    in configuration: EffectiveConfiguration
  ) throws(DrillError) -> TrainingPlan {
    try plan(choice.drill, choice.level, seed: choice.seed, in: configuration)
  }
}

extension BridgeService.Options {
  /// Loads again what was loaded last, or at least its level: it is not armed without that.
  ///
  /// - Parameters:
  ///   - plan: of a choice.
  ///   - warn: is told what can't be loaded any more.
  mutating func load(
    _ choice: TrainingMemory.Choice,
    by plan: (TrainingMemory.Choice) throws -> TrainingPlan,
    warn: (String) -> Void
  ) {
    for attempt in choice.attempts {
      do { return try load(plan(attempt), needsLevels: attempt.levelHasCommands) } catch {
        warn("\(attempt.words) can't be loaded again: \(error)")
      }
    }
    lostLevel = choice.level
    lostLevelHadCommands = choice.levelHasCommands
    if lostLevel != nil {
      armsAtStart = false
      warn(
        "nothing is armed until `ballmachine reload' can load it, or a level is chosen, or none:"
          + " `ballmachine level --none'"
      )
    }
  }
}
