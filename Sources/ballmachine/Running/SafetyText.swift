import Clocks
import Safety

/// What a line for people says of safety: whether balls may fly, and why or why not.
struct SafetyText: Equatable {
  /// The word that machines get: `live`, `countdown`, …
  var state: String
  var reason: String?
  /// The rest of a countdown.
  var remaining: Duration?
  /// What holds balls back while armed.
  var holds: [String] = []

  /// The state in a few words.
  var stateText: String {
    let word =
      switch state {
      case "live": "LIVE"
      case "countdown": "countdown \((remaining ?? .zero).seconds.fixed(1)) s"
      default: state
      }
    return word + (reason.map { ": \($0)" } ?? "")
  }

  var text: String {
    ([stateText] + holds.map { "held: \($0)" }).joined(separator: "  ")
  }
}

extension SafetyText {
  init(_ state: SafetyState, holds: [SafetyHold] = [], at now: MonotonicInstant) {
    self.init(
      state: state.word,
      reason: state.reason,
      remaining: state.remaining(at: now),
      holds: holds.map { "\($0)" }
    )
  }

  init(_ status: SafetyStatus, at now: MonotonicInstant) {
    self.init(status.state, holds: status.holds, at: now)
  }
}
