package import Bridge
import Clocks
package import Configuration
package import ControlProtocol
package import CourtLogic
package import Drills
package import Host
import JSON
import MachineLink
package import Programs
import Safety
package import Training

extension DrillLibrary {
  /// A drill that this machine, with its table, can throw.
  package func drill(
    _ name: String,
    at level: SkillLevel?,
    in configuration: EffectiveConfiguration
  ) throws(DrillError) -> Drill {
    let file = try drill(named: name)
    try configuration.check(file, at: [level])
    return file.drill(at: level)
  }

  /// A drill's plan, or without one that of the player's own zone.
  ///
  /// - Parameters:
  ///   - seed: nil: the drill's own.
  ///   - standard: the seed of a drill without one; nil: each session draws another.
  package func plan(
    _ name: String?,
    _ level: SkillLevel?,
    seed: Int?,
    orElse standard: Int? = nil,
    in configuration: EffectiveConfiguration
  ) throws(DrillError) -> TrainingPlan {
    guard let name else { return .follow(level.flatMap(configuration.bridge.plan(at:))) }
    let drill = try drill(name, at: level, in: configuration)
    // A drill's own seed stays in its file, which may change.
    return .drill(drill, seed: seed ?? (drill.seed == nil ? standard : nil))
  }

  /// All drills, with those that can't be used.
  package func records(in configuration: EffectiveConfiguration) throws(SystemError)
    -> [DrillRecord]
  {
    let (names, misnamed) = try names()
    return names.map { DrillRecord($0, in: self, with: configuration) }
      + misnamed.map { path in
        var record = DrillRecord(name: path)
        record.source = path
        record.reason =
          "\(path): a drill's file is named in small letters, digits and dashes, .yaml"
        return record
      }
  }
}

extension EffectiveConfiguration {
  /// - Throws: what keeps this machine, with its table, from throwing the drill at these levels.
  package func check(_ file: DrillFile, at levels: [SkillLevel?]) throws(DrillError) {
    var problems = levels.flatMap { level in
      file.problems(
        at: level,
        table: table,
        tablePath: values.court.table ?? "the built-in table",
        leastInterval: values.safety.leastInterval(of: values.machine.encoding)
      )
    }
    var known: Set<String> = []
    problems = problems.filter { known.insert("\($0)").inserted }
    guard problems.isEmpty else { throw DrillError(problems: problems) }
  }
}

extension DrillRecord {
  private static let mostProblems = 3

  fileprivate init(
    _ name: String,
    in library: DrillLibrary,
    with configuration: EffectiveConfiguration
  ) {
    do throws(DrillError) {
      let file = try library.drill(named: name)
      // A level may have commands that the table lacks without one.
      let isThrown = SkillLevel.allCases.contains { level in
        (try? configuration.check(file, at: [level])) != nil
      }
      if !isThrown { try configuration.check(file, at: [nil]) }
      self.init(file)
    } catch {
      self.init(name: name)
      // All drills go into one answer: `check-drill` names the rest.
      let lines = "\(error)".split(separator: "\n").map(String.init)
      let more = lines.count - Self.mostProblems
      reason = (lines.prefix(Self.mostProblems) + (more > 0 ? [counted(more, "more problem")] : []))
        .joined(separator: "\n")
    }
  }

  package init(_ file: DrillFile) {
    self.init(name: file.name)
    title = file.title
    about = file.about
    source = file.source
    let own = file.drill(at: nil)
    aim = own.strategy.word.rawValue
    levels = file.variants.map { variant in
      let drill = file.drill(at: variant)
      var level = Level(drill)
      // Most levels aim as the drill does, and all drills go into one answer.
      if variant == nil || drill.strategy != own.strategy { level.setAims(of: drill.strategy) }
      return level
    }
  }
}

extension DrillRecord.Level {
  package init(_ drill: Drill) {
    self.init(
      level: drill.level?.rawValue,
      interval: drill.interval.seconds,
      ballsPerSet: drill.balls,
      sets: drill.sets,
      rest: drill.rest.seconds,
      seconds: drill.length.seconds
    )
  }

  fileprivate mutating func setAims(of strategy: AimingStrategy) {
    switch strategy {
    case .plan(let planned):
      shots = planned.map { shot in
        DrillRecord.Shot(alternatives: shot.targets.records, times: shot.balls)
      }
    case .random(let targets): drawn = targets.records
    case .follow, .away, .sides: break
    }
  }
}

extension WeightedTargets {
  fileprivate var records: [DrillRecord.WeightedZone] {
    items.map { DrillRecord.WeightedZone(zone: "\($0.target.zone)", weight: $0.weight) }
  }
}

extension BridgeService.Options {
  /// Loads what the command line asks for.
  package mutating func loadAsked(_ plan: TrainingPlan) throws(Failure) {
    do throws(TrainingRefusal) { try machine.load(plan) } catch { throw Failure(.usage, error) }
  }
}
