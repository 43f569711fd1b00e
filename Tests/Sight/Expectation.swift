import Scenes

/// What has to come of a scene.
enum Expectation {
  /// The player is found.
  case player
  /// Too low for the goals: its figures are for information.
  case lowCamera
  /// The doubt is named in this share of the frames, from this second on.
  case doubt(code: String, share: Double, from: Double)

  static func of(_ setting: Setting) -> Expectation {
    switch setting {
    case .low, .pale: .lowCamera
    // From ten seconds after the player's entrance on.
    case .wet: .doubt(code: "wet-court", share: 0.8, from: 13)
    case .night: .doubt(code: "too-dark", share: 0.8, from: 2)
    case .intruder: .doubt(code: "second-person", share: 0.8, from: 21)
    // Once known, it is a picture in which nothing is found.
    case .swinging: .doubt(code: "too-much-motion", share: 0.001, from: 20.2)
    case .empty: .doubt(code: "no-player", share: 0.8, from: 2.2)
    default: .player
    }
  }
}
