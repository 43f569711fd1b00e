package import ControlProtocol
import JSON
import Programs

// What a line for people says of safety: whether balls may fly, and why or why not.

extension SafetyRecord {
  /// The state in a few words.
  package var stateText: String {
    let word =
      switch state {
      case "live": "LIVE"
      case "countdown", "resting": "\(state) \((remaining ?? 0).fixed(1)) s"
      default: state
      }
    return word + (reason.map { ": \($0)" } ?? "")
  }

  /// The holds, a line each.
  var holdTexts: [String] { holds.map(\.text) }

  /// The state and the holds.
  package var text: String { ([stateText] + holdTexts).joined(separator: "  ") }
}

extension SafetyRecord.Hold {
  package var text: String { holdsBack ? "held: \(reason)" : reason }
}
