import Bridge
import CourtLogic

extension SafetyStatus {
  /// Whether balls may fly, and why or why not, for people.
  func text(at now: MonotonicInstant) -> String {
    ([state.text(at: now)] + holds.map { "held: \($0)" }).joined(separator: "  ")
  }
}

extension SafetyState {
  /// The state in a few words, for people.
  func text(at now: MonotonicInstant) -> String {
    let word =
      switch self {
      case .live: "LIVE"
      case .countdown: "countdown \((remaining(at: now) ?? .zero).seconds.fixed(1)) s"
      case .disarmed, .paused, .stopped: self.word
      }
    return word + (reason.map { ": \($0)" } ?? "")
  }
}
