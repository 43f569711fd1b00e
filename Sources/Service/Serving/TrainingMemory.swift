import Bridge
import Configuration
import CourtLogic
import Drills
import Host
import Safety
import StateFiles
import Training

/// What people have loaded last, in the file `training.json` of the state directory: the next service
/// loads it again.
///
/// Nothing that is wrong with the file or its directory stops the service. But a file that is there and
/// can't be read may have told of a beginner's level: then nothing is armed until a person has chosen, and
/// the file stays where it is until then, for the next start.
actor TrainingMemory {
  static let fileName = "training.json"
  private static let loss = "no drill and no level is loaded again"

  /// What a person has asked for: a drill's file is read again.
  struct Choice: Hashable {
    var drill: String?
    var level: SkillLevel?
    var seed: Int?
    /// Whether the table had commands of that level: the plain ones are no substitute.
    var levelHasCommands = false
  }

  private let executor = LoopExecutor()
  private let file: KeptFile<Choice>
  private let warn: @Sendable (String) -> Void
  /// What the file has, or is to have.
  private var kept: Choice?

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
    file = KeptFile(
      directory.map { StateFile(Self.fileName, in: $0) },
      // A key that is not ours may be a level.
      keys: Set(Choice.CodingKeys.allCases.map(\.stringValue)).union(["version"]),
      retry: WriteRetry(on: executor, after: pause),
      loss: Self.loss,
      warn: warn
    )
    self.warn = warn
  }

  func recall() -> Kept<Choice> {
    guard file.place != nil else {
      warn("\(Self.loss): there is no state directory that can be used")
      return .unreadable
    }
    let read = file.read()
    if case .content(let choice) = read { kept = choice }
    return read
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
    do throws(StateFileError) { try file.write(choice == Choice() ? nil : choice) } catch {
      warn("the next start won't know what is loaded: \(error); it is tried again")
    }
  }
}

/// The members of the file's object.
extension TrainingMemory.Choice: Codable {
  fileprivate enum CodingKeys: CodingKey, CaseIterable {
    case drill, level, seed, levelHasCommands
  }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    drill = try object.decodeIfPresent(String.self, forKey: .drill)
    let name = try object.decodeIfPresent(String.self, forKey: .level)
    level = name.flatMap(SkillLevel.init(rawValue:))
    seed = try object.decodeIfPresent(Int.self, forKey: .seed)
    // An earlier version did not keep it.
    levelHasCommands = try object.decodeIfPresent(Bool.self, forKey: .levelHasCommands) ?? false
    guard (level == nil) == (name == nil), seed.map({ Drill.seeds.contains($0) }) ?? true,
      // Where nothing is loaded there is no file.
      level != nil || drill != nil
    else { throw StateFileError.broken("is damaged") }
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encodeIfPresent(drill, forKey: .drill)
    try object.encodeIfPresent(level?.rawValue, forKey: .level)
    try object.encodeIfPresent(seed, forKey: .seed)
    if levelHasCommands { try object.encode(true, forKey: .levelHasCommands) }
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
