package import CourtLogic
import Glibc
package import Host
package import Training
package import YAML

/// A drill as a file has it: valid at each of its levels.
package struct DrillFile: Hashable, Sendable {
  /// The name by which the drill is loaded.
  package let name: String
  /// The file's path, or that it is built in.
  package let source: String
  /// The title that people read; nil: the name.
  package let title: String?
  package let about: String?
  /// The levels that the file speaks of, from the easiest on.
  package let levels: [SkillLevel]
  private let drills: [SkillLevel?: Drill]
  private let origins: [String: YAMLPlace]

  /// - Parameters:
  ///   - place: how the program came by the file `source`.
  ///   - bytes: nil: what the file `source` holds.
  package init(
    name: String,
    source: String,
    _ place: InputFile.Place = .found,
    bytes: [UInt8]? = nil
  ) throws(DrillError) {
    var loader = YAMLLoader<DrillDocument>()
    if let bytes { loader.read(bytes, of: source) } else { loader.read(source, place) }
    let (document, origins) = (loader.values, loader.origins)
    let levels = SkillLevel.allCases.filter { level in
      origins.keys.contains { $0.hasPrefix("levels.\(level.rawValue).") }
    }
    var drills: [SkillLevel?: Drill] = [:]
    var problems = loader.problems
    if problems.isEmpty {
      for level in Self.variants(levels) {
        var rules = DrillRules(document, level, source, origins)
        drills[level] = rules.drill(named: name)
        problems += rules.problems.filter { !problems.contains($0) }
      }
    }
    guard problems.isEmpty else {
      throw DrillError(problems: problems, isMissing: bytes == nil && access(source, R_OK) != 0)
    }
    self.name = name
    self.source = source
    title = document.title
    about = document.about
    self.levels = levels
    self.drills = drills
    self.origins = origins
  }

  /// The drill itself, nil, then its levels.
  package var variants: [SkillLevel?] { Self.variants(levels) }

  private static func variants(_ levels: [SkillLevel]) -> [SkillLevel?] {
    [nil] + levels.map(Optional.some)
  }

  /// The drill at a level. At one that the file doesn't speak of it has its own values.
  package func drill(at level: SkillLevel?) -> Drill {
    guard var drill = drills[level] ?? drills[nil] else {
      preconditionFailure("a drill that was read has its own values")
    }
    drill.level = level
    return drill
  }

  /// What keeps the drill from being thrown at this level with these commands.
  ///
  /// - Parameters:
  ///   - tablePath: for messages.
  ///   - least: the machine's and the rules' least interval.
  package func problems(
    at level: SkillLevel?,
    table: CommandTable,
    tablePath: String,
    leastInterval least: Duration
  ) -> [YAMLProblem] {
    let drill = drill(at: level)
    var problems: [YAMLProblem] = []
    if drill.interval < least {
      problems.append(
        YAMLProblem(
          at: origins.place(of: "interval", at: level),
          "interval: \(drill.interval / .seconds(1)) s is less than the least interval here,"
            + " \(least / .seconds(1)) s"
        )
      )
    }
    let missing = table.missing(for: drill.strokes)
    if !missing.isEmpty {
      problems.append(
        YAMLProblem(
          at: origins.place(of: "shots", at: level) ?? origins.place(of: "zones", at: level)
            ?? origins["aim"],
          "\(tablePath) has no command for \(missing.joined(separator: ", "))"
        )
      )
    }
    return problems
  }
}

extension [String: YAMLPlace] {
  /// Where a drill's key is given for a level: among the level's own, or else the drill's.
  func place(of key: String, at level: SkillLevel?) -> YAMLPlace? {
    level.flatMap { self["levels.\($0.rawValue).\(key)"] } ?? self[key]
  }
}

/// Why a drill can't be thrown: all that is wrong, a line each.
package struct DrillError: Error, Hashable, Sendable, Lined {
  package let problems: [YAMLProblem]
  /// Whether there is no such drill, or no such file.
  package let isMissing: Bool

  package init(problems: [YAMLProblem], isMissing: Bool = false) {
    self.problems = problems
    self.isMissing = isMissing
  }

  package var lines: [String] { problems.map(\.description) }
}
