import Bridge
import Configuration
import CourtLogic
import Drills
import Host
import JSON
import Safety
import Training

/// What people have loaded last, in the file `training.json` of the state directory: the next service
/// loads it again.
///
/// Nothing that is wrong with the file or its directory stops the service. But a file that is there and
/// can't be read may have told of a beginner's level: then nothing is armed until a person has chosen, and
/// the file stays where it is until then, for the next start.
actor TrainingMemory {
  static let fileName = "training.json"
  /// The number of the file's form.
  private static let version = 1

  /// What a person has asked for: a drill's file is read again.
  struct Choice: Hashable {
    var drill: String?
    var level: SkillLevel?
    var seed: Int?
    /// Whether the table had commands of that level: the plain ones are no substitute.
    var levelHasCommands = false
  }

  /// What the file tells.
  enum Recollection: Hashable {
    /// Nothing was loaded.
    case nothing
    case choice(Choice)
    /// What was loaded can't be read.
    case unreadable
  }

  private let executor = LoopExecutor()
  private let file: StateFile?
  private let warn: @Sendable (String) -> Void
  /// What the file has, or is to have.
  private var kept: Choice?
  /// Whether the file can't be used, and is set aside before the next one is written.
  private var isBroken = false
  /// Whether the file lacks it: writing it is tried again.
  private var isUnkept = false
  private let retry: WriteRetry

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - directory: nil if it has none that can be used, and keeps nothing; the memory of the machine has said
  ///     why.
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

  func recall() -> Recollection {
    guard let file else {
      warn("no drill and no level is loaded again: there is no state directory that can be used")
      return .unreadable
    }
    do throws(StateFileError) {
      kept = try file.read().map(Self.choice)
      return kept.map(Recollection.choice) ?? .nothing
    } catch {
      let trouble: String
      switch error {
      case .broken(let how):
        isBroken = true
        trouble = "\(file.path) \(how)"
      case .directory, .system: trouble = "\(error)"
      }
      warn("no drill and no level is loaded again: \(trouble)")
      return .unreadable
    }
  }

  private static func choice(_ bytes: [UInt8]) throws(StateFileError) -> Choice {
    guard let value = try? JSONValue(text: bytes), case .object(let members) = value,
      let content = try? value.decoded(as: Content.self)
    else { throw .broken("is damaged") }
    guard content.version == version else {
      throw .broken("has version \(content.version), not \(version)")
    }
    let level = content.level.flatMap(SkillLevel.init(rawValue:))
    guard (level == nil) == (content.level == nil),
      content.seed.map({ Drill.seeds.contains($0) }) ?? true,
      // Where nothing is loaded there is no file, and a key that is not ours may be a level.
      level != nil || content.drill != nil, members.keys.allSatisfy(Content.names.contains)
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

  /// Writes again, without a warning: ``keep(_:)`` gave it.
  private func saveAgain() { try? saveUnkept() }

  private func write(_ choice: Choice) throws(StateFileError) {
    guard let file else { return }
    // A person has chosen: what can't be read is needed only by those who look into it.
    if isBroken { warn(file.makeWay()) }
    isBroken = false
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
    static let names: Set = ["version", "drill", "level", "seed", "levelHasCommands"]

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

  /// What is lost if it can't be loaded; nil if it is nothing.
  fileprivate var lost: LostTraining? {
    drill.map { .drill($0, level) } ?? level.map { .level($0) }
  }

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
  /// Loads again what was loaded last: it is not armed without that.
  ///
  /// - Parameters:
  ///   - plan: of a choice.
  ///   - warn: is told what can't be loaded any more.
  mutating func load(
    _ choice: TrainingMemory.Choice,
    by plan: (TrainingMemory.Choice) throws -> TrainingPlan,
    warn: (String) -> Void
  ) {
    do { return try machine.load(plan(choice), needsLevels: choice.levelHasCommands) } catch {
      let reason = linesForPeople(error).joined(separator: "; ")
      warn("\(choice.words) can't be loaded again: \(reason)")
    }
    guard let lost = choice.lost else { return }
    lose(lost)
    machine.lostLevelHadCommands = choice.levelHasCommands
    warn(
      "nothing is armed until `ballmachine reload' can load it, or another choice is made: "
        + (choice.drill == nil ? "`ballmachine level --none'" : "`ballmachine drill --none'")
        + " chooses none"
    )
  }

  /// What was loaded last can't be read: it is not armed before a person has chosen.
  ///
  /// - Parameter warn: is told so.
  mutating func loseTraining(warn: (String) -> Void) {
    lose(.unknown)
    warn("nothing is armed until a level is chosen, or none: `ballmachine level --none'")
  }

  private mutating func lose(_ training: LostTraining) {
    machine.lostTraining = training
    machine.armsAtStart = false
  }
}
