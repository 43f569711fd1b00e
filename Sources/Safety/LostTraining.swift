package import CourtLogic

/// What was loaded before the start, and is not loaded now: without it, balls may be faster than a
/// beginner's, or fly where no one expects them. A person chooses another one, or none, before anything
/// is armed.
package enum LostTraining: Hashable, Sendable {
  /// The player's own zone at this level, which the command table lacks.
  case level(SkillLevel)
  /// This drill, at this level if it had one: its file or the command table does not allow it.
  case drill(String, SkillLevel?)
  /// It can't be read, and may have been any.
  case unknown

  /// What stays chosen where a person chooses another drill.
  package var level: SkillLevel? {
    switch self {
    case .level(let level): level
    case .drill(_, let level): level
    case .unknown: nil
    }
  }

  /// For machines.
  var code: String {
    switch self {
    case .level, .unknown: "levelLost"
    case .drill: "drillLost"
    }
  }

  /// That it is lost.
  private var loss: String {
    switch self {
    case .level(let level): "the level \(level.rawValue) is lost"
    case .drill(let name, let level):
      "the drill \(name)\(level.map { " (\($0.rawValue))" } ?? "") is lost"
    case .unknown: "what was loaded before can't be read"
    }
  }

  var hold: String {
    switch self {
    case .level: "\(loss): it arms once a reload finds it, or one is chosen, or none"
    case .drill: "\(loss): it arms once a reload finds it, or another one is chosen, or none"
    case .unknown: "\(loss): it arms once a level is chosen, or none"
    }
  }

  var refusal: String {
    switch self {
    case .level:
      "\(loss): run `ballmachine reload` once the command table has it, or choose one that it has,"
        + " or none: `ballmachine level --none`"
    case .drill:
      "\(loss): run `ballmachine reload` once its file and the command table allow it, or choose another one,"
        + " or none: `ballmachine drill --none`"
    case .unknown:
      "what was loaded before the start can't be read, and it may have been a beginner's level: choose a"
        + " level, or none: `ballmachine level --none`"
    }
  }
}
