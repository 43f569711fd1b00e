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
}
